import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import type { Services } from '#server/context.ts';
import { serve } from '#server/serve.ts';
import { beginFactor, confirmFactor, readFactor, renewCodes, turnOff } from './own.ts';
import { resetFactor } from './reset.ts';

/** The second factor: one's own, and taking away that of somebody who has lost it. */
export function serveSecondFactor(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.secondFactor, ({ principal }) => readFactor(services, principal));
  serve(app, services, calls.beginSecondFactor, ({ principal, body }) => beginFactor(services, principal, body.password));
  serve(app, services, calls.confirmSecondFactor, ({ principal, body }) => confirmFactor(services, principal, body.code));
  serve(app, services, calls.renewRecoveryCodes, ({ principal, body }) => renewCodes(services, principal, body.password));
  serve(app, services, calls.removeSecondFactor, ({ principal, body }) => turnOff(services, principal, body.password));
  serve(app, services, calls.resetSecondFactor, ({ principal, params }) => resetFactor(services, principal, params.id));
}
