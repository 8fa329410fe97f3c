import type { ServiceStatus } from '#models/system-info.ts';
import { HttpError } from './http-error.ts';

interface Open {
  close: () => Promise<void>;
}

/** A part of the server that can be closed and opened again while the rest runs. */
export class Part<T extends Open> {
  readonly #open: (port: number | null) => Promise<T>;
  readonly #portOf: (open: T) => number | null;
  #current: T | null = null;
  #since: Date | null = null;
  /** Where it was found last. */
  #port: number | null = null;
  #restarting = false;
  #closed = false;

  /** `open` is told the port it had before, where there was one. */
  constructor(open: (port: number | null) => Promise<T>, portOf: (open: T) => number | null) {
    this.#open = open;
    this.#portOf = portOf;
  }

  get port(): number | null {
    return this.#current && this.#portOf(this.#current);
  }

  async open(before: number | null = null): Promise<void> {
    this.#current = await this.#open(before);
    this.#since = new Date();
  }

  /** @throws HttpError `unavailable` while it is being restarted already, or where it does not come back; another try may help */
  async restart(): Promise<void> {
    if (this.#restarting || this.#closed) throw new HttpError('unavailable');
    this.#restarting = true;
    try {
      const [before, port] = [this.#current, this.port ?? this.#port];
      this.#port = port;
      this.#current = null;
      await before?.close();
      await this.open(port);
    } catch {
      throw new HttpError('unavailable');
    } finally {
      this.#restarting = false;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#current?.close();
  }

  status(): Pick<ServiceStatus, 'state' | 'port' | 'since'> {
    const state = this.#restarting ? 'restarting' : this.#current ? 'running' : 'stopped';
    return { state, port: this.port, since: state === 'running' ? (this.#since?.toISOString() ?? null) : null };
  }
}
