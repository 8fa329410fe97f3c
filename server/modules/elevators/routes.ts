import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import type { Elevator } from '#models/elevators.ts';
import { scopeOf } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { readRow } from '#server/crud/rows.ts';
import { HttpError } from '#server/http-error.ts';
import { serve } from '#server/serve.ts';
import { elevatorsRepository } from './repository.ts';
import { callElevator } from './call.ts';

/** An elevator as somebody sees it. @throws HttpError `not_found` */
async function seenElevator({ db }: Services, principal: Principal, id: string): Promise<Elevator> {
  const row = await readRow(db, elevatorsRepository, scopeOf(principal), id);
  if (!row) throw new HttpError('not_found');
  return row as unknown as Elevator;
}

/** What is done with elevators besides keeping them. */
export function serveElevators(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.elevatorFloors, async ({ principal, params: { id }, query: { mode } }) => {
    const { floors, controllers } = await seenElevator(services, principal, id);
    return mode === undefined || controllers.some((controller) => controller.mode === mode) ? floors : [];
  });
  serve(app, services, calls.callElevator, async ({ principal, params: { id }, body }) =>
    callElevator(services, principal, await seenElevator(services, principal, id), body),
  );
}
