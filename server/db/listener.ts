import pg from 'pg';
import type { Listen } from './open.ts';

const again = 1_000;
const checkEvery = 15_000;

/**
 * Listens to PostgreSQL on a connection of its own. A connection that is lost, or no longer answers, is replaced until
 * it works; then `gap` tells that announcements may have been missed.
 */
export const listenOn =
  (url: string, complain: (error: Error) => void): Listen =>
  async (channel, heard, gap) => {
    let client: pg.Client | null = null;
    let timer: NodeJS.Timeout | undefined;
    let stopped = false;

    const lose = (lost: pg.Client, error: Error): void => {
      if (client !== lost) return;
      client = null;
      clearTimeout(timer);
      if (stopped) return;
      complain(error);
      void lost.end().catch(() => undefined);
      timer = setTimeout(() => void connect(gap), again);
    };
    const check = (watched: pg.Client): void => {
      timer = setTimeout(() => {
        const late = setTimeout(() => lose(watched, new Error('the listening connection does not answer')), checkEvery / 3);
        watched
          .query('select 1')
          .then(() => client === watched && check(watched))
          .catch((error: Error) => lose(watched, error))
          .finally(() => clearTimeout(late));
      }, checkEvery);
    };
    const open = async (): Promise<void> => {
      const fresh = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000, keepAlive: true, application_name: 'doorward-listener' });
      client = fresh;
      fresh.on('error', (error) => lose(fresh, error));
      fresh.on('end', () => lose(fresh, new Error('the listening connection was closed')));
      fresh.on('notification', ({ payload }) => heard(payload ?? ''));
      await fresh.connect();
      await fresh.query(`listen ${pg.escapeIdentifier(channel)}`);
      if (stopped) await fresh.end();
      else check(fresh);
    };
    const connect = async (then: () => void): Promise<void> => {
      try {
        await open();
        then();
      } catch (error) {
        if (client) lose(client, error as Error);
      }
    };

    await connect(() => undefined);
    return async () => {
      stopped = true;
      clearTimeout(timer);
      await client?.end();
    };
  };
