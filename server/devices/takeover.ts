import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Services } from '../context.ts';

/** The channel on which server processes tell each other which devices have come to them. */
const takeoverChannel = 'doorward_device_sessions';

interface Arrival {
  serial: string;
  /** The process it came to. */
  by: string;
}

/**
 * A device has one session, wherever it is: the newest. The process that still holds an older one, whose end nobody has
 * noticed, lets go of it, or it would go on asking a device that does not hear it any more.
 */
export class Takeovers {
  readonly #services: Services;
  readonly #lost: (serial: string) => void;
  readonly #id = randomUUID();
  /** Arrivals of our own that were told and not heard yet: what others told before them is older. */
  readonly #pending = new Map<string, number>();
  #unlisten: () => Promise<void> = () => Promise.resolve();

  constructor(services: Services, lost: (serial: string) => void) {
    this.#services = services;
    this.#lost = lost;
  }

  async open(): Promise<void> {
    this.#unlisten = await this.#services.listen(
      takeoverChannel,
      (line) => this.#heard(JSON.parse(line) as Arrival),
      () => this.#pending.clear(),
    );
  }
  close(): Promise<void> {
    return this.#unlisten();
  }

  /** A device has begun a session here. */
  async came(serial: string): Promise<void> {
    this.#count(serial, 1);
    try {
      const line = JSON.stringify({ serial, by: this.#id } satisfies Arrival);
      await this.#services.db.execute(sql`select pg_notify(${takeoverChannel}, ${line})`);
    } catch (error) {
      this.#count(serial, -1);
      this.#services.log.warn({ err: error, serial }, 'others could not be told that a device has come');
    }
  }

  #heard({ serial, by }: Arrival): void {
    if (by === this.#id) this.#count(serial, -1);
    else if (!this.#pending.has(serial)) this.#lost(serial);
  }
  #count(serial: string, by: 1 | -1): void {
    const count = (this.#pending.get(serial) ?? 0) + by;
    if (count > 0) this.#pending.set(serial, count);
    else this.#pending.delete(serial);
  }
}
