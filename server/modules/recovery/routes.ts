import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { originOf } from '#server/access/principal.ts';
import type { Services } from '#server/context.ts';
import { serveToAnyone } from '#server/serve.ts';
import { requestRecovery } from './request.ts';
import { readReset, resetPassword } from './reset.ts';

/** A forgotten password: asking for a link, and choosing a new one by it. */
export function serveRecovery(app: FastifyInstance, services: Services): void {
  serveToAnyone(app, services, calls.recoverPassword, ({ body, request }) => requestRecovery(services, body.email, originOf(request)));
  serveToAnyone(app, services, calls.passwordResetInfo, ({ body }) => readReset(services, body.code));
  serveToAnyone(app, services, calls.resetPassword, ({ body, request }) => resetPassword(services, body.code, body.password, originOf(request)));
}
