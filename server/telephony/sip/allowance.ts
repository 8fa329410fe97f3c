/** How much a far side may send: so much at once, and so much every second after that. */
export class Allowance {
  readonly #burst: number;
  readonly #perSecond: number;
  #left: number;
  #filledAt = performance.now();

  constructor(burst: number, perSecond: number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#left = burst;
  }

  /** @returns false where it is used up */
  spend(cost = 1): boolean {
    const now = performance.now();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#filledAt) / 1_000) * this.#perSecond);
    this.#filledAt = now;
    if (this.#left < cost) return false;
    this.#left -= cost;
    return true;
  }
}
