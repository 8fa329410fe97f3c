import { type Actor, createActor, fromPromise } from 'xstate';
import type { Services } from '../context.ts';
import { atOnceMark, webhookChannel } from './queue.ts';
import { busyWebhooks, deliver, findNext, freeTaken, type Pace, usualPace } from './webhook-messages.ts';
import { webhookMachine } from './webhook.machine.ts';
import { clockOf, type Timer } from '../timers.ts';

/** What was missed by a listener that lost its connection is found after so long. */
const sweepEvery = 60_000;

/** Sends what webhooks are to be told: those of one in their order, those of different ones side by side. All that waits lives in the database. */
export class Webhooks {
  readonly #services: Services;
  readonly #pace: Pace;
  readonly #actors = new Map<string, Actor<typeof webhookMachine>>();
  readonly #work = new Set<Promise<unknown>>();
  #unlisten: () => Promise<void> = () => Promise.resolve();
  #sweep: Timer | undefined;
  #closed = false;

  constructor(services: Services, pace: Pace = usualPace) {
    this.#services = services;
    this.#pace = pace;
  }

  async open(): Promise<void> {
    await freeTaken(this.#services);
    const all = (): void => void this.#wakeAll().catch(this.#complain);
    this.#unlisten = await this.#services.listen(webhookChannel, (word) => this.#wake(word), all);
    await this.#wakeAll();
    this.#sweep = this.#services.timers.every(sweepEvery, all);
  }

  /** What is under way ends without an outcome and is sent again after the next start: receivers know a repeat by its id. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#sweep?.cancel();
    await this.#unlisten();
    for (const actor of this.#actors.values()) actor.stop();
    await Promise.allSettled(this.#work);
  }

  readonly #complain = (error: unknown): void => this.#services.log.warn({ err: error }, 'webhooks could not be looked after');

  async #wakeAll(): Promise<void> {
    for (const id of await busyWebhooks(this.#services)) this.#wake(id);
  }

  #wake(word: string): void {
    if (this.#closed) return;
    const isAtOnce = word.startsWith(atOnceMark);
    const id = isAtOnce ? word.slice(atOnceMark.length) : word;
    const actor = this.#actors.get(id);
    if (actor) actor.send({ type: isAtOnce ? 'hook.retry' : 'queue.grew' });
    else this.#begin(id);
  }

  #begin(id: string): void {
    const track = <T>(work: Promise<T>): Promise<T> => {
      this.#work.add(work);
      const forget = (): void => void this.#work.delete(work);
      work.then(forget, forget);
      return work;
    };
    const logic = webhookMachine.provide({
      actors: {
        findNext: fromPromise(() => track(findNext(this.#services, id))),
        deliver: fromPromise(({ input, signal }) => track(deliver(this.#services, input.delivery, this.#pace, signal))),
      },
    });
    const actor = createActor(logic, { id: `webhook:${id}`, clock: clockOf(this.#services.timers) as never });
    this.#actors.set(id, actor);
    actor.subscribe({ complete: () => this.#actors.delete(id), error: this.#complain });
    actor.start();
  }
}
