import { Semaphore } from './semaphore.ts';

/** A semaphore for each key while it has work: so many pieces of one key at a time, and so many that wait. */
export class KeyedSemaphore {
  readonly #width: number;
  readonly #most: number;
  readonly #semaphores = new Map<string, { semaphore: Semaphore; inside: number }>();

  constructor(width: number, most: number) {
    this.#width = width;
    this.#most = most;
  }

  /** Whether no more may wait for this key. */
  isFull(key: string): boolean {
    return (this.#semaphores.get(key)?.inside ?? 0) >= this.#width + this.#most;
  }

  /** @returns what the work answers, once it had its turn */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const found = this.#semaphores.get(key) ?? { semaphore: new Semaphore(this.#width), inside: 0 };
    this.#semaphores.set(key, found);
    found.inside += 1;
    try {
      return await found.semaphore.run(work);
    } finally {
      found.inside -= 1;
      if (found.inside === 0) this.#semaphores.delete(key);
    }
  }
}
