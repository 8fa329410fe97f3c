import type { FastifyInstance } from 'fastify';
import { eq } from 'drizzle-orm';
import { calls } from '#models/api.ts';
import { type BulkAction, isUndoable } from '#models/bulk.ts';
import type { Job } from '#models/job.ts';
import type { AreaName } from '#models/areas.ts';
import { type Filters, readQuery } from '#models/query.ts';
import { scopeOf } from '../access/scope.ts';
import type { Principal, Services } from '../context.ts';
import { type AreaRepository, isWritable, type WritableRepository } from '../crud/repository.ts';
import { namesOf } from '../crud/bulk.ts';
import { areaCalls } from '../crud/calls.ts';
import type { Engine } from '../crud/routes.ts';
import { matchingIds } from '../crud/rows.ts';
import { auditRefused } from '../crud/trail.ts';
import { jobs as table } from '../db/schema/index.ts';
import { HttpError } from '../http-error.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { ownJob } from '../jobs/store.ts';
import { serve } from '../serve.ts';
import { requireAction, findingsOf } from './check.ts';
import { bulkWork, fixChanged, fixRows } from './work.ts';

type Asked = { action: BulkAction; value: readonly string[] } & ({ items: readonly string[] } | { filters: Filters });

/** Which rows are meant, in the order in which they are dealt with: those named, or all that match and may be seen. */
async function idsOf({ db }: Services, repository: AreaRepository, principal: Principal, asked: Asked): Promise<string[]> {
  if ('items' in asked) return [...new Set(asked.items)];
  const { filters } = readQuery({ filters: JSON.stringify(asked.filters) }, repository.model);
  return matchingIds(db, repository, scopeOf(principal), filters, asked.action === 'delete' ? repository.deleteOrder : undefined);
}

const verbOf = (action: BulkAction) => (action === 'delete' ? 'delete' : 'edit');

/** Bulk work on the rows of one area. */
export function serveBulk(
  app: FastifyInstance,
  { services, jobs, repositories }: Pick<Engine, 'services' | 'jobs' | 'repositories'>,
  repository: WritableRepository,
): void {
  const { checkBulk, startBulk } = areaCalls(repository.model);
  const requiring = <T>(principal: Principal, asked: Asked, work: () => Promise<T>): Promise<T> =>
    auditRefused(services, principal, { area: repository.area, verb: verbOf(asked.action) }, async () => {
      requireAction(principal, repository, asked.action);
      return work();
    });
  serve(app, services, checkBulk, ({ principal, body }) =>
    requiring(principal, body, async () =>
      findingsOf(services, repositories, repository, principal, { action: body.action, ids: await idsOf(services, repository, principal, body) }),
    ),
  );
  serve(app, services, startBulk, ({ principal, body }) =>
    requiring(principal, body, async () => {
      const ids = await idsOf(services, repository, principal, body);
      if (ids.length !== body.total) throw new HttpError('total_changed', { total: ids.length });
      const named = await namesOf(services, repository, principal, ids);
      const bulk = { action: body.action, value: body.value, origin: { ip: principal.ip, userAgent: principal.userAgent } };
      return jobs.startLasting(principal, 'bulk', { area: repository.area, bulk, total: ids.length }, (tx, row) => fixRows(tx, row.id, ids, named));
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
export function serveBulkJobs(app: FastifyInstance, services: Services, jobs: Jobs, repositories: Readonly<Record<AreaName, AreaRepository>>): void {
  jobs.lasts('bulk', (row) => bulkWork(services, repositories, row));
  jobs.lasts('bulk_undo', (row) => bulkWork(services, repositories, row));
  serve(app, services, calls.undoJob, ({ principal, params }) => undo(services, jobs, principal, params.id));
  for (const repository of Object.values(repositories)) if (isWritable(repository)) serveBulk(app, { services, jobs, repositories }, repository);
}
