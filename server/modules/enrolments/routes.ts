import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import type { Services } from '#server/context.ts';
import { serve } from '#server/serve.ts';
import { unknownCard } from './card.ts';
import { beginEnrolment, cancelEnrolment, readEnrolment } from './enrolments.ts';
import { cardReaders } from './readers.ts';

/** Enrolling cards: at a reader, and from the log of those who were refused. */
export function serveEnrolments(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.cardReaders, ({ principal }) => cardReaders(services, principal));
  serve(app, services, calls.beginEnrolment, ({ principal, body }) => beginEnrolment(services, principal, body.device));
  serve(app, services, calls.enrolment, ({ principal, params, request }) =>
    readEnrolment(services, principal, params.id, () => request.raw.destroyed),
  );
  serve(app, services, calls.cancelEnrolment, ({ principal, params }) => cancelEnrolment(services, principal, params.id));
  serve(app, services, calls.unknownCard, ({ principal, params }) => unknownCard(services, principal, params.id));
}
