import { setTimeout as pause } from 'node:timers/promises';
import { and, eq, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { settleMailed } from './announces/mailed.ts';
import type { Services } from './context.ts';
import { mails, projectSettings } from './db/schema/index.ts';
import { attachmentsOf } from './mail/attachment.ts';
import { mayHaveArrived, mailFailureOf, triedFor, waitAfter } from './mail/outcome.ts';
import { type Deliver, deliverFor } from './mail/transport.ts';
import { mailAccount } from './settings/mail.ts';

const every = 10_000;
/** So long a mail is one server's to send. A mail server that says nothing is given up much sooner. */
const lease = 120_000;
/** A server that ends waits so long for the mails that are on their way; they are sent once more if that was too short. */
const farewell = 1_500;

type Mail = typeof mails.$inferSelect;
/** How mails of a project go out; null: they stay where they are. */
export type Routes = (projectId: string) => Promise<Deliver | null>;

const unsent = and(isNull(mails.sentAt), isNull(mails.failedAt));
const fresh = (at: Date) =>
  and(unsent, or(isNull(mails.claimedUntil), lt(mails.claimedUntil, at)), or(eq(mails.once, false), isNull(mails.sendingAt)));

/** The way out of each project: its own mail server, else that of the server. */
export const routesOf =
  (services: Services): Routes =>
  async (projectId) =>
    deliverFor(await mailAccount(services, projectId), services.config);

/** Projects with something to send; where the server has no mail server, those that have their own. */
async function waiting({ db, now, config }: Services, anyway: boolean): Promise<string[]> {
  const own = db
    .select({ id: projectSettings.projectId })
    .from(projectSettings)
    .where(and(eq(projectSettings.block, 'mail'), ne(sql`${projectSettings.value} ->> 'type'`, 'none')));
  const isOpen = anyway || config.mailUrl !== null ? undefined : inArray(mails.projectId, own);
  const rows = await db
    .selectDistinct({ id: mails.projectId })
    .from(mails)
    .where(and(fresh(now()), isOpen));
  return rows.map(({ id }) => id);
}

/** Takes the project's oldest mail that is nobody's for the time of a lease: whoever dies over it loses it to the next one. */
async function claim({ db, now }: Services, projectId: string): Promise<Mail | undefined> {
  const at = now();
  return db.transaction(async (tx) => {
    const oldest = tx
      .select({ id: mails.id })
      .from(mails)
      .where(and(eq(mails.projectId, projectId), fresh(at)))
      .orderBy(mails.createdAt)
      .limit(1)
      .for('update', { skipLocked: true });
    const [mail] = await tx
      .update(mails)
      .set({ claimedUntil: new Date(at.getTime() + lease), sendingAt: at })
      .where(sql`${mails.id} in (${oldest})`)
      .returning();
    return mail;
  });
}

/** What may never go out twice and was under way when its server ended is given up: nobody knows whether it was taken. */
async function giveUpInterrupted({ db, now }: Services): Promise<void> {
  const at = now();
  const left = await db
    .update(mails)
    .set({ failedAt: at, claimedUntil: null, sendingAt: null, attempts: sql`${mails.attempts} + 1`, lastReason: 'interrupted', lastWords: null })
    .where(and(unsent, eq(mails.once, true), isNotNull(mails.sendingAt), lt(mails.claimedUntil, at)))
    .returning({ id: mails.id });
  for (const { id } of left) await settleMailed(db, id, at, 'interrupted');
}

/** Sends one mail and writes down what became of it. @returns whether the mail server can be asked for the next one */
async function send(services: Services, deliver: Deliver, mail: Mail): Promise<boolean> {
  const { config, db, log, now } = services;
  const { id, recipient: to, subject, body: text, html, createdAt: date } = mail;
  const attempts = mail.attempts + 1;
  const tried = { attempts, triedAt: now() };
  try {
    await deliver({
      messageId: `<${id}@${new URL(config.publicUrl).hostname}>`,
      date,
      to,
      subject,
      text,
      ...(html !== null && { html, ...(await attachmentsOf(services, { html, logoFile: mail.logoFile })) }),
    });
  } catch (error) {
    const { reason, words, final } = mailFailureOf(error);
    const at = now();
    const isOver = final || at.getTime() - date.getTime() > triedFor || (mail.once && mayHaveArrived(error));
    log.warn({ mail: id, reason, attempts }, isOver ? 'a mail was refused' : 'a mail was not taken, it is tried again');
    await db
      .update(mails)
      .set({
        ...tried,
        lastReason: reason,
        lastWords: words,
        claimedUntil: isOver ? null : new Date(at.getTime() + waitAfter(attempts)),
        failedAt: isOver ? at : null,
        sendingAt: null,
      })
      .where(eq(mails.id, id));
    if (mail.once && isOver) await settleMailed(db, id, at, reason);
    return final || reason === 'later';
  }
  await db
    .update(mails)
    .set({ ...tried, sentAt: now(), claimedUntil: null, sendingAt: null, lastReason: null, lastWords: null })
    .where(eq(mails.id, id));
  if (mail.once) await settleMailed(db, id, now());
  return true;
}

/**
 * Sends what lies in the outbox, now and every ten seconds, at least once each: a mail is marked as sent when it was taken and not before. Those that
 * may go out but once are given up where nothing is known of a try.
 * Each project has a turn of its own: a mail server that hangs holds up nobody else's mails. Without a mail server mails stay where they are.
 * Answers how to stop.
 */
export function sendMails(services: Services, routes?: Routes): () => Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  const semaphores = new Map<string, Promise<void>>();
  const complain = (error: unknown): void => services.log.warn({ err: error }, 'the outbox could not be read');
  const routeOf = routes ?? routesOf(services);
  const semaphore = async (projectId: string): Promise<void> => {
    const deliver = await routeOf(projectId);
    if (!deliver) return;
    for (let goesOn = true; goesOn && !signal.aborted;) {
      const mail = await claim(services, projectId);
      goesOn = mail !== undefined && (await send(services, deliver, mail));
    }
  };
  const begin = async (): Promise<void> => {
    await giveUpInterrupted(services);
    for (const projectId of await waiting(services, routes !== undefined)) {
      if (signal.aborted || semaphores.has(projectId)) continue;
      semaphores.set(
        projectId,
        semaphore(projectId)
          .catch(complain)
          .finally(() => semaphores.delete(projectId)),
      );
    }
  };
  let beginning = begin().catch(complain);
  const timer = services.timers.every(every, () => {
    beginning = beginning.then(() => (signal.aborted ? undefined : begin())).catch(complain);
  });
  return async () => {
    timer.cancel();
    ended.abort();
    const rest = beginning.then(() => Promise.all(semaphores.values()));
    await Promise.race([rest, pause(farewell, undefined, { ref: false })]);
  };
}
