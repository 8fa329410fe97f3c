import { eq, getTableColumns } from 'drizzle-orm';
import type { Services } from '../context.ts';
import { databaseHttpError } from '../db/constraint-errors.ts';
import { urgently } from '../db/reserve.ts';
import { devices } from '../db/schema/index.ts';
import { Semaphore } from '../semaphore.ts';
import type { Timer } from '../timers.ts';
import { atOnce, busyDevices, claimAtOnce, claimNext, handBack, hasOpen, recover } from './claim.ts';
import { NoAnswer } from './link.ts';
import { type Order, orderFor, type StoredDevice } from './orders.ts';
import { complete, fail, putBack } from './outcome.ts';
import { type DeviceRequest, type DeviceResponse, otherVersion } from './protocol.ts';
import { taskChannel, wakeRunner } from './queue.ts';
import { spokenProtocol, type StoredTask } from './tasks.ts';

/** What the runner needs of the world of devices. */
export interface Reach {
  ask: (device: StoredDevice, request: DeviceRequest) => Promise<DeviceResponse>;
  isReachable: (device: StoredDevice) => boolean;
}

const attempts = 3;
const pauses = [2_000, 8_000];
/** So many devices are spoken to at the same time. */
const atATime = 32;
/** So much work of devices is at the database at the same time, where it has many connections: they are there for people too. */
const lookedAfter = 3;
const sweepEvery = 15_000;
/** What could not be read or written for the moment is tried again after so long. */
const retryAfter = 500;
/** A task that has been out for longer was left behind by another process; with the embedded database there is none. */
const abandoned = 45_000;

/**
 * Runs the tasks of all devices: those of one in the order of asking, those of different ones side by side. What is
 * going on lives in the database, so that a task ends exactly once however often the server does.
 */
export class Runner {
  readonly #services: Services;
  readonly #reach: Reach;
  readonly #running = new Set<string>();
  /** Devices that were heard of again while they were being served, or while all hands were full. */
  readonly #again = new Set<string>();
  readonly #timers = new Map<string, Timer>();
  readonly #work = new Set<Promise<void>>();
  /** Claims, orders and outcomes that nobody waits for. One saved card makes every device of a building ask for its copy. */
  readonly #background: Semaphore;
  /** The same of what somebody waits for. */
  readonly #atOnce: Semaphore;
  /** Devices whose tasks at once are about to be looked for. */
  readonly #looking = new Set<string>();
  #sweep: Timer | undefined;
  #unlisten: () => Promise<void> = () => Promise.resolve();
  #closed = false;

