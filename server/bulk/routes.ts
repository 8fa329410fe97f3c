import type { FastifyInstance } from 'fastify';
import { eq } from 'drizzle-orm';
import { calls } from '#models/api.ts';
import { type BulkAction, isUndoable } from '#models/bulk.ts';
import type { Job } from '#models/job.ts';
import type { AreaName } from '#models/areas.ts';
import { type Filters, readQuery } from '#models/query.ts';
import { sightOf } from '../access/scope.ts';
import type { Principal, Services } from '../context.ts';
import { type Binding, isWritable, type WritableBinding } from '../crud/binding.ts';
import { namesOf } from '../crud/bulk.ts';
import { areaCalls } from '../crud/calls.ts';
import type { Engine } from '../crud/routes.ts';
import { matchingIds } from '../crud/rows.ts';
import { auditingRefusals } from '../crud/trail.ts';
import { jobs as table } from '../db/schema/index.ts';
import { HttpError } from '../http-error.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { ownJob } from '../jobs/store.ts';
import { serve } from '../serve.ts';
import { demandAction, findingsOf } from './check.ts';
import { bulkWork, fixChanged, fixRows } from './work.ts';

type Asked = { action: BulkAction; value: readonly string[] } & ({ items: readonly string[] } | { filters: Filters });

/** Which rows are meant, in the order in which they are dealt with: those named, or all that match and may be seen. */
async function idsOf({ db }: Services, binding: Binding, principal: Principal, asked: Asked): Promise<string[]> {
  if ('items' in asked) return [...new Set(asked.items)];
  const { filters } = readQuery({ filters: JSON.stringify(asked.filters) }, binding.model);
  return matchingIds(db, binding, sightOf(principal), filters, asked.action === 'delete' ? binding.deleteOrder : undefined);
}

const verbOf = (action: BulkAction) => (action === 'delete' ? 'delete' : 'edit');

/** Bulk work on the rows of one area. */
export function serveBulk(
  app: FastifyInstance,
  { services, jobs, bindings }: Pick<Engine, 'services' | 'jobs' | 'bindings'>,
  binding: WritableBinding,
): void {
  const { checkBulk, startBulk } = areaCalls(binding.model);
  const demanding = <T>(principal: Principal, asked: Asked, work: () => Promise<T>): Promise<T> =>
    auditingRefusals(services, principal, { area: binding.area, verb: verbOf(asked.action) }, async () => {
      demandAction(principal, binding, asked.action);
      return work();
    });
  serve(app, services, checkBulk, ({ principal, body }) =>
    demanding(principal, body, async () =>
      findingsOf(services, bindings, binding, principal, { action: body.action, ids: await idsOf(services, binding, principal, body) }),
    ),
  );
  serve(app, services, startBulk, ({ principal, body }) =>
    demanding(principal, body, async () => {
      const ids = await idsOf(services, binding, principal, body);
      if (ids.length !== body.total) throw new HttpError('total_changed', { total: ids.length });
      const named = await namesOf(services, binding, principal, ids);
      const bulk = { action: body.action, value: body.value, origin: { ip: principal.ip, userAgent: principal.userAgent } };
      return jobs.startLasting(principal, 'bulk', { area: binding.area, bulk, total: ids.length }, (tx, row) => fixRows(tx, row.id, ids, named));
    }),
  );
}

/** Takes a bulk job back once. @throws HttpError `prohibited` where it cannot be, or was already */
async function undo(services: Services, jobs: Jobs, principal: Principal, id: string): Promise<Job> {
  const { bulk, area, state, undoneBy } = await ownJob(services, principal, id);
  if (!bulk || !isUndoable(bulk.action) || state !== 'completed' || undoneBy !== null) throw new HttpError('prohibited');
  const request = { ...bulk, undoes: id, origin: { ip: principal.ip, userAgent: principal.userAgent } };
  return jobs.startLasting(principal, 'bulk_undo', { area, bulk: request }, async (tx, row) => {
    const [before] = await tx.select({ undoneBy: table.undoneBy }).from(table).where(eq(table.id, id)).for('update');
    if (!before || before.undoneBy !== null) throw new HttpError('prohibited');
    const total = await fixChanged(tx, row.id, id);
    await tx.update(table).set({ undoneBy: row.id }).where(eq(table.id, id));
    await tx.update(table).set({ total }).where(eq(table.id, row.id));
  });
}

/** Bulk work of all areas: how it goes on after its process, and taking it back. */
export function serveBulkJobs(app: FastifyInstance, services: Services, jobs: Jobs, bindings: Readonly<Record<AreaName, Binding>>): void {
  jobs.lasts('bulk', (row) => bulkWork(services, bindings, row));
  jobs.lasts('bulk_undo', (row) => bulkWork(services, bindings, row));
  serve(app, services, calls.undoJob, ({ principal, params }) => undo(services, jobs, principal, params.id));
  for (const binding of Object.values(bindings)) if (isWritable(binding)) serveBulk(app, { services, jobs, bindings }, binding);
}
