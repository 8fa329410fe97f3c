import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { RowOutcome } from '#models/job.ts';
import type { AreaName } from '#models/areas.ts';
import type { Filters } from '#models/query.ts';
import { idArray } from '../access/measures.ts';
import { scopeOf, viewable } from '../access/scope.ts';
import type { Principal, Services } from '../context.ts';
import { problemAsData, httpErrorOf } from '../http/errors.ts';
import type { Work } from '../jobs/jobs.ts';
import type { AreaRepository, WritableRepository } from './repository.ts';
import { deleteRow } from './remove.ts';
import { matchingIds } from './rows.ts';

type Repositories = Readonly<Record<AreaName, AreaRepository>>;

/** What rows are called, those one may see; an outcome names nothing else. */
export async function namesOf(
  { db }: Services,
  repository: AreaRepository,
  principal: Principal,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const label = repository.compared[repository.model.label]?.column;
  const order = repository.deleteOrder ? sql`order by ${repository.deleteOrder}` : sql``;
  const { rows } = await db.execute<{ id: string; name: string }>(
    sql`select ${repository.table.id} as id, ${label} as name from ${repository.table} where ${repository.table.id} = any(${idArray(ids)}) and ${viewable(scopeOf(principal), repository.area)} ${order}`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function tryDelete(
  services: Services,
  repositories: Repositories,
  repository: WritableRepository,
  principal: Principal,
  id: string,
  name: string | null,
): Promise<RowOutcome> {
  try {
    await deleteRow(services, repositories, repository, principal, id);
    return { id, name, ok: true };
  } catch (error) {
    const httpError = httpErrorOf(error);
    if (!httpError) services.log.error({ err: error, area: repository.area, id }, 'a row could not be deleted');
    return { id, name, ok: false, problem: problemAsData(error) };
  }
}

/** Deletes rows one by one, each on its own, and answers what became of each, in the order asked. */
export async function deleteEach(
  services: Services,
  repositories: Repositories,
  repository: WritableRepository,
  principal: Principal,
  items: readonly string[],
): Promise<RowOutcome[]> {
  const wanted = [...new Set(items)];
  const names = await namesOf(services, repository, principal, wanted);
  const outcomes = new Map<string, RowOutcome>();
  for (const id of [...names.keys(), ...wanted.filter((item) => !names.has(item))]) {
    outcomes.set(id, await tryDelete(services, repositories, repository, principal, id, names.get(id) ?? null));
    // Others are served in between.
    await turn();
  }
  return wanted.flatMap((id) => outcomes.get(id) ?? []);
}

const atOnce = 200;

/** Deletes all rows that match, as long work: rows that stay are its failures. */
export const deleteMatching =
  (services: Services, repositories: Repositories, repository: WritableRepository, principal: Principal, filters: Filters): Work =>
  async (progress) => {
    const ids = await matchingIds(services.db, repository, scopeOf(principal), filters, repository.deleteOrder);
    progress.total(ids.length);
    for (let from = 0; from < ids.length; from += atOnce) {
      const part = ids.slice(from, from + atOnce);
      const names = await namesOf(services, repository, principal, part);
      for (const id of part) {
        const outcome = await tryDelete(services, repositories, repository, principal, id, names.get(id) ?? null);
        if (!outcome.ok) progress.failed(outcome);
        await progress.done();
      }
    }
  };
