import type { FastifyInstance } from 'fastify';
import type { AreaName } from '#models/areas.ts';
import { emptyQuery, type Filters, readQuery } from '#models/query.ts';
import { scopeOf } from '../access/scope.ts';
import type { Principal, Services } from '../context.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { HttpError } from '../http-error.ts';
import { Page, serve } from '../serve.ts';
import { type AreaRepository, isWritable, type WritableRepository } from './repository.ts';
import { deleteEach, deleteMatching } from './bulk.ts';
import { areaCalls } from './calls.ts';
import { exportRows } from './export.ts';
import { chosenColumns } from './export-columns.ts';
import { lastChangeOf } from './last-change.ts';
import { deleteRow, dependantsOf } from './remove.ts';
import { readPage, readRow } from './rows.ts';
import type { Totals } from './totals.ts';
import { createRow, expectedVersion, updateRow } from './write.ts';

/** What every area's routes are given. */
export interface Engine {
  services: Services;
  jobs: Jobs;
  totals: Totals;
  repositories: Readonly<Record<AreaName, AreaRepository>>;
}
type Fields = Record<string, unknown>;

/** One row that the principal may see. @throws HttpError `not_found` */
export async function seenRow({ db }: Services, repository: AreaRepository, principal: Principal, id: string) {
  const row = await readRow(db, repository, scopeOf(principal), id);
  if (!row) throw new HttpError('not_found');
  return row;
}

/** Filters and sort that came in a body, checked as those of an address are. */
const checkedQuery = ({ model }: AreaRepository, filters: Filters = emptyQuery.filters, sort: readonly string[] = []) =>
  readQuery({ filters: JSON.stringify(filters), sort: sort.join(',') }, model);

function serveReading(app: FastifyInstance, { services, jobs, totals, repositories }: Engine, repository: AreaRepository): void {
  const calls = areaCalls(repository.model);
  serve(app, services, calls.list, async ({ principal, query: asked }) => {
    const query = readQuery(asked, repository.model);
    const { rows, total } = await readPage(services.db, totals, repository, scopeOf(principal), query);
    return new Page(rows, { page: query.page, size: query.size, total });
  });
  serve(app, services, calls.item, ({ principal, params, query }) => {
    readQuery(query, repository.model);
    return seenRow(services, repository, principal, params.id);
  });
  serve(app, services, calls.exportRows, ({ principal, body }) => {
    const { filters, sort } = checkedQuery(repository, body.filters, body.sort);
    const columns = chosenColumns(repository.model, body.columns);
    const { export_format: format, readable = false } = body;
    return jobs.start(principal, 'export', exportRows(services, repository, principal, { format, filters, sort, columns, readable }));
  });
  serve(app, services, calls.lastChange, async ({ principal, params }) => {
    await seenRow(services, repository, principal, params.id);
    return lastChangeOf(services.db, repository, principal, params.id);
  });
  serve(app, services, calls.dependants, async ({ principal, params }) => {
    await seenRow(services, repository, principal, params.id);
    return dependantsOf(services.db, repositories, repository, principal, params.id);
  });
}

function serveWriting(app: FastifyInstance, { services, jobs, repositories }: Engine, repository: WritableRepository): void {
  const calls = areaCalls(repository.model);
  serve(app, services, calls.create, ({ principal, body }) => createRow(services, repository, principal, body as Fields));
  serve(app, services, calls.update, ({ principal, params, body, request }) =>
    updateRow(services, repository, principal, params.id, body as Fields, expectedVersion(request.headers['if-match'])),
  );
  serve(app, services, calls.remove, ({ principal, params, request }) =>
    deleteRow(services, repositories, repository, principal, params.id, expectedVersion(request.headers['if-match'])),
  );
  serve(app, services, calls.bulkDelete, ({ principal, body, reply }) => {
    if ('items' in body) return deleteEach(services, repositories, repository, principal, body.items);
    const { filters } = checkedQuery(repository, body.filters);
    reply.code(202);
    return jobs.start(principal, 'bulk_delete', deleteMatching(services, repositories, repository, principal, filters));
  });
}

/** Registers the plain calls of an area: all of them, or only the reading ones where rows come about by themselves. */
export function serveArea(app: FastifyInstance, engine: Engine, repository: AreaRepository): void {
  serveReading(app, engine, repository);
  if (isWritable(repository)) serveWriting(app, engine, repository);
}
