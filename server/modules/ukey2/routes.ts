import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { apiKeyHeader } from '#models/mobile.ts';
import { originOf } from '#server/access/principal.ts';
import type { Services } from '#server/context.ts';
import { serve, serveToAnyone } from '#server/serve.ts';
import { moveIdentifier } from '../identifiers/life.ts';
import { activate, newCode } from './activation.ts';
import { ukey2Repository } from './repository.ts';

/** What people and phones do with mobile keys besides the plain calls. Whoever may revoke does so with every key in sight. */
export function serveUkey2(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.ukey2Code, ({ principal, params, reply }) => {
    void reply.header('cache-control', 'no-store');
    return newCode(services, principal, params.id);
  });
  serve(app, services, calls.revokeUkey2, ({ principal, params }) =>
    moveIdentifier(services, principal, params.id, 'revoke', { repository: ukey2Repository, verb: 'view' }),
  );
  serveToAnyone(app, services, calls.activateUkey2, ({ body, request, reply }) => {
    void reply.header('cache-control', 'no-store');
    return activate(services, { ...body, apiKey: request.headers[apiKeyHeader] }, originOf(request));
  });
}
