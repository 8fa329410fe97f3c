import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import type { Services } from '#server/context.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { serve } from '#server/serve.ts';
import { activateNumber } from './activation.ts';
import { readCallInfo, readContacts } from './contacts.ts';
import { generateNumbers, previewRange } from './generate.ts';

/** What people do with virtual numbers besides the plain calls, and whom they may call. */
export function serveSipNumbers(app: FastifyInstance, services: Services, jobs: Jobs): void {
  serve(app, services, calls.previewNumbers, ({ principal, body }) => previewRange(services, principal, body));
  serve(app, services, calls.generateNumbers, ({ principal, body }) =>
    jobs.start(principal, 'generate_numbers', generateNumbers(services, principal, body)),
  );
  serve(app, services, calls.activateNumber, ({ principal, params, body }) => activateNumber(services, principal, params.id, body.is_active));
  serve(app, services, calls.contacts, ({ principal }) => readContacts(services, principal));
  serve(app, services, calls.callInfo, ({ principal, params }) => readCallInfo(services, principal, params.number));
}
