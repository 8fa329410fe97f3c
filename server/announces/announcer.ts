import { and, eq, inArray, isNotNull, lte } from 'drizzle-orm';
import { principalOf } from '../access/principal.ts';
import type { Services } from '../context.ts';
import { transact } from '../crud/write.ts';
import { announceMessages, announces } from '../db/schema/index.ts';
import { HttpError } from '../http-error.ts';
import { deliverAnnounces, giveWay } from './deliver.ts';
import { expireAnnounce, heldAnnounce, startAnnounce } from './life.ts';
import { clearScreens } from './screens.ts';
import type { Timer } from '../timers.ts';

const every = 5_000;
const origin = { ip: '', userAgent: null };

/** Starts what is due, by the rights of whoever planned it; without them, and where it would reach nobody, it is new again. */
async function startDue(services: Services): Promise<void> {
  const { db, now, log } = services;
  const due = await db
    .select({ id: announces.id })
    .from(announces)
    .where(and(eq(announces.status, 'planned'), lte(announces.executeAt, now())));
  for (const { id } of due)
    await transact(services, async (tx) => {
      const announce = await heldAnnounce(tx, id);
      if (announce.status !== 'planned') return;
      const sender = announce.senderId ? await principalOf({ db: tx }, announce.senderId, origin) : null;
      if (!sender?.permissions.includes('can_send_announces')) throw new HttpError('forbidden');
      await startAnnounce(tx, sender, announce, now());
    }).catch(async (error: unknown) => {
      log.warn({ err: error, announce: id }, 'a planned announcement could not be sent');
      if (!(error instanceof HttpError)) return;
      await db
        .update(announces)
        .set({ status: 'new' })
        .where(and(eq(announces.id, id), eq(announces.status, 'planned')));
    });
}

async function endDue(services: Services): Promise<void> {
  const over = await services.db
    .select({ id: announces.id })
    .from(announces)
    .where(and(eq(announces.status, 'started'), lte(announces.endsAt, services.now())));
  for (const { id } of over) await transact(services, async (tx) => expireAnnounce(tx, await heldAnnounce(tx, id), services.now()));
}

/** Takes what was withdrawn or is over from the screens that still show it, some at a time. */
async function clearLeft(services: Services, signal?: AbortSignal): Promise<void> {
  const left = await services.db
    .selectDistinct({ id: announces.id })
    .from(announces)
    .innerJoin(announceMessages, eq(announceMessages.announceId, announces.id))
    .where(and(inArray(announces.status, ['stopped', 'expired']), isNotNull(announceMessages.deviceId), isNotNull(announceMessages.taskId)));
  for (const { id } of left)
    for (let goesOn = true; goesOn && !signal?.aborted;) {
      const began = performance.now();
      goesOn = await transact(services, async (tx) => {
        const announce = await heldAnnounce(tx, id);
        return announce.status !== 'started' && clearScreens(tx, announce, null, services.now());
      });
      await giveWay(services, performance.now() - began);
    }
}

/** Starts, ends and delivers what is due now. */
export async function runAnnounces(services: Services, signal?: AbortSignal): Promise<void> {
  await endDue(services);
  await clearLeft(services, signal);
  await startDue(services);
  await deliverAnnounces(services, signal);
}

/** Looks after announcements while the server lives; what it was at when it ended, the next one goes on with. */
export class Announcer {
  readonly #services: Services;
  readonly #ended = new AbortController();
  readonly #timer: Timer;
  #running: Promise<void> | null = null;
  #again = false;

  constructor(services: Services, interval = every) {
    this.#services = services;
    this.#timer = services.timers.every(interval, () => this.wake());
  }

  /** There may be something to do. */
  wake(): void {
    if (this.#ended.signal.aborted) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#again = false;
    this.#running = runAnnounces(this.#services, this.#ended.signal)
      .catch((error: unknown) => this.#services.log.error({ err: error }, 'announcements could not be delivered, it is tried again'))
      .finally(() => {
        this.#running = null;
        if (this.#again) this.wake();
      });
  }

  async close(): Promise<void> {
    this.#timer.cancel();
    this.#ended.abort();
    await this.#running;
  }
}
