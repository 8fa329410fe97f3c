import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Services } from '../context.ts';
import { HttpError } from '../http-error.ts';

const isHere = (ip: string): boolean => ip === '127.0.0.1' || ip === '::1' || ip === '::ffff:127.0.0.1';

const same = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** This machine itself, unless a proxy on it speaks for somebody else; or whoever knows the token. */
function mayRead(request: FastifyRequest, { config }: Services): boolean {
  const { authorization = '', forwarded, 'x-forwarded-for': forwardedFor } = request.headers;
  if (config.metricsToken && same(authorization, `Bearer ${config.metricsToken}`)) return true;
  return isHere(request.ip) && forwarded === undefined && forwardedFor === undefined;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Where other parts of the server register what they count. */
    metrics: Registry;
  }
}

/** `/metrics` in Prometheus text: how long requests take by route and status, and how the process fares. */
export function measure(app: FastifyInstance, services: Services): void {
  const register = new Registry();
  app.decorate('metrics', register);
  let collecting = false;
  const durations = new Histogram({
    name: 'doorward_http_request_seconds',
    help: 'Duration of HTTP requests by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [register],
  });
  app.addHook('onResponse', async (request, reply) => {
    durations.observe({ method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode }, reply.elapsedTime / 1_000);
  });
  app.get('/metrics', { config: { access: 'anyone' } }, async (request, reply) => {
    if (!mayRead(request, services)) throw new HttpError('forbidden');
    if (!collecting) collectDefaultMetrics({ register });
    collecting = true;
    return reply.type(register.contentType).send(await register.metrics());
  });
}
