import { and, desc, eq, notInArray, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { cardTypes, type Enrolment, enrolmentSeconds } from '#models/enrolment.ts';
import { known, scopeOf } from '#server/access/scope.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { deviceTasks, users } from '#server/db/schema/index.ts';
import { lastWord, secondsLeft } from '#server/devices/enrolments.ts';
import { queueTask } from '#server/devices/queue.ts';
import { unseal } from '#server/devices/secrets.ts';
import { requireReachable, moveTasks, outcomeOf, type StoredTask } from '#server/devices/tasks.ts';
import { HttpError } from '#server/http-error.ts';
import { presentedCard } from './card.ts';
import { requireReader } from './readers.ts';

/** So long a reader may take to say that it waits, ms. */
const confirmation = 5_000;
/** So long one answer is held back, and how often it is looked meanwhile, ms. */
const [longest, look] = [10_000, 150];

/** What is kept with the task by which a reader was told to wait. */
const stored = z.object({
  until: z.iso.datetime(),
  session: z.uuid(),
  card: z.object({ type: z.enum(cardTypes), cipher: z.string() }).optional(),
  over: z.literal(true).optional(),
});

/** The enrolments that a reader still waits for. */
const waitsFor = (deviceId: string, now: Date): SQL | undefined =>
  and(
    eq(deviceTasks.deviceId, deviceId),
    eq(deviceTasks.kind, 'enrol_card'),
    notInArray(deviceTasks.status, ['error', 'stopped']),
    sql`not jsonb_exists_any(${deviceTasks.payload}, array['card', 'over', 'stop'])`,
    sql`(${deviceTasks.payload} ->> 'until')::timestamptz > ${now.toISOString()}::timestamptz`,
  );

const endWaiting = (tx: Db, id: string, at: Date) =>
  tx
    .update(deviceTasks)
    .set({ payload: sql`${deviceTasks.payload} || '{"over": true}'::jsonb`, updatedAt: at })
    .where(eq(deviceTasks.id, id));

/** One at a time waits at a reader; whoever begins anew gives up what they waited for. @throws HttpError `reader_busy` */
async function requireFree(tx: Db, principal: Principal, deviceId: string, at: Date): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${deviceId}, 8))`);
  const waiting = await tx
    .select({
      id: deviceTasks.id,
      by: deviceTasks.createdBy,
      name: users.name,
      isKnown: sql<boolean>`${known(scopeOf(principal), users.id) ?? sql`true`}`,
    })
    .from(deviceTasks)
    .leftJoin(users, eq(users.id, deviceTasks.createdBy))
    .where(waitsFor(deviceId, at))
    .orderBy(desc(deviceTasks.createdAt));
  const other = waiting.find(({ by }) => by !== principal.id);
  if (other) throw new HttpError('reader_busy', { name: other.isKnown ? other.name : null });
  for (const { id } of waiting) await endWaiting(tx, id, at);
}

/**
 * Lets a reader wait for a card; answers once it has said that it does, with the seconds it goes on waiting.
 * @throws HttpError `not_found`, `forbidden`, `reader_busy`, `device_offline`, `device_protocol_none`, `device_unavailable`
 */
export async function beginEnrolment(services: Services, principal: Principal, deviceId: string): Promise<{ id: string; seconds: number }> {
  const { db, now } = services;
  await requireReader(services, principal, deviceId);
  const until = new Date(now().getTime() + enrolmentSeconds * 1_000).toISOString();
  const id = await db.transaction(async (tx) => {
    const device = await requireReachable(tx, deviceId);
    await requireFree(tx, principal, deviceId, now());
    await audit(tx, principal, { area: 'devices', action: 'enrol_card', entityId: deviceId, entityName: device.name, changes: {} }, now());
    const payload = { until, session: principal.sessionId };
    return queueTask(tx, { projectId: device.projectId, deviceId, kind: 'enrol_card', payload, createdBy: principal.id });
  });
  const task = await outcomeOf(services, id, confirmation);
  if (task?.status === 'completed') return { id, seconds: secondsLeft(until, now()) };
  await db.transaction((tx) => moveTasks(tx, eq(deviceTasks.id, id), 'task.stop', { finishedAt: now() }, now()));
  throw new HttpError('device_unavailable', task?.error ? { reason: task.error } : undefined);
}

/** What somebody's own session waits for. @throws HttpError `not_found` */
async function ownTask({ db }: Services, principal: Principal, id: string): Promise<{ task: StoredTask; is: z.infer<typeof stored> }> {
  const [task] = await db
    .select()
    .from(deviceTasks)
    .where(and(eq(deviceTasks.id, id), eq(deviceTasks.kind, 'enrol_card'), eq(deviceTasks.createdBy, principal.id)));
  const read = stored.safeParse(task?.payload);
  if (!task || !read.success || read.data.session !== principal.sessionId) throw new HttpError('not_found');
  return { task, is: read.data };
}

/** The card that was presented, to the session that waits for it and to no other; held back for a while where there is none yet. @throws HttpError `not_found` */
export async function readEnrolment(services: Services, principal: Principal, id: string, isGone: () => boolean): Promise<Enrolment> {
  const end = performance.now() + longest;
  for (;;) {
    const { card, over, until } = (await ownTask(services, principal, id)).is;
    const late = services.now().getTime() - Date.parse(until) - lastWord;
    // A minute is left to ask once more, where the answer was lost on the way.
    if (card && late < 60_000)
      return { state: 'read', card: await presentedCard(services, principal, { type: card.type, value: unseal(services, card.cipher) }) };
    if (card || over || late > 0) return { state: 'over' };
    if (performance.now() >= end || isGone()) return { state: 'waiting' };
    await new Promise((done) => setTimeout(done, look));
  }
}

/** Gives up waiting: the reader is told, and opens as usual from the answer on, if it heard. One that is over already stays so. @throws HttpError `not_found` */
export async function cancelEnrolment(services: Services, principal: Principal, id: string): Promise<void> {
  const { db, now } = services;
  const { task, is } = await ownTask(services, principal, id);
  if (is.card || is.over || secondsLeft(is.until, now()) === 0) return;
  const stopping = await db.transaction(async (tx) => {
    await endWaiting(tx, id, now());
    const { projectId, deviceId } = task;
    return queueTask(tx, { projectId, deviceId, kind: 'enrol_card', payload: { stop: id }, createdBy: principal.id });
  });
  await outcomeOf(services, stopping, confirmation);
}
