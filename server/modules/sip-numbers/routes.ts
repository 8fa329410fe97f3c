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
  serve(app, services, calls.previewNumbers, ({ asker, body }) => previewRange(services, asker, body));
  serve(app, services, calls.generateNumbers, ({ asker, body }) => jobs.start(asker, 'generate_numbers', generateNumbers(services, asker, body)));
  serve(app, services, calls.activateNumber, ({ asker, params, body }) => activateNumber(services, asker, params.id, body.is_active));
  serve(app, services, calls.contacts, ({ asker }) => readContacts(services, asker));
  serve(app, services, calls.callInfo, ({ asker, params }) => readCallInfo(services, asker, params.number));
}
