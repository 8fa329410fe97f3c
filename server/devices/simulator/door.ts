import type { Timers } from '#server/timers.ts';

/** How long it stands open, in ms, for whom it was opened. */
const openTime = 3_000;

type Notify = (event: 'door_opened' | 'door_closed' | 'door_forced' | 'door_held') => void;

/** The door at a device: one that was opened closes by itself, one that was forced or is held stays open. */
export class Door {
  readonly #notify: Notify;
  readonly #timers: Timers;
  #isOpen = false;

  constructor(notify: Notify, timers: Timers) {
    this.#notify = notify;
    this.#timers = timers;
  }
  get isOpen(): boolean {
    return this.#isOpen;
  }
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#notify('door_opened');
    this.#timers.after(openTime, () => this.close());
  }
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#notify('door_closed');
  }
  force(): void {
    this.#isOpen = true;
    this.#notify('door_forced');
  }
  hold(): void {
    this.#isOpen = true;
    this.#notify('door_held');
  }
}
