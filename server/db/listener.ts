import pg from 'pg';
import type { Listen } from './database.ts';

const again = 1_000;
const checkEvery = 15_000;

interface Subscriber {
  heard: Parameters<Listen>[1];
  gap: Parameters<Listen>[2];
  complain: (error: Error) => void;
}

/** One channel listened to, on whatever connection works at the moment. */
class Listening {
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  readonly #url: string;
  readonly #channel: string;
  readonly #subscriber: Subscriber;

  constructor(url: string, channel: string, subscriber: Subscriber) {
    this.#url = url;
    this.#channel = channel;
    this.#subscriber = subscriber;
  }

  async connect(then: () => void): Promise<void> {
    try {
      await this.#open();
      then();
    } catch (error) {
      if (this.#client) this.#lose(this.#client, error as Error);
    }
  }
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#client?.end();
  }

  async #open(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
      application_name: 'doorward-listener',
    });
    this.#client = fresh;
    fresh.on('error', (error) => this.#lose(fresh, error));
    fresh.on('end', () => this.#lose(fresh, new Error('the listening connection was closed')));
    fresh.on('notification', ({ payload }) => this.#subscriber.heard(payload ?? ''));
    await fresh.connect();
    await fresh.query(`listen ${pg.escapeIdentifier(this.#channel)}`);
    if (this.#stopped) await fresh.end();
    else this.#check(fresh);
  }
  #check(watched: pg.Client): void {
    this.#timer = setTimeout(() => {
      const late = setTimeout(() => this.#lose(watched, new Error('the listening connection does not answer')), checkEvery / 3);
      watched
        .query('select 1')
        .then(() => this.#client === watched && this.#check(watched))
        .catch((error: Error) => this.#lose(watched, error))
        .finally(() => clearTimeout(late));
    }, checkEvery);
  }
  #lose(lost: pg.Client, error: Error): void {
    if (this.#client !== lost) return;
    this.#client = null;
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#subscriber.complain(error);
    void lost.end().catch(() => undefined);
    this.#timer = setTimeout(() => void this.connect(this.#subscriber.gap), again);
  }
}

/**
 * Listens to PostgreSQL on a connection of its own. A connection that is lost, or no longer answers, is replaced until
 * it works; then `gap` tells that announcements may have been missed.
 */
export const listenOn =
  (url: string, complain: (error: Error) => void): Listen =>
  async (channel, heard, gap) => {
    const listening = new Listening(url, channel, { heard, gap, complain });
    await listening.connect(() => undefined);
    return () => listening.stop();
  };
