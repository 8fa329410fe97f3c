import { eq, inArray, isNull } from 'drizzle-orm';
import { createTransport } from 'nodemailer';
import type { Services } from './context.ts';
import { mails } from './db/schema/index.ts';

const every = 10_000;
const atOnce = 20;

type Mail = typeof mails.$inferSelect;

/** Takes mails out of the outbox so that no other node takes them too. */
const claim = ({ db, now }: Services): Promise<Mail[]> =>
  db.transaction(async (tx) => {
    const waiting = tx
      .select({ id: mails.id })
      .from(mails)
      .where(isNull(mails.sentAt))
      .orderBy(mails.createdAt)
      .limit(atOnce)
      .for('update', { skipLocked: true });
    return tx.update(mails).set({ sentAt: now() }).where(inArray(mails.id, waiting)).returning();
  });

/**
 * Sends what lies in the outbox through the mail server of the settings, now and every ten seconds; a mail that was not
 * taken goes back and is tried again. Without a mail server mails stay where they are. Answers how to stop.
 */
export function sendMails(services: Services): () => void {
  const { config, db, log } = services;
  if (!config.mailUrl) return () => undefined;
  const transport = createTransport(config.mailUrl, { from: config.mailFrom });
  const send = async (mail: Mail) => {
    try {
      await transport.sendMail({ to: mail.recipient, subject: mail.subject, text: mail.body });
    } catch (error) {
      log.warn({ err: error, mail: mail.id }, 'a mail was not taken, it is tried again');
      await db.update(mails).set({ sentAt: null }).where(eq(mails.id, mail.id));
    }
  };
  let running = Promise.resolve();
  const round = () => {
    running = running
      .then(async () => {
        for (const mail of await claim(services)) await send(mail);
      })
      .catch((error: unknown) => log.warn({ err: error }, 'the outbox could not be read'));
  };
  round();
  const timer = setInterval(round, every).unref();
  return () => {
    clearInterval(timer);
    transport.close();
  };
}
