import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { ImportResult } from '#models/import.ts';
import type { Job, RowOutcome } from '#models/job.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { problemAsData } from '../http/errors.ts';
import { HttpError } from '../http-error.ts';
import {
  insertJob,
  type JobRow,
  type JobValues,
  interrupt,
  leaveQueue,
  type Live,
  ownJob,
  removeExpiredJobs,
  setJob,
  takeOver,
  toWire,
} from './store.ts';

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
  /**
   * Says in a transaction that so many units more are done and what became of them: if it stands, so does that, whatever ends the process. Answers what to
   * call once it stands.
   */
  within: (tx: Db, units: number, result: ImportResult) => Promise<() => Promise<void>>;
  /** As `within`, for rows that went wrong one by one. */
  settled: (tx: Db, units: number, failed: readonly RowOutcome[]) => Promise<() => Promise<void>>;
  /** A row that could not be done. */
  failed: (outcome: RowOutcome) => void;
  /** Throws when somebody wants the work cancelled; writes nothing, so it may be used inside a transaction. */
  stopIfCancelled: () => void;
  /** Aborted when the work is no longer wanted: for what takes long between two steps. */
  signal: AbortSignal;
}
export type Work = (progress: Progress) => Promise<MadeFile | void>;
/** Makes the work of a kept job anew: what its process did not live to end goes on in another. */
type Resume = (row: JobRow) => Work;

class Cancelled extends Error {}

const atOnce = 2;
const saveEvery = 300;
const beatEvery = 15_000;
const mostFailures = 1_000;
/** A server that ends waits so long for work to end that was told to; what it still does then writes nothing any more. */
const farewell = 1_500;

