/** A page that was asked for is there, or will never be, after so many ms. */
const loading = 6_000;
/** Addresses remembered at most; the oldest goes first. */
const most = 10_000;

/** From which addresses a page of the console was asked for lately. */
export class PageLoads {
  readonly #at = new Map<string, number>();

  note(address: string): void {
    this.#at.delete(address);
    this.#at.set(address, performance.now());
    const [oldest] = this.#at.keys();
    if (this.#at.size > most && oldest !== undefined) this.#at.delete(oldest);
  }

  /** Whether a page may be loading at this address now. */
  isLoading(address: string): boolean {
    const at = this.#at.get(address);
    return at !== undefined && performance.now() - at < loading;
  }
}
