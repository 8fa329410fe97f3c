import { and, eq, inArray, lt, sql } from 'drizzle-orm';
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
type JobValues = Partial<typeof jobs.$inferInsert>;

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

const silentFor = 60_000;
const fileKept = lengthOf(1, 'day');
const rowKept = lengthOf(1, 'week');

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

/** Takes a queued job to another state; false when it is queued no more. */
export async function leaveQueue({ db, now }: Services, id: string, state: 'running' | 'cancelled'): Promise<boolean> {
  const rows = await db
    .update(jobs)
    .set({ state, updatedAt: now() })
    .where(and(eq(jobs.id, id), eq(jobs.state, 'queued')))
    .returning({ project: projectOfJob });
  for (const { project } of rows) await publish(db, project, topics.job(id), 'JobChanged', { id });
  return rows.length > 0;
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

/**
 * Work that its process did not live to end becomes failed: all of it when the embedded database starts, for then
 * nobody else can be at it; on PostgreSQL whatever gave no sign of life for a minute. Files go after a day, jobs after a week.
 */
export async function removeExpiredJobs(services: Services, atStart: boolean): Promise<void> {
  const { db, config } = services;
  const at = services.now().getTime();
  const dead = atStart && !config.databaseUrl ? sql`true` : lt(jobs.updatedAt, new Date(at - silentFor));
  await db
    .update(jobs)
    .set({ state: 'failed', problem: interrupted(), updatedAt: services.now() })
    .where(and(inArray(jobs.state, ['queued', 'running']), dead));
  const old = await db
    .select({ id: jobs.id, fileId: jobs.fileId })
    .from(jobs)
    .where(and(lt(jobs.createdAt, new Date(at - fileKept)), sql`${jobs.fileId} is not null`));
  for (const { id, fileId } of old) {
    if (fileId) await removeFile(services, fileId);
    await db.update(jobs).set({ fileId: null }).where(eq(jobs.id, id));
  }
  await db.delete(jobs).where(and(lt(jobs.createdAt, new Date(at - rowKept)), inArray(jobs.state, ['completed', 'failed', 'cancelled'])));
}
