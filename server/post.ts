import { setTimeout as pause } from 'node:timers/promises';
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { createTransport } from 'nodemailer';
import type { Config } from './config.ts';
import type { Services } from './context.ts';
import { mails } from './db/schema/index.ts';

const every = 10_000;
/** So long a mail is one server's to send. A mail server that says nothing is given up much sooner. */
const lease = 120_000;
const silence = 20_000;
/** A mail that was not taken is tried again after so long. */
const retryAfter = 10_000;
/** A server that ends waits so long for the mail that is on its way; it is sent once more if that was too short. */
const farewell = 1_500;

type Mail = typeof mails.$inferSelect;
/** A mail as it goes out. One that goes out twice does so under the same id, by which mailboxes know it again. */
export interface OutgoingMail {
  messageId: string;
  date: Date;
  to: string;
  subject: string;
  text: string;
}
/** Hands a mail on; resolves when it was taken, rejects when nothing is known of it or it was refused. */
export type Deliver = (mail: OutgoingMail) => Promise<unknown>;

/** The way out over the mail server of the settings. */
export function deliverBySmtp({ mailFrom }: Pick<Config, 'mailFrom'>, mailUrl: string): Deliver {
  const timeouts = { connectionTimeout: silence, greetingTimeout: silence, socketTimeout: silence };
  const transport = createTransport({ url: mailUrl, ...timeouts }, { from: mailFrom });
  return (mail) => transport.sendMail(mail);
}

const fresh = (at: Date) => and(isNull(mails.sentAt), or(isNull(mails.claimedUntil), lt(mails.claimedUntil, at)));

/** Takes the oldest mail that is nobody's for the time of a lease: whoever dies over it loses it to the next one. */
async function claim({ db, now }: Services): Promise<Mail | undefined> {
  const at = now();
  return db.transaction(async (tx) => {
    const oldest = tx.select({ id: mails.id }).from(mails).where(fresh(at)).orderBy(mails.createdAt).limit(1).for('update', { skipLocked: true });
    const [mail] = await tx
      .update(mails)
      .set({ claimedUntil: new Date(at.getTime() + lease) })
      .where(sql`${mails.id} in (${oldest})`)
      .returning();
    return mail;
  });
}

async function send({ config, db, log, now }: Services, deliver: Deliver, mail: Mail): Promise<void> {
  const { id, recipient: to, subject, body: text, createdAt: date } = mail;
  try {
    await deliver({ messageId: `<${id}@${new URL(config.publicUrl).hostname}>`, date, to, subject, text });
  } catch (error) {
    log.warn({ err: error, mail: id }, 'a mail was not taken, it is tried again');
    await db
      .update(mails)
      .set({ claimedUntil: new Date(now().getTime() + retryAfter) })
      .where(eq(mails.id, id));
    return;
  }
  await db.update(mails).set({ sentAt: now(), claimedUntil: null }).where(eq(mails.id, id));
}

/**
 * Sends what lies in the outbox, now and every ten seconds, at least once each: a mail is marked as sent when it was taken
 * and not before. Without a mail server mails stay where they are. Answers how to stop.
 */
export function sendMails(services: Services, deliver: Deliver): () => Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  let running = Promise.resolve();
  const round = async (): Promise<void> => {
    for (let mail = await claim(services); mail; mail = signal.aborted ? undefined : await claim(services)) await send(services, deliver, mail);
  };
  const begin = () => {
    running = running
      .then(() => (signal.aborted ? undefined : round()))
      .catch((error: unknown) => services.log.warn({ err: error }, 'the outbox could not be read'));
  };
  begin();
  const timer = setInterval(begin, every).unref();
  return async () => {
    clearInterval(timer);
    ended.abort();
    await Promise.race([running, pause(farewell, undefined, { ref: false })]);
  };
}
