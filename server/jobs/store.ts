import { and, eq, inArray, lt, notInArray, sql } from 'drizzle-orm';
import { isUndoable } from '#models/bulk.ts';
import type { ImportResult } from '#models/import.ts';
import type { Job, RowOutcome } from '#models/job.ts';
import { messageOf, type WireCode } from '#models/problem.ts';
import { topics } from '#models/realtime.ts';
import { lengthOf } from '#models/time.ts';
import type { Principal, Services } from '../context.ts';
import { jobs } from '../db/schema/index.ts';
import { removeFile } from '../files.ts';
import { publish } from '../realtime/publish.ts';
import { HttpError } from '../http-error.ts';

export type JobRow = typeof jobs.$inferSelect;
export type JobValues = Partial<typeof jobs.$inferInsert>;

/** How far work of this process has come; the database is told now and then. */
export interface Live {
  done: number;
  total: number;
  failures: RowOutcome[];
  import?: ImportResult;
  /** Aborted when somebody wants it cancelled, or the server ends. */
  stop: AbortController;
  savedAt: number;
}

const nobody = '00000000-0000-0000-0000-000000000000';
const silentFor = 60_000;
const fileStored = lengthOf(1, 'day');
const rowStored = lengthOf(1, 'week');

/** Why work that was cut short did not end: it may be asked for again. */
export const interrupted = (code: WireCode = 'unavailable') => ({ code, message: messageOf(code) });

/** A job as the wire has it; what this process knows is newer than what it has saved. */
export const toWire = (row: JobRow, live?: Live): Job => ({
  id: row.id,
  kind: row.kind as Job['kind'],
  state: row.state as Job['state'],
  done: live?.done ?? row.done,
  total: live?.total ?? row.total,
  file_name: row.fileId === null ? null : row.fileName,
  failures: live?.failures ?? (row.failures as RowOutcome[]),
  problem: row.problem,
  ...((live?.import ?? row.import) && { import: live?.import ?? row.import ?? undefined }),
  ...(row.bulk && { bulk: { action: row.bulk.action, can_undo: row.state === 'completed' && row.undoneBy === null && isUndoable(row.bulk.action) } }),
  created_at: row.createdAt.toISOString(),
});

/** Writes a job down, queued unless `values` say more. */
export async function insertJob({ db, now }: Services, principal: Principal, kind: Job['kind'], values: JobValues = {}): Promise<JobRow> {
  const [row] = await db
    .insert(jobs)
    .values({ ...values, userId: principal.id, kind, createdAt: now(), updatedAt: now() })
    .returning();
  if (!row) throw new HttpError('internal');
  return row;
}

const projectOfJob = sql<string>`(select u.project_id from users u where u.id = user_id)`;

/** Changes a job; answers whether it is still there and somebody wants it cancelled. */
export async function setJob({ db, now }: Services, id: string, values: JobValues): Promise<{ cancelWanted: boolean } | undefined> {
  const [row] = await db
    .update(jobs)
    .set({ ...values, updatedAt: now() })
    .where(eq(jobs.id, id))
    .returning({ cancelWanted: jobs.cancelWanted, project: projectOfJob });
  if (row && Object.keys(values).length > 0) await publish(db, row.project, topics.job(id), 'JobChanged', { id });
  return row;
}

/** Takes a queued job to another state, and answers how far it had come; nothing when it is queued no more. */
export async function leaveQueue(
  { db, now }: Services,
  id: string,
  state: 'running' | 'cancelled',
): Promise<Pick<Live, 'done' | 'total' | 'failures'> | undefined> {
  const rows = await db
    .update(jobs)
    .set({ state, updatedAt: now() })
    .where(and(eq(jobs.id, id), eq(jobs.state, 'queued')))
    .returning({ project: projectOfJob, done: jobs.done, total: jobs.total, failures: jobs.failures });
  for (const { project } of rows) await publish(db, project, topics.job(id), 'JobChanged', { id });
  const [left] = rows;
  return left && { ...left, failures: left.failures as RowOutcome[] };
}

/** One's own job. @throws HttpError `not_found` */
export async function ownJob({ db }: Services, principal: Principal, id: string): Promise<JobRow> {
  const [row] = await db
    .select()
    .from(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.userId, principal.id)));
  if (!row) throw new HttpError('not_found');
  return row;
}

/** Work whose process is gone: all of it when the embedded database starts, for then nobody else can be at it; on PostgreSQL what gave no sign of life for a minute. */
const isDead = ({ config, now }: Services, atStart: boolean) =>
  atStart && !config.databaseUrl ? sql`true` : lt(jobs.updatedAt, new Date(now().getTime() - silentFor));

/** Work of these kinds that its process did not live to end is queued anew, and belongs to whoever asks first. */
export async function takeOver(services: Services, lasting: readonly string[], atStart: boolean, own: readonly string[]): Promise<JobRow[]> {
  if (lasting.length === 0) return [];
  return services.db
    .update(jobs)
    .set({ state: 'queued', updatedAt: services.now() })
    .where(
      and(
        inArray(jobs.state, ['queued', 'running']),
        inArray(jobs.kind, [...lasting]),
        notInArray(jobs.id, [...own, nobody]),
        isDead(services, atStart),
      ),
    )
    .returning();
}

/** What a process that ends leaves behind: failed, or waiting for another process that goes on with it. */
export async function interrupt(services: Services, ids: readonly string[], lasting: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const ended = await services.db
    .select({ id: jobs.id, kind: jobs.kind })
    .from(jobs)
    .where(inArray(jobs.id, [...ids]));
  for (const { id, kind } of ended)
    await setJob(services, id, lasting.includes(kind) ? { state: 'queued' } : { state: 'failed', problem: interrupted() });
}

/**
 * Work that its process did not live to end, and nobody goes on with, becomes failed: all of it when the embedded database starts, for then
 * nobody else can be at it; on PostgreSQL whatever gave no sign of life for a minute. Files go after a day, jobs after a week.
 */
export async function removeExpiredJobs(services: Services, lasting: readonly string[], atStart: boolean): Promise<void> {
  const { db } = services;
  const at = services.now().getTime();
  await db
    .update(jobs)
    .set({ state: 'failed', problem: interrupted(), updatedAt: services.now() })
    .where(and(inArray(jobs.state, ['queued', 'running']), notInArray(jobs.kind, [...lasting, '']), isDead(services, atStart)));
  const old = await db
    .select({ id: jobs.id, fileId: jobs.fileId })
    .from(jobs)
    .where(and(lt(jobs.createdAt, new Date(at - fileStored)), sql`${jobs.fileId} is not null`));
  for (const { id, fileId } of old) {
    if (fileId) await removeFile(services, fileId);
    await db.update(jobs).set({ fileId: null }).where(eq(jobs.id, id));
  }
  await db.delete(jobs).where(and(lt(jobs.createdAt, new Date(at - rowStored)), inArray(jobs.state, ['completed', 'failed', 'cancelled'])));
}
