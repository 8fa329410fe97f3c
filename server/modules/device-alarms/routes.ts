import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import type { Services } from '#server/context.ts';
import { serve } from '#server/serve.ts';
import { claimAlarm, processAlarm } from './desk.ts';

/** What the desk does with alarms besides reading them. */
export function serveAlarms(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.claimAlarm, ({ principal, params }) => claimAlarm(services, principal, params.alarm_id));
  serve(app, services, calls.processAlarm, ({ principal, params, body }) => processAlarm(services, principal, params.alarm_id, body.comment));
}
