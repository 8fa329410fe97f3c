import { randomUUID } from 'node:crypto';
import type { Timers } from '#server/timers.ts';
import type { DeviceRequest, DeviceResponse, DeviceStatus } from '../protocol.ts';

/** How long somebody stands before the door until the device decides alone, ms. */
export const longestWait = 10_000;

/** What the server said to a pass: whether it was taken, and the number of the question. */
export interface PassAnswer {
  id: string;
  granted: boolean;
}

/** Asks the server for passes, so that two doors do not open by the same one. */
export class PassDesk {
  readonly #say: (said: Extract<DeviceStatus, { type: 'pass' }>) => void;
  readonly #canAsk: () => boolean;
  readonly #timers: Timers;
  readonly #asked = new Map<string, (granted: boolean) => void>();

  constructor({ say, canAsk, timers }: { say: (said: Extract<DeviceStatus, { type: 'pass' }>) => void; canAsk: () => boolean; timers: Timers }) {
    this.#say = say;
    this.#timers = timers;
    this.#canAsk = canAsk;
  }

  /** Asks for a pass of an identifier; null where nobody answers. */
  async ask(identifier: string): Promise<PassAnswer | null> {
    if (!this.#canAsk()) return null;
    const id = randomUUID();
    const answer = await new Promise<boolean | null>((done) => {
      const timer = this.#timers.after(longestWait, () => done(null));
      this.#asked.set(id, (granted) => {
        timer.cancel();
        done(granted);
      });
      this.#say({ type: 'pass', ask: id, identifier });
    });
    this.#asked.delete(id);
    return answer === null ? null : { id, granted: answer };
  }

  /** The server has answered. */
  answered({ id, body }: DeviceRequest): DeviceResponse {
    this.#asked.get(id)?.(body['granted'] === true);
    return { id, ok: true };
  }
}
