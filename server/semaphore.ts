/**
 * Work that can wait its turn, so many pieces at a time, in the order in which they came. The embedded database does one thing after the
 * other as it was asked: what a crowd of calls has to write must not stand there in one block before what somebody at a console asks for.
 */
export class Semaphore {
  readonly #width: number;
  readonly #waiting: (() => void)[] = [];
  readonly #urgent: (() => void)[] = [];
  #running = 0;

  constructor(width: number) {
    this.#width = width;
  }

  /** `isUrgent`: before all that wait, in order with what is urgent too. @returns what the work answers, once it had its turn */
  async run<T>(work: () => Promise<T>, isUrgent = false): Promise<T> {
    if (this.#running < this.#width) this.#running += 1;
    else await new Promise<void>((go) => (isUrgent ? this.#urgent : this.#waiting).push(go));
    try {
      return await work();
    } finally {
      // The turn is handed on; nobody can come in between. The embedded database works in this thread: others are heard first.
      const next = this.#urgent.shift() ?? this.#waiting.shift();
      if (next) setImmediate(next);
      else this.#running -= 1;
    }
  }
}