/** Long work of this process: queued, run two at a time, told about, cancelled, and tidied away. */
export class Jobs {
  readonly #services: Services;
  readonly #live = new Map<string, Live>();
  readonly #waiting: { id: string; work: Work }[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #lasting = new Map<string, Resume>();
  #closing = false;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Keeps a file for the principal as a job that is over; answers the job's id. Like the files of all jobs it goes after a day. */
  async store(principal: Principal, kind: Job['kind'], { id: fileId, name: fileName }: MadeFile): Promise<string> {
    return (await insertJob(this.#services, principal, kind, { state: 'completed', fileId, fileName })).id;
  }

  /** Queues work for the principal and answers how it stands. */
  async start(principal: Principal, kind: Job['kind'], work: Work): Promise<Job> {
    const row = await insertJob(this.#services, principal, kind);
    this.#waiting.push({ id: row.id, work });
    this.#next();
    return toWire(row);
  }

  /** Work of this kind goes on after its process has ended, whatever ended it. */
  lasts(kind: Job['kind'], resume: Resume): void {
    this.#lasting.set(kind, resume);
  }

  /** Queues work that lasts: `prepare` writes down in the job's own transaction what another process needs to go on with it. */
  async startLasting(principal: Principal, kind: Job['kind'], values: JobValues, prepare: (tx: Db, row: JobRow) => Promise<void>): Promise<Job> {
    const resume = this.#lasting.get(kind);
    if (!resume) throw new Error(`nobody said how ${kind} goes on`);
    const row = await this.#services.db.transaction(async (tx) => {
      const made = await insertJob({ ...this.#services, db: tx }, principal, kind, values);
      await prepare(tx, made);
      return made;
    });
    this.#waiting.push({ id: row.id, work: resume(row) });
    this.#next();
    return toWire(row);
  }

  /** One's own job. @throws HttpError `not_found` */
  async read(principal: Principal, id: string): Promise<Job> {
    return toWire(await ownJob(this.#services, principal, id), this.#live.get(id));
  }

  /** Cancels one's own job: at once while it waits, at its next step while it runs. */
  async cancel(principal: Principal, id: string): Promise<void> {
    const { state } = await ownJob(this.#services, principal, id);
    if (state === 'queued') await leaveQueue(this.#services, id, 'cancelled');
    const live = this.#live.get(id);
    live?.stop.abort();
    await setJob(this.#services, id, { cancelWanted: true });
  }

  /** The file of one's own job. @throws HttpError `file_not_found` */
  async file(principal: Principal, id: string): Promise<MadeFile> {
    const { fileId, fileName } = await ownJob(this.#services, principal, id);
    if (!fileId || !fileName) throw new HttpError('file_not_found');
    return { id: fileId, name: fileName };
  }

  /** Goes on with what a dead process left behind, or ends it as failed, and removes files older than a day. */
  async removeExpired(atStart: boolean): Promise<void> {
    for (const row of await takeOver(this.#services, [...this.#lasting.keys()], atStart, [
      ...this.#live.keys(),
      ...this.#waiting.map(({ id }) => id),
    ])) {
      const resume = this.#lasting.get(row.kind);
      if (resume) this.#waiting.push({ id: row.id, work: resume(row) });
    }
    this.#next();
    await removeExpiredJobs(this.#services, [...this.#lasting.keys()], atStart);
  }

  /** Resolves when nothing is queued or running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Stops all work, and waits a little for it; what did not end says so, and may be asked for again. */
  async close(): Promise<void> {
    this.#closing = true;
    const left = this.#waiting.splice(0).map(({ id }) => id);
    for (const { stop } of this.#live.values()) stop.abort();
    await interrupt(this.#services, left, [...this.#lasting.keys()]);
    await Promise.race([Promise.all(this.#running), pause(farewell, undefined, { ref: false })]);
    await interrupt(this.#services, [...this.#live.keys()], [...this.#lasting.keys()]);
    this.#live.clear();
  }

  #next(): void {
    while (!this.#closing && this.#running.size < atOnce) {
      const task = this.#waiting.shift();
      if (!task) return;
      const one: Promise<void> = this.#run(task.id, task.work).finally(() => {
        this.#running.delete(one);
        this.#next();
      });
      this.#running.add(one);
    }
  }

  async #run(id: string, work: Work): Promise<void> {
    const live: Live = { done: 0, total: 0, failures: [], stop: new AbortController(), savedAt: performance.now() };
    const beat = this.#services.timers.every(beatEvery, () => void setJob(this.#services, id, {}).catch(() => undefined));
    this.#live.set(id, live);
    try {
      const left = await leaveQueue(this.#services, id, 'running');
      if (!left) return;
      Object.assign(live, { done: left.done, total: left.total, failures: left.failures });
      const file = await work(this.#progress(id, live));
      if (!this.#live.has(id)) return;
      const { done, total, failures } = live;
      await setJob(this.#services, id, { state: 'completed', done, total, failures, ...(file && { fileId: file.id, fileName: file.name }) });
    } catch (error) {
      await this.#fail(id, live, error);
    } finally {
      beat.cancel();
      this.#live.delete(id);
    }
  }

  #progress(id: string, live: Live): Progress {
    const { signal } = live.stop;
    const stopIfCancelled = (): void => {
      if (signal.aborted || this.#closing) throw new Cancelled();
    };
    const done: Progress['done'] = async (units = 1) => {
      live.done += units;
      // Rows that came since they were counted are part of the work: never is more done than there is.
      if (live.total > 0) live.total = Math.max(live.total, live.done);
      if (performance.now() - live.savedAt > saveEvery) await this.#save(id, live);
      // The embedded database answers without the event loop ever turning: nobody else would be served.
      await turn();
      stopIfCancelled();
    };
    return {
      signal,
      total: (units) => void (live.total = units),
      failed: (outcome) => void (live.failures.length < mostFailures && live.failures.push(outcome)),
      stopIfCancelled,
      done,
      settled: async (tx, units, failed) => {
        const failures = [...live.failures, ...failed].slice(0, mostFailures);
        const row = await setJob({ ...this.#services, db: tx }, id, { done: live.done + units, total: live.total, failures });
        return async () => {
          live.failures = failures;
          if (!row || row.cancelWanted) live.stop.abort();
          await done(units);
        };
      },
      within: async (tx, units, result) => {
        const at = { done: live.done + units, total: live.total, import: result };
        const row = await setJob({ ...this.#services, db: tx }, id, at);
        return async () => {
          live.import = result;
          if (!row || row.cancelWanted) live.stop.abort();
          await done(units);
        };
      },
    };
  }

  async #save(id: string, live: Live): Promise<void> {
    live.savedAt = performance.now();
    const row = await setJob(this.#services, id, { done: live.done, total: live.total, failures: live.failures });
    if (!row || row.cancelWanted) live.stop.abort();
  }

  async #fail(id: string, { done, total, failures, stop }: Live, error: unknown): Promise<void> {
    if (!this.#live.has(id)) return;
    const stopped = error instanceof Cancelled || stop.signal.aborted;
    if (!stopped) this.#services.log.error({ err: error, job: id }, 'long work failed');
    // What ends with its process is ended, or left to another one, as the process closes.
    if (stopped && this.#closing) return interrupt(this.#services, [id], [...this.#lasting.keys()]);
    const end = stopped ? { state: 'cancelled' } : { state: 'failed', problem: problemAsData(error) };
    await setJob(this.#services, id, { ...end, done, total, failures }).catch((reason: unknown) =>
      this.#services.log.error({ err: reason, job: id }, 'the end of long work could not be kept'),
    );
  }
}
