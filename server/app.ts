import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { randomUUID } from 'node:crypto';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Services } from './context.ts';
import { Totals } from './crud/totals.ts';
import { serveFiles } from './files.ts';
import { answerError, answerErrors } from './http/errors.ts';
import { serveHealth } from './http/health.ts';
import { repeatAnswers } from './http/idempotency.ts';
import { limitBodies, limitRates, serverLimits } from './http/limits.ts';
import { logRequests } from './http/log.ts';
import { measure } from './http/metrics.ts';
import { publishApi } from './http/openapi.ts';
import { collectRoutes } from './http/routes.ts';
import { secure } from './http/security.ts';
import { serveConsole } from './http/static.ts';
import { registerAreas } from './modules/areas.ts';
import { serveProfile } from './modules/profile/routes.ts';
import { serveSession } from './modules/session/routes.ts';
import { serveRealtime } from './realtime/serve.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Set while the server finishes what it has begun and takes nothing new. */
    drain: { on: boolean };
  }
}

const encryption = ({ config: { tls } }: Services) => (tls ? { https: { cert: readFileSync(tls.cert), key: readFileSync(tls.key) } } : {});

const makeApp = (services: Services): FastifyInstance =>
  Fastify({
    ...serverLimits,
    ...encryption(services),
    loggerInstance: services.log,
    logController: new LogController({ disableRequestLogging: true }),
    return503OnClosing: false,
    genReqId: (_request: IncomingMessage) => randomUUID(),
    trustProxy: services.config.trustedProxies,
    forceCloseConnections: 'idle',
    frameworkErrors: answerError,
  }) as unknown as FastifyInstance;

/** Builds the whole HTTP side of the server without listening. A route without an access rule makes it fail. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const app = makeApp(services);
  const { methodsOf, served } = collectRoutes(app);
  app.decorateRequest('principal', null);
  app.decorateRequest('input', null);
  app.decorateRequest('uploads', null);
  answerErrors(app, methodsOf);
  logRequests(app);
  await secure(app, services);
  limitBodies(app);
  limitRates(app, services);
  await app.register(multipart);
  serveHealth(app, services);
  measure(app, services);
  repeatAnswers(app, services);
  serveSession(app, services);
  serveProfile(app, services);
  const totals = new Totals(services);
  registerAreas(app, services, totals);
  serveRealtime(app, services, totals);
  serveFiles(app, services);
  await serveConsole(app, services);
  publishApi(app, served);
  return app;
}
