import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Job, RowOutcome } from '#models/job.ts';
import { messageOf, type WireCode } from '#models/problem.ts';
import type { Asker, Services } from '../context.ts';
import { jobs } from '../db/schema/index.ts';
import { removeFile } from '../files.ts';
import { problemAsData } from '../http/errors.ts';
import { Refusal } from '../refusal.ts';

/** What long work makes: a file in the data folder under the name people get it by. */
export interface MadeFile {
  id: string;
  name: string;
}

/** How long work tells how far it has come. */
export interface Progress {
  /** How many units there are in all. */
  total: (units: number) => void;
  /** So many units more are done; throws when somebody wants the work cancelled. */
  done: (units?: number) => Promise<void>;
  /** A row that could not be done. */
  failed: (outcome: RowOutcome) => void;
  /** Throws when somebody wants the work cancelled; writes nothing, so it may be used inside a transaction. */
  stopIfCancelled: () => void;
}
export type Work = (progress: Progress) => Promise<MadeFile | void>;

class Cancelled extends Error {}

interface Live {
  done: number;
  total: number;
  failures: RowOutcome[];
  cancelled: boolean;
  savedAt: number;
}

const atOnce = 2;
const saveEvery = 300;
const beatEvery = 15_000;
const silentFor = 60_000;
const fileKept = 24 * 3_600_000;
const rowKept = 7 * 24 * 3_600_000;
const failuresKept = 1_000;

type JobRow = typeof jobs.$inferSelect;
const toWire = (row: JobRow, live?: Live): Job => ({
  id: row.id,
  kind: row.kind as Job['kind'],
  state: row.state as Job['state'],
  done: live?.done ?? row.done,
  total: live?.total ?? row.total,
  file_name: row.fileId === null ? null : row.fileName,
  failures: live?.failures ?? (row.failures as RowOutcome[]),
  problem: row.problem,
  created_at: row.createdAt.toISOString(),
});

/** Long work of this process: queued, run two at a time, told about, cancelled, and tidied away. */
export interface Jobs {
  /** Queues work for the asker and answers how it stands. */
  start: (asker: Asker, kind: Job['kind'], work: Work) => Promise<Job>;
  /** One's own job. @throws Refusal `not_found` */
  read: (asker: Asker, id: string) => Promise<Job>;
  cancel: (asker: Asker, id: string) => Promise<void>;
  /** The file of one's own job. @throws Refusal `file_not_found` */
  file: (asker: Asker, id: string) => Promise<MadeFile>;
  /** Ends what a dead process left behind, and removes files older than a day. */
  tidy: (atStart: boolean) => Promise<void>;
  /** Resolves when nothing is queued or running. */
  idle: () => Promise<void>;
  /** Cancels all work and waits for it. */
  close: () => Promise<void>;
}

