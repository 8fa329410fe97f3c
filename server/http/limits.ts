import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Services } from '../context.ts';
import { Refusal } from '../refusal.ts';

/** Time-outs and sizes of the HTTP server. Fastify leaves the first off; a client that drips its request would stay for ever. */
export const serverLimits = {
  requestTimeout: 10_000,
  keepAliveTimeout: 65_000,
  bodyLimit: 1024 * 1024,
  http: { headersTimeout: 5_000, connectionsCheckingInterval: 2_000, maxHeaderSize: 16 * 1024 },
  routerOptions: { maxParamLength: 512 },
} as const;

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a request of somebody signed in; refuses the one that is too many. */
    limitUser: (request: FastifyRequest) => Promise<void>;
  }
}

/** Lets an address and a person make so many requests a minute, and says when to come again. */
export async function limitRates(app: FastifyInstance, { config }: Services): Promise<void> {
  await app.register(rateLimit, { global: false, cache: 20_000 });
  const byAddress = app.createRateLimit({ max: config.ratePerIp, timeWindow: '1 minute', keyGenerator: ({ ip }) => `ip:${ip}` });
  const byUser = app.createRateLimit({ max: config.ratePerUser, timeWindow: '1 minute', keyGenerator: ({ asker }) => `user:${asker?.id ?? ''}` });
  const demand = async (count: typeof byUser, request: FastifyRequest) => {
    const result = await count(request);
    if (!result.isAllowed && result.isExceeded) throw new Refusal('too_many_requests', undefined, result.ttlInSeconds);
  };
  app.decorate('limitUser', (request: FastifyRequest) => demand(byUser, request));
  app.addHook('onRequest', (request) => demand(byAddress, request));
}
