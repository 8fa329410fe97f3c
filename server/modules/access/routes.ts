import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { explainAccess } from '#server/access/explain.ts';
import type { Services } from '#server/context.ts';
import { serve } from '#server/serve.ts';

/** Questions about who opens what. */
export function serveAccess(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.explainAccess, async ({ principal, body: { device, at, lock, floor, ...about } }) => {
    const moment = at === undefined ? services.now() : new Date(at);
    const found = await explainAccess(services, principal, about, { device, at: moment.getTime(), lock, floor });
    return { ...found, at: moment.toISOString() };
  });
}