/** Opens the queue of long work. */
export function openJobs(services: Services): Jobs {
  const { db } = services;
  const live = new Map<string, Live>();
  const waiting: { id: string; work: Work }[] = [];
  const running = new Set<Promise<void>>();
  let closing = false;

  const set = (id: string, values: Partial<typeof jobs.$inferInsert>) =>
    db
      .update(jobs)
      .set({ ...values, updatedAt: services.now() })
      .where(eq(jobs.id, id))
      .returning({ cancelWanted: jobs.cancelWanted });

  async function save(id: string, state: Live): Promise<void> {
    state.savedAt = performance.now();
    const [row] = await set(id, { done: state.done, total: state.total, failures: state.failures });
    if (!row || row.cancelWanted) state.cancelled = true;
  }

  const progressOf = (id: string, state: Live): Progress => {
    const stopIfCancelled = () => {
      if (state.cancelled || closing) throw new Cancelled();
    };
    return {
      total: (units) => void (state.total = units),
      failed: (outcome) => void (state.failures.length < failuresKept && state.failures.push(outcome)),
      stopIfCancelled,
      done: async (units = 1) => {
        state.done += units;
        if (performance.now() - state.savedAt > saveEvery) await save(id, state);
        stopIfCancelled();
      },
    };
  };

  async function run(id: string, work: Work): Promise<void> {
    const state: Live = { done: 0, total: 0, failures: [], cancelled: false, savedAt: performance.now() };
    live.set(id, state);
    const beat = setInterval(() => void set(id, {}).catch(() => undefined), beatEvery);
    try {
      const started = await db
        .update(jobs)
        .set({ state: 'running', updatedAt: services.now() })
        .where(and(eq(jobs.id, id), eq(jobs.state, 'queued')))
        .returning({ id: jobs.id });
      if (started.length === 0) return;
      await finish(id, state, await work(progressOf(id, state)));
    } catch (error) {
      await fail(id, state, error);
    } finally {
      clearInterval(beat);
      live.delete(id);
    }
  }

  const finish = async (id: string, { done, total, failures }: Live, file: MadeFile | void): Promise<void> => {
    await set(id, { state: 'completed', done, total, failures, ...(file && { fileId: file.id, fileName: file.name }) });
  };

  async function fail(id: string, { done, total, failures }: Live, error: unknown): Promise<void> {
    const cancelled = error instanceof Cancelled && !closing;
    if (!(error instanceof Cancelled)) services.log.error({ err: error, job: id }, 'long work failed');
    const problem = error instanceof Cancelled ? interrupted() : problemAsData(error);
    const values = { state: cancelled ? 'cancelled' : 'failed', done, total, failures, problem: cancelled ? null : problem };
    await set(id, values).catch((reason: unknown) => services.log.error({ err: reason, job: id }, 'the end of long work could not be kept'));
  }

  function next(): void {
    while (!closing && running.size < atOnce) {
      const task = waiting.shift();
      if (!task) return;
      const one: Promise<void> = run(task.id, task.work).finally(() => {
        running.delete(one);
        next();
      });
      running.add(one);
    }
  }

  const own = async (asker: Asker, id: string): Promise<JobRow> => {
    const [row] = await db
      .select()
      .from(jobs)
      .where(and(eq(jobs.id, id), eq(jobs.userId, asker.id)));
    if (!row) throw new Refusal('not_found');
    return row;
  };

  return {
    async start(asker, kind, work) {
      const [row] = await db.insert(jobs).values({ userId: asker.id, kind, createdAt: services.now(), updatedAt: services.now() }).returning();
      if (!row) throw new Refusal('internal');
      waiting.push({ id: row.id, work });
      next();
      return toWire(row);
    },
    read: async (asker, id) => toWire(await own(asker, id), live.get(id)),
    async cancel(asker, id) {
      const row = await own(asker, id);
      if (row.state === 'queued')
        await db
          .update(jobs)
          .set({ state: 'cancelled', updatedAt: services.now() })
          .where(and(eq(jobs.id, id), eq(jobs.state, 'queued')));
      const state = live.get(id);
      if (state) state.cancelled = true;
      await set(id, { cancelWanted: true });
    },
    async file(asker, id) {
      const { fileId, fileName } = await own(asker, id);
      if (!fileId || !fileName) throw new Refusal('file_not_found');
      return { id: fileId, name: fileName };
    },
    tidy: (atStart) => tidy(services, atStart),
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
    async close() {
      closing = true;
      const left = waiting.splice(0).map(({ id }) => id);
      await Promise.all(running);
      if (left.length > 0) await db.update(jobs).set({ state: 'failed', problem: interrupted() }).where(inArray(jobs.id, left));
    },
  };
}

/** Why work that was cut short did not end: it may be asked for again. */
const interrupted = (code: WireCode = 'unavailable') => ({ code, message: messageOf(code) });

/**
 * Work that its process did not live to end becomes failed: all of it when the embedded database starts, for then
 * nobody else can be at it; on PostgreSQL whatever gave no sign of life for a minute. Files go after a day, jobs after a week.
 */
async function tidy(services: Services, atStart: boolean): Promise<void> {
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
