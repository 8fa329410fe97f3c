import { and, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { pollVote, ReceivedAnnounce } from '#models/announce-calls.ts';
import { topics } from '#models/realtime.ts';
import type { Principal, Services } from '#server/context.ts';
import { transact } from '#server/crud/write.ts';
import type { Db } from '#server/db/database.ts';
import { announceRecipients, announces, announceVotes, users } from '#server/db/schema/index.ts';
import { HttpError, invalidField } from '#server/http-error.ts';
import { publish } from '#server/realtime/publish.ts';

/** Most that somebody is shown at once. */
const atMost = 50;
const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Announcements as their recipient has them. Of one that was withdrawn nothing is left but that it was. */
async function received(db: Db, principal: Principal, which: SQL | undefined): Promise<ReceivedAnnounce[]> {
  const rows = await db
    .select({
      announce: announces,
      seenAt: announceRecipients.seenAt,
      sender: users.name,
      answer: announceVotes.answer,
      custom: announceVotes.custom,
    })
    .from(announceRecipients)
    .innerJoin(announces, eq(announces.id, announceRecipients.announceId))
    .leftJoin(users, eq(users.id, announces.senderId))
    .leftJoin(announceVotes, and(eq(announceVotes.announceId, announces.id), eq(announceVotes.userId, announceRecipients.userId)))
    .where(and(eq(announceRecipients.userId, principal.id), eq(announces.projectId, principal.projectId), isNotNull(announces.startedAt), which))
    .orderBy(desc(announces.startedAt), desc(announces.id))
    .limit(atMost);
  return rows.map(({ announce, seenAt, sender, answer, custom }) => {
    const isGone = announce.status === 'stopped';
    return {
      id: announce.id,
      token: announce.token,
      type: announce.type,
      status: announce.status,
      title: announce.title,
      body: isGone ? '' : announce.body,
      sender,
      started_at: (announce.startedAt ?? announce.createdAt).toISOString(),
      ends_at: iso(announce.endsAt),
      ended_at: iso(announce.endedAt),
      seen_at: iso(seenAt),
      answers: isGone || announce.type !== 'poll' ? [] : announce.answers,
      custom_answer: !isGone && announce.type === 'poll' && announce.customAnswer,
      vote: answer === null && custom === null ? null : { answer, custom },
    };
  });
}

/** What is out and was sent to somebody, the newest first. */
export const runningFor = (db: Db, principal: Principal): Promise<ReceivedAnnounce[]> => received(db, principal, eq(announces.status, 'started'));

/** One announcement, for its recipient. @throws HttpError `not_found` for anybody else */
export async function receivedBy(db: Db, principal: Principal, token: string): Promise<ReceivedAnnounce> {
  const [found] = await received(db, principal, eq(announces.token, token));
  if (!found) throw new HttpError('not_found');
  return found;
}

const publishRow = (tx: Db, { projectId }: Principal, id: string): Promise<void> =>
  publish(tx, projectId, topics.area('announces'), 'RowsChanged', { area: 'announces', ids: [id] });

/** Whoever has opened it has seen it; the first time counts. */
export async function markSeen({ db, now }: Services, principal: Principal, token: string): Promise<void> {
  const { id } = await receivedBy(db, principal, token);
  await db.transaction(async (tx) => {
    const seen = await tx
      .update(announceRecipients)
      .set({ seenAt: now() })
      .where(and(eq(announceRecipients.announceId, id), eq(announceRecipients.userId, principal.id), isNull(announceRecipients.seenAt)))
      .returning({ id: announceRecipients.announceId });
    if (seen.length > 0) await publishRow(tx, principal, id);
  });
}

/**
 * Keeps somebody's answer: one, which the database holds however many come at once.
 * @throws HttpError `not_found`, `announce_over`, `poll_answered`, `invalid_data` for an answer that is not offered
 */
export async function vote(services: Services, principal: Principal, token: string, given: z.output<typeof pollVote>): Promise<ReceivedAnnounce> {
  const { id } = await receivedBy(services.db, principal, token);
  await transact(services, async (tx) => {
    // Whoever stops it waits until this answer stands, or this answer finds it stopped.
    const [announce] = await tx.select().from(announces).where(eq(announces.id, id)).for('share');
    const at = services.now();
    const isOver = !announce || announce.status !== 'started' || (announce.endsAt !== null && announce.endsAt <= at);
    if (isOver) throw new HttpError('announce_over');
    if (announce.type !== 'poll') throw new HttpError('prohibited');
    if ('custom' in given ? !announce.customAnswer : given.answer >= announce.answers.length)
      throw invalidField(['custom' in given ? 'custom' : 'answer'], 'one_of');
    const stored = await tx
      .insert(announceVotes)
      .values({ announceId: id, userId: principal.id, createdAt: at, ...given })
      .onConflictDoNothing()
      .returning({ id: announceVotes.announceId });
    if (stored.length === 0) throw new HttpError('poll_answered');
    await tx
      .update(announceRecipients)
      .set({ seenAt: sql`coalesce(${announceRecipients.seenAt}, ${at.toISOString()}::timestamptz)` })
      .where(and(eq(announceRecipients.announceId, id), inArray(announceRecipients.userId, [principal.id])));
    await publishRow(tx, principal, id);
  });
  return receivedBy(services.db, principal, token);
}
