import { setImmediate as turn } from 'node:timers/promises';
import type { Job, RowOutcome } from '#models/job.ts';
import type { Asker, Services } from '../context.ts';
import { problemAsData } from '../http/errors.ts';
import { Refusal } from '../refusal.ts';
import { insertJob, interrupted, leaveQueue, type Live, ownJob, setJob, tidyJobs, toWire } from './store.ts';

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

const atOnce = 2;
const saveEvery = 300;
const beatEvery = 15_000;
const failuresKept = 1_000;

/** Long work of this process: queued, run two at a time, told about, cancelled, and tidied away. */
export class Jobs {
  readonly #services: Services;
  readonly #live = new Map<string, Live>();
  readonly #waiting: { id: string; work: Work }[] = [];
  readonly #running = new Set<Promise<void>>();
  #closing = false;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Queues work for the asker and answers how it stands. */
  async start(asker: Asker, kind: Job['kind'], work: Work): Promise<Job> {
    const row = await insertJob(this.#services, asker, kind);
    this.#waiting.push({ id: row.id, work });
    this.#next();
    return toWire(row);
  }

  /** One's own job. @throws Refusal `not_found` */
  async read(asker: Asker, id: string): Promise<Job> {
    return toWire(await ownJob(this.#services, asker, id), this.#live.get(id));
  }

  /** Cancels one's own job: at once while it waits, at its next step while it runs. */
  async cancel(asker: Asker, id: string): Promise<void> {
    const { state } = await ownJob(this.#services, asker, id);
    if (state === 'queued') await leaveQueue(this.#services, id, 'cancelled');
    const live = this.#live.get(id);
    if (live) live.cancelled = true;
    await setJob(this.#services, id, { cancelWanted: true });
  }

  /** The file of one's own job. @throws Refusal `file_not_found` */
  async file(asker: Asker, id: string): Promise<MadeFile> {
    const { fileId, fileName } = await ownJob(this.#services, asker, id);
    if (!fileId || !fileName) throw new Refusal('file_not_found');
    return { id: fileId, name: fileName };
  }

  /** Ends what a dead process left behind, and removes files older than a day. */
  tidy(atStart: boolean): Promise<void> {
    return tidyJobs(this.#services, atStart);
  }

  /** Resolves when nothing is queued or running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Stops all work and waits for it; what did not end may be asked for again. */
  async close(): Promise<void> {
    this.#closing = true;
    const left = this.#waiting.splice(0);
    await Promise.all(this.#running);
    for (const { id } of left) await setJob(this.#services, id, { state: 'failed', problem: interrupted() });
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
    const live: Live = { done: 0, total: 0, failures: [], cancelled: false, savedAt: performance.now() };
    const beat = setInterval(() => void setJob(this.#services, id, {}).catch(() => undefined), beatEvery);
    this.#live.set(id, live);
    try {
      if (!(await leaveQueue(this.#services, id, 'running'))) return;
      const file = await work(this.#progress(id, live));
      const { done, total, failures } = live;
      await setJob(this.#services, id, { state: 'completed', done, total, failures, ...(file && { fileId: file.id, fileName: file.name }) });
    } catch (error) {
      await this.#fail(id, live, error);
    } finally {
      clearInterval(beat);
      this.#live.delete(id);
    }
  }

  #progress(id: string, live: Live): Progress {
    const stopIfCancelled = (): void => {
      if (live.cancelled || this.#closing) throw new Cancelled();
    };
    return {
      total: (units) => void (live.total = units),
      failed: (outcome) => void (live.failures.length < failuresKept && live.failures.push(outcome)),
      stopIfCancelled,
      done: async (units = 1) => {
        live.done += units;
        if (performance.now() - live.savedAt > saveEvery) await this.#save(id, live);
        // The embedded database answers without the event loop ever turning: nobody else would be served.
        await turn();
        stopIfCancelled();
      },
    };
  }

  async #save(id: string, live: Live): Promise<void> {
    live.savedAt = performance.now();
    const row = await setJob(this.#services, id, { done: live.done, total: live.total, failures: live.failures });
    if (!row || row.cancelWanted) live.cancelled = true;
  }

  async #fail(id: string, { done, total, failures }: Live, error: unknown): Promise<void> {
    const stopped = error instanceof Cancelled;
    if (!stopped) this.#services.log.error({ err: error, job: id }, 'long work failed');
    const end = stopped && !this.#closing ? { state: 'cancelled' } : { state: 'failed', problem: stopped ? interrupted() : problemAsData(error) };
    await setJob(this.#services, id, { ...end, done, total, failures }).catch((reason: unknown) =>
      this.#services.log.error({ err: reason, job: id }, 'the end of long work could not be kept'),
    );
  }
}
