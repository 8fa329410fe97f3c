import type { FastifyInstance } from 'fastify';
import type { Services } from './context.ts';

/** Requests get this long to end; then their connections are cut, which leaves time for calls, devices and the database. */
const drainFor = 6_000;
/** A stop that takes so long is worth knowing the reason of. */
const longStop = 5_000;
const endAfter = 10_000;
/** npm passes a Ctrl-C on that the terminal has already sent: two so close are one. */
const sameSignal = 700;

/** Ends the server on SIGINT or SIGTERM: takes nothing new, finishes what runs, closes the database. A second signal ends it at once. */
export function endOnSignals(app: FastifyInstance, { log }: Services, closeDatabase: () => Promise<void>): void {
  let since: number | null = null;
  const end = async () => {
    app.drain.on = true;
    setTimeout(() => {
      app.server.getConnections((_, connections) => log.warn({ connections }, 'connections that do not end are cut'));
      app.server.closeAllConnections();
    }, drainFor).unref();
    setTimeout(() => process.exit(1), endAfter).unref();
    const begun = performance.now();
    await app.close();
    const closed = performance.now();
    await closeDatabase();
    const took = { app: Math.round(closed - begun), database: Math.round(performance.now() - closed) };
    log[took.app + took.database > longStop ? 'warn' : 'info'](took, 'stopped');
    process.exit(0);
  };
  const heard = (signal: string) => {
    if (since !== null) {
      if (performance.now() - since > sameSignal) process.exit(1);
      return;
    }
    since = performance.now();
    log.info({ signal }, 'stopping');
    end().catch((error: unknown) => {
      log.fatal({ err: error }, 'the server did not end in order');
      process.exit(1);
    });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => heard(signal));
}
