import { Lane } from './lane.ts';

/** A lane for each key while it has work: so many pieces of one key at a time, and so many that wait. */
export class Lanes {
  readonly #width: number;
  readonly #most: number;
  readonly #lanes = new Map<string, { lane: Lane; inside: number }>();

  constructor(width: number, most: number) {
    this.#width = width;
    this.#most = most;
  }

  /** Whether no more may wait for this key. */
  isFull(key: string): boolean {
    return (this.#lanes.get(key)?.inside ?? 0) >= this.#width + this.#most;
  }

  /** @returns what the work answers, once it had its turn */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const found = this.#lanes.get(key) ?? { lane: new Lane(this.#width), inside: 0 };
    this.#lanes.set(key, found);
    found.inside += 1;
    try {
      return await found.lane.run(work);
    } finally {
      found.inside -= 1;
      if (found.inside === 0) this.#lanes.delete(key);
    }
  }
}
