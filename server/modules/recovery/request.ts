import { and, eq, gt, isNotNull, or, sql } from 'drizzle-orm';
import { utc } from '#models/time.ts';
import { hashToken, makeToken } from '#server/access/principal.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { oneTimeLinks, users } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { KeyedSemaphore } from '#server/keyed-semaphore.ts';
import { readBlock } from '#server/settings/store.ts';
import { mailRecoveryLink, type Recipient, recipientColumns } from '../account-mails.ts';
import { requirePace } from '../session/pace.ts';
import type { Origin } from '../session/tokens.ts';

const linkLifeHours = 1;
/** Mails to one account are so far apart, however many ask from wherever. */
const mailPauseMinutes = 2;
/** More accounts with one address than anybody has. */
const mostAccounts = 20;
const mostWaiting = 500;

const queues = new WeakMap<Db, KeyedSemaphore>();
function queueOf(db: Db): KeyedSemaphore {
  const queue = queues.get(db) ?? new KeyedSemaphore(1, mostWaiting);
  queues.set(db, queue);
  return queue;
}

/** Accounts with a password, or whose owner was invited to choose one: nobody else lets themselves in by having an address. */
const accountsOf = (db: Db, email: string): Promise<Recipient[]> =>
  db
    .select(recipientColumns)
    .from(users)
    .where(and(eq(sql`lower(${users.email})`, email.toLowerCase()), or(isNotNull(users.passwordHash), eq(users.isInvited, true))))
    .limit(mostAccounts);

async function sendLink(services: Services, user: Recipient): Promise<void> {
  const at = services.now();
  const { value } = await readBlock(services.db, user.projectId, 'general');
  if (!value.password_recovery) return;
  await services.db.transaction(async (tx) => {
    // Two requests for the same person wait for each other here.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, user.id)).for('update');
    const own = and(eq(oneTimeLinks.userId, user.id), eq(oneTimeLinks.kind, 'recovery'));
    const pauseBegan = utc(at).subtract(mailPauseMinutes, 'minute').toDate();
    const recent = await tx
      .select({ hash: oneTimeLinks.hash })
      .from(oneTimeLinks)
      .where(and(own, gt(oneTimeLinks.createdAt, pauseBegan)));
    if (recent.length > 0) return;
    const token = makeToken();
    await tx.delete(oneTimeLinks).where(own);
    await tx.insert(oneTimeLinks).values({
      hash: hashToken(token),
      kind: 'recovery',
      userId: user.id,
      expiresAt: utc(at).add(linkLifeHours, 'hour').toDate(),
      createdAt: at,
    });
    await mailRecoveryLink(tx, services, user, token);
  });
}

/**
 * Mails a link to every account of an address. Nobody waits for it: how long the answer takes must not say whether there is one.
 * @throws HttpError `too_many_requests` for who asks too often, whether or not the address is known
 */
export function requestRecovery(services: Services, email: string, origin: Origin): void {
  requirePace(services, 'recovery', email, origin);
  const { db, log } = services;
  const queue = queueOf(db);
  if (queue.isFull('recovery')) throw new HttpError('too_many_requests', { seconds: 1 }, 1);
  void queue
    .run('recovery', async () => {
      for (const user of await accountsOf(db, email)) await sendLink(services, user);
    })
    .catch((error: unknown) => log.error({ err: error }, 'a recovery link could not be sent'));
}