  constructor(services: Services, reach: Reach) {
    this.#services = services;
    this.#reach = reach;
    // The embedded database has one connection: a crowd of devices must not stand there before somebody's request, and who waits waits there.
    [this.#background, this.#atOnce] = services.config.databaseUrl
      ? [new Semaphore(lookedAfter), new Semaphore(lookedAfter)]
      : [new Semaphore(1), new Semaphore(Number.POSITIVE_INFINITY)];
  }

  async open(): Promise<void> {
    const all = (): void => void this.#wakeAll().catch(this.#complain);
    this.#unlisten = await this.#services.listen(taskChannel, (id) => this.wake(id), all);
    await recover(this.#services, this.#services.config.databaseUrl ? abandoned : 0);
    await this.#wakeAll();
    this.#sweep = this.#services.timers.every(sweepEvery, () => void this.#sweepUp().catch(this.#complain));
  }

  /** Takes nothing new, waits for what is being written, and hands back what is out at a device. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#sweep?.cancel();
    for (const timer of this.#timers.values()) timer.cancel();
    await this.#unlisten();
    await Promise.allSettled(this.#work);
  }

  /** A device may have something to do, or can be reached again. */
  wake(deviceId: string): void {
    if (this.#closed) return;
    if (!this.#looking.has(deviceId)) {
      this.#looking.add(deviceId);
      this.#track(urgently(() => this.#serveAtOnce(deviceId)));
    }
    if (this.#running.has(deviceId) || this.#running.size >= atATime) {
      this.#again.add(deviceId);
      return;
    }
    this.#again.delete(deviceId);
    this.#running.add(deviceId);
    this.#track(this.#serve(deviceId).finally(() => this.#next(deviceId)));
  }

  #next(deviceId: string): void {
    this.#running.delete(deviceId);
    const [waiting] = this.#again;
    if (waiting !== undefined) this.wake(waiting);
  }

  readonly #complain = (error: unknown): void => {
    if (!this.#closed) this.#services.log.error({ err: error }, 'the tasks of a device could not be run');
  };

  #track(work: Promise<void>): void {
    const tracked: Promise<void> = work.catch(this.#complain).finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }

  async #wakeAll(): Promise<void> {
    for (const id of await busyDevices(this.#services)) this.wake(id);
  }
  async #sweepUp(): Promise<void> {
    if (this.#services.config.databaseUrl) await recover(this.#services, abandoned);
    await this.#wakeAll();
  }

  async #deviceOf(id: string): Promise<StoredDevice | undefined> {
    const [device] = await this.#services.db
      .select({ ...getTableColumns(devices), protocol: spokenProtocol })
      .from(devices)
      .where(eq(devices.id, id));
    return device;
  }

  async #serveAtOnce(deviceId: string): Promise<void> {
    const found = await this.#atOnce.run(async () => {
      this.#looking.delete(deviceId);
      if (!(await hasOpen(this.#services, deviceId, 'at once'))) return null;
      const device = await this.#deviceOf(deviceId);
      if (!device || !this.#reach.isReachable(device)) return null;
      return { device, tasks: await claimAtOnce(this.#services, deviceId) };
    });
    if (found) await Promise.all(found.tasks.map((task) => this.#run(task, found.device)));
  }

  /** The device and what it does next. */
  #claim(deviceId: string) {
    return this.#untilDone(this.#background, async () => {
      if (!(await hasOpen(this.#services, deviceId, 'in order'))) return;
      const device = await this.#deviceOf(deviceId);
      return device && { device, next: await claimNext(this.#services, deviceId, this.#reach.isReachable(device)) };
    });
  }

  /** What a device did is no less done because it cannot be written down this moment: left as `started` it would be told again. */
  #settle({ kind }: StoredTask, work: () => Promise<void>): Promise<void> {
    return this.#untilDone(this.#semaphoreOf(kind), work);
  }

  #semaphoreOf(kind: StoredTask['kind']): Semaphore {
    return atOnce.includes(kind) ? this.#atOnce : this.#background;
  }

  /** Tries for as long as the database cannot be had. */
  async #untilDone<T>(semaphore: Semaphore, work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await semaphore.run(work);
      } catch (error) {
        if (this.#closed || databaseHttpError(error)?.code !== 'unavailable') throw error;
      }
      await this.#services.timers.pause(retryAfter);
    }
  }

  /** Serves one device until it has nothing more to do, or cannot be reached. */
  async #serve(deviceId: string): Promise<void> {
    while (!this.#closed) {
      const { device, next } = (await this.#claim(deviceId)) ?? { device: null, next: null };
      if (device === null || next === null) return;
      if (typeof next === 'number') return this.#wakeLater(deviceId, next);
      await this.#run(next, device);
    }
  }

  #wakeLater(deviceId: string, pause: number): void {
    this.#timers.get(deviceId)?.cancel();
    const timer = this.#services.timers.after(pause, () => {
      this.#timers.delete(deviceId);
      this.wake(deviceId);
    });
    this.#timers.set(deviceId, timer);
  }

  async #run(task: StoredTask, device: StoredDevice): Promise<void> {
    await this.#runHere(task, device);
    // It has left meanwhile, to another process perhaps, which saw this task under way and turned away.
    if (!this.#closed && !this.#reach.isReachable(device)) await wakeRunner(this.#services.db, device.id);
  }

  async #runHere(task: StoredTask, device: StoredDevice): Promise<void> {
    const { id, kind, payload } = task;
    try {
      if (device.protocol === 'none') return await this.#withoutWay(task, device);
      const order = await this.#semaphoreOf(kind).run(() => orderFor(this.#services, device, kind, payload));
      const response = await this.#ask(device, { id: requestId(id, order), kind, body: order.body }, order);
      if (response.ok) await this.#settle(task, () => complete(this.#services, task, device, response, order.copy?.is));
      else if (response.again && mayTryAgain(task)) await this.#putBack(task, response.error ?? 'busy');
      else await this.#fail(task, device, response.error ?? 'refused');
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      if (this.#closed) return await this.#handBack(task);
      if (mayTryAgain(task) || (!this.#reach.isReachable(device) && !atOnce.includes(kind))) await this.#putBack(task, error.message);
      else await this.#fail(task, device, error.message);
    }
  }

  /** Asks a device; one that holds another copy than was thought is told the whole of it. */
  async #ask(device: StoredDevice, request: DeviceRequest, { copy }: Order): Promise<DeviceResponse> {
    const response = await this.#reach.ask(device, request);
    if (response.ok || response.error !== otherVersion || !copy || 'whole' in request.body) return response;
    return this.#reach.ask(device, { ...request, body: copy.whole });
  }

  /** There is no way to the device: it cannot be asked for anything, and need not be told that it is spoken to from now on. */
  #withoutWay(task: StoredTask, device: StoredDevice): Promise<void> {
    if (task.kind === 'set_protocol') return complete(this.#services, task, device, { id: task.id, ok: true });
    return this.#fail(task, device, 'device_protocol_none');
  }

  #fail(task: StoredTask, device: StoredDevice, reason: string): Promise<void> {
    return this.#settle(task, () => fail(this.#services, task, device, reason));
  }

  /** While the server ends, whichever has the device next tells it what is out. What somebody waited for here, nobody waits for there. */
  async #handBack(task: StoredTask): Promise<void> {
    if (!atOnce.includes(task.kind)) await this.#background.run(() => handBack(this.#services, task));
  }

  #putBack(task: StoredTask, reason: string): Promise<void> {
    return this.#settle(task, () => putBack(this.#services, task, reason, pauses[task.attempts - 1] ?? pauses.at(-1) ?? 0));
  }
}

/**
 * A device does what carries one id once. What it is to decide by may have changed since it was told and its answer was lost: then it is another request.
 */
const requestId = (task: string, { copy }: Order): string => (copy ? `${task}.${copy.is.version}` : task);

const mayTryAgain = ({ kind, attempts: tried }: StoredTask): boolean => tried < attempts && !atOnce.includes(kind);
