import type { Timers } from '#server/timers.ts';

/** How long it stands open, in ms, for whom it was opened. */
const openTime = 3_000;

type Tell = (event: 'door_opened' | 'door_closed' | 'door_forced' | 'door_held') => void;

/** The door at a device: one that was opened closes by itself, one that was forced or is held stays open. */
export class Door {
  readonly #tell: Tell;
  readonly #timers: Timers;
  #isOpen = false;

  constructor(tell: Tell, timers: Timers) {
    this.#tell = tell;
    this.#timers = timers;
  }
  get isOpen(): boolean {
    return this.#isOpen;
  }
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#tell('door_opened');
    this.#timers.after(openTime, () => this.close());
  }
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#tell('door_closed');
  }
  force(): void {
    this.#isOpen = true;
    this.#tell('door_forced');
  }
  hold(): void {
    this.#isOpen = true;
    this.#tell('door_held');
  }
}
