import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { HttpError } from '../http-error.ts';
import { failureBody } from './errors.ts';

async function databaseAnswers({ db }: Services): Promise<boolean> {
  const timer = new AbortController();
  const late = pause(2_000, false, { signal: timer.signal, ref: false }).catch(() => false);
  const answer = db.execute(sql`select 1`).then(
    () => true,
    () => false,
  );
  return Promise.race([answer, late]).finally(() => timer.abort());
}

/** `/healthz`: the process lives. `/readyz`: it may be sent requests; 503 while the database is away or the server is going. */
export function serveHealth(app: FastifyInstance, services: Services): void {
  app.decorate('drain', { on: false });
  app.addHook('onRequest', async ({ url }, reply) => {
    if (!app.drain.on || /^\/(?:healthz|readyz|metrics)/.test(url)) return;
    void reply.header('connection', 'close');
    throw new HttpError('unavailable', undefined, 5);
  });
  app.get('/healthz', { config: { access: 'anyone' } }, () => ({ data: 'ok' }));
  app.get('/readyz', { config: { access: 'anyone' } }, async (_request, reply) => {
    if (!app.drain.on && (await databaseAnswers(services))) return { data: 'ready' };
    return reply.code(503).header('retry-after', '2').send(failureBody('unavailable'));
  });
}
