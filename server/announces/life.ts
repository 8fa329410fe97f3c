import { and, eq, isNull, sql } from 'drizzle-orm';
import { mayHappenToAnnounce } from '#machines/lifecycles/announce.machine.ts';
import type { AnnounceStatus } from '#models/announces.ts';
import { topics } from '#models/realtime.ts';
import { scopeOf } from '../access/scope.ts';
import { audit } from '../audit.ts';
import type { Principal } from '../context.ts';
import type { Db } from '../db/database.ts';
import { announceMessages, announceRecipients, announces, mails, users } from '../db/schema/index.ts';
import { HttpError, invalidField } from '../http-error.ts';
import { notify } from '../modules/notifications/notify.ts';
import { publish } from '../realtime/publish.ts';
import { hasSmsGateway } from '../settings/sms.ts';
import { peopleOfAnnounce, type StoredAnnounce } from './audience.ts';
import { addressScreens, clearScreens } from './screens.ts';

/** Everybody who may have it on their screen reads it anew: of recipients the channel knows nothing. */
const notifyAll = (tx: Db, projectId: string): Promise<void> =>
  publish(tx, projectId, topics.area('announces'), 'RowsChanged', { area: 'announces', ids: [] });

async function moved(
  tx: Db,
  principal: Principal | null,
  { id, projectId, title, status: before }: StoredAnnounce,
  status: AnnounceStatus,
  columns: Partial<typeof announces.$inferInsert>,
  at: Date,
): Promise<void> {
  await tx
    .update(announces)
    .set({ ...columns, status, version: sql`${announces.version} + 1`, updatedAt: at })
    .where(eq(announces.id, id));
  if (principal)
    await audit(
      tx,
      principal,
      { area: 'announces', action: 'update', entityId: id, entityName: title, changes: { status: { before, after: status } } },
      at,
    );
  await notifyAll(tx, projectId);
}

/** Fixes who it goes to, and puts down a message for each way to each of them; those who have had theirs get none again. */
async function address(tx: Db, principal: Principal, announce: StoredAnnounce, at: Date): Promise<number> {
  const { id, sendVia } = announce;
  await tx.execute(sql`insert into ${announceRecipients} (announce_id, user_id)
    select ${id}::uuid, meant.id from (${peopleOfAnnounce(scopeOf(principal), id)}) meant on conflict do nothing`);
  const ways = ['console', ...sendVia.filter((channel) => channel !== 'devices')];
  const channels = sql`array[${sql.join(
    ways.map((channel) => sql`${channel}::text`),
    sql`, `,
  )}]`;
  await tx.execute(sql`insert into ${announceMessages} (announce_id, user_id, channel, changed_at)
    select ${id}::uuid, ${users.id}, way, ${at.toISOString()}::timestamptz from ${announceRecipients} r
    join ${users} on ${users.id} = r.user_id cross join unnest(${channels}) way
    where r.announce_id = ${id} and (way <> 'email' or ${users.email} is not null) and (way <> 'sms' or ${users.phone} is not null)
    on conflict do nothing`);
  if (sendVia.includes('devices')) {
    // What was withdrawn and is out again: screens that were not cleared yet are told first.
    while (await clearScreens(tx, announce, principal.id, at));
    await addressScreens(tx, principal, announce, at);
  }
  const { rows } = await tx.execute<{ count: number }>(sql`select count(*)::int as count from ${announceRecipients} where announce_id = ${id}`);
  return rows[0]?.count ?? 0;
}

/** Sends an announcement, or has it wait for its hour. @throws HttpError `prohibited` where its life does not let it, `invalid_data` without recipients */
export async function startAnnounce(tx: Db, principal: Principal, announce: StoredAnnounce, at: Date): Promise<void> {
  const isEarly = announce.status === 'new' && announce.executeAt !== null && announce.executeAt > at;
  if (!mayHappenToAnnounce(announce.status, isEarly ? 'announce.plan' : 'announce.start')) throw new HttpError('prohibited');
  if (announce.endsAt !== null && announce.endsAt <= at) throw invalidField(['ends_at'], 'not_in_future');
  if (announce.sendVia.includes('sms') && !(await hasSmsGateway(tx, announce.projectId))) throw invalidField(['send_via'], 'no_sms_gateway');
  if (isEarly) return moved(tx, principal, announce, 'planned', { senderId: principal.id }, at);
  if ((await address(tx, principal, announce, at)) === 0) throw invalidField(['users'], 'announce_needs_recipients');
  await moved(tx, principal, announce, 'started', { senderId: principal.id, startedAt: announce.startedAt ?? at, endedAt: null }, at);
}

/** What has not left yet never will. */
async function withdrawMessages(tx: Db, id: string): Promise<void> {
  const waiting = and(eq(announceMessages.announceId, id), eq(announceMessages.state, 'queued'));
  await tx.execute(sql`delete from ${mails} where ${mails.sentAt} is null and ${mails.sendingAt} is null
    and ${mails.id} in (select ${announceMessages.mailId} from ${announceMessages} where ${waiting})`);
  // What is being handed over may arrive, and is never sent a second time; a screen with a task is still to be cleared.
  await tx
    .delete(announceMessages)
    .where(and(waiting, isNull(announceMessages.mailId), isNull(announceMessages.sendingAt), isNull(announceMessages.taskId)));
}

/** Tells those who have had it what became of it. */
const notifyRecipients = (tx: Db, { id, projectId, title, token }: StoredAnnounce, status: 'stopped' | 'expired', at: Date): Promise<number> =>
  notify(
    tx,
    { projectId, type: 'announce_status_changed', data: { title, token, status }, at },
    sql`select ${announceRecipients.userId} from ${announceRecipients} where ${announceRecipients.announceId} = ${id}`,
  );

/** Withdraws an announcement. One that has only been planned is new again. @throws HttpError `prohibited` */
export async function stopAnnounce(tx: Db, principal: Principal, announce: StoredAnnounce, at: Date): Promise<void> {
  if (!mayHappenToAnnounce(announce.status, 'announce.stop')) throw new HttpError('prohibited');
  if (announce.status === 'planned') return moved(tx, principal, announce, 'new', {}, at);
  await clearScreens(tx, announce, principal.id, at);
  await withdrawMessages(tx, announce.id);
  await moved(tx, principal, announce, 'stopped', { endedAt: at }, at);
  await notifyRecipients(tx, announce, 'stopped', at);
}

/** It is deleted while it is out: nothing of it stays on a screen or leaves any more. */
export async function withdrawDeleted(tx: Db, principal: Principal, id: string, at: Date): Promise<void> {
  const announce = await heldAnnounce(tx, id);
  if (announce.startedAt === null) return;
  while (await clearScreens(tx, announce, principal.id, at));
  await withdrawMessages(tx, id);
  await notifyAll(tx, announce.projectId);
}

/** Its planned end has come. */
export async function expireAnnounce(tx: Db, announce: StoredAnnounce, at: Date): Promise<void> {
  if (!mayHappenToAnnounce(announce.status, 'time.over')) return;
  await clearScreens(tx, announce, null, at);
  await withdrawMessages(tx, announce.id);
  await moved(tx, null, announce, 'expired', { endedAt: at }, at);
}

/** The announcement, which nobody else changes meanwhile. */
export async function heldAnnounce(tx: Db, id: string): Promise<StoredAnnounce> {
  const [found] = await tx.select().from(announces).where(eq(announces.id, id)).for('update');
  if (!found) throw new HttpError('not_found');
  return found;
}
