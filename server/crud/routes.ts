import type { FastifyInstance } from 'fastify';
import type { AreaName } from '#models/areas.ts';
import { emptyQuery, type Filters, readQuery } from '#models/query.ts';
import { sightOf } from '../access/scope.ts';
import type { Principal, Services } from '../context.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { HttpError } from '../http-error.ts';
import { Page, serve } from '../serve.ts';
import { type Binding, isWritable, type WritableBinding } from './binding.ts';
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
  bindings: Readonly<Record<AreaName, Binding>>;
}
type Fields = Record<string, unknown>;

/** One row that the principal may see. @throws HttpError `not_found` */
export async function seenRow({ db }: Services, binding: Binding, principal: Principal, id: string) {
  const row = await readRow(db, binding, sightOf(principal), id);
  if (!row) throw new HttpError('not_found');
  return row;
}

/** Filters and sort that came in a body, checked as those of an address are. */
const checkedQuery = ({ model }: Binding, filters: Filters = emptyQuery.filters, sort: readonly string[] = []) =>
  readQuery({ filters: JSON.stringify(filters), sort: sort.join(',') }, model);

function serveReading(app: FastifyInstance, { services, jobs, totals, bindings }: Engine, binding: Binding): void {
  const calls = areaCalls(binding.model);
  serve(app, services, calls.list, async ({ principal, query: asked }) => {
    const query = readQuery(asked, binding.model);
    const { rows, total } = await readPage(services.db, totals, binding, sightOf(principal), query);
    return new Page(rows, { page: query.page, size: query.size, total });
  });
  serve(app, services, calls.item, ({ principal, params, query }) => {
    readQuery(query, binding.model);
    return seenRow(services, binding, principal, params.id);
  });
  serve(app, services, calls.exportRows, ({ principal, body }) => {
    const { filters, sort } = checkedQuery(binding, body.filters, body.sort);
    const columns = chosenColumns(binding.model, body.columns);
    return jobs.start(principal, 'export', exportRows(services, binding, principal, { format: body.export_format, filters, sort, columns }));
  });
  serve(app, services, calls.lastChange, async ({ principal, params }) => {
    await seenRow(services, binding, principal, params.id);
    return lastChangeOf(services.db, binding, principal, params.id);
  });
  serve(app, services, calls.dependants, async ({ principal, params }) => {
    await seenRow(services, binding, principal, params.id);
    return dependantsOf(services.db, bindings, binding, principal, params.id);
  });
}

function serveWriting(app: FastifyInstance, { services, jobs, bindings }: Engine, binding: WritableBinding): void {
  const calls = areaCalls(binding.model);
  serve(app, services, calls.create, ({ principal, body }) => createRow(services, binding, principal, body as Fields));
  serve(app, services, calls.update, ({ principal, params, body, request }) =>
    updateRow(services, binding, principal, params.id, body as Fields, expectedVersion(request.headers['if-match'])),
  );
  serve(app, services, calls.remove, ({ principal, params, request }) =>
    deleteRow(services, bindings, binding, principal, params.id, expectedVersion(request.headers['if-match'])),
  );
  serve(app, services, calls.bulkDelete, ({ principal, body, reply }) => {
    if ('items' in body) return deleteEach(services, bindings, binding, principal, body.items);
    const { filters } = checkedQuery(binding, body.filters);
    reply.code(202);
    return jobs.start(principal, 'bulk_delete', deleteMatching(services, bindings, binding, principal, filters));
  });
}

/** Registers the plain calls of an area: all of them, or only the reading ones where rows come about by themselves. */
export function serveArea(app: FastifyInstance, engine: Engine, binding: Binding): void {
  serveReading(app, engine, binding);
  if (isWritable(binding)) serveWriting(app, engine, binding);
}
