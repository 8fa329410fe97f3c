import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { RowOutcome } from '#models/job.ts';
import type { AreaName } from '#models/areas.ts';
import type { Filters } from '#models/query.ts';
import { idArray } from '../access/measures.ts';
import { sightOf, viewable } from '../access/scope.ts';
import type { Principal, Services } from '../context.ts';
import { problemAsData, refusalOf } from '../http/errors.ts';
import type { Work } from '../jobs/jobs.ts';
import type { Binding, WritableBinding } from './binding.ts';
import { deleteRow } from './remove.ts';
import { matchingIds } from './rows.ts';

type Bindings = Readonly<Record<AreaName, Binding>>;

/** What rows are called, those one may see; an outcome names nothing else. */
export async function namesOf({ db }: Services, binding: Binding, principal: Principal, ids: readonly string[]): Promise<Map<string, string>> {
  const label = binding.compared[binding.model.label]?.column;
  const order = binding.deleteOrder ? sql`order by ${binding.deleteOrder}` : sql``;
  const { rows } = await db.execute<{ id: string; name: string }>(
    sql`select ${binding.table.id} as id, ${label} as name from ${binding.table} where ${binding.table.id} = any(${idArray(ids)}) and ${viewable(sightOf(principal), binding.area)} ${order}`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function tryDelete(
  services: Services,
  bindings: Bindings,
  binding: WritableBinding,
  principal: Principal,
  id: string,
  name: string | null,
): Promise<RowOutcome> {
  try {
    await deleteRow(services, bindings, binding, principal, id);
    return { id, name, ok: true };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) services.log.error({ err: error, area: binding.area, id }, 'a row could not be deleted');
    return { id, name, ok: false, problem: problemAsData(error) };
  }
}

/** Deletes rows one by one, each on its own, and answers what became of each, in the order asked. */
export async function deleteEach(
  services: Services,
  bindings: Bindings,
  binding: WritableBinding,
  principal: Principal,
  items: readonly string[],
): Promise<RowOutcome[]> {
  const wanted = [...new Set(items)];
  const names = await namesOf(services, binding, principal, wanted);
  const outcomes = new Map<string, RowOutcome>();
  for (const id of [...names.keys(), ...wanted.filter((item) => !names.has(item))]) {
    outcomes.set(id, await tryDelete(services, bindings, binding, principal, id, names.get(id) ?? null));
    // Others are served in between.
    await turn();
  }
  return wanted.flatMap((id) => outcomes.get(id) ?? []);
}

const atOnce = 200;

/** Deletes all rows that match, as long work: rows that stay are its failures. */
export const deleteMatching =
  (services: Services, bindings: Bindings, binding: WritableBinding, principal: Principal, filters: Filters): Work =>
  async (progress) => {
    const ids = await matchingIds(services.db, binding, sightOf(principal), filters, binding.deleteOrder);
    progress.total(ids.length);
    for (let from = 0; from < ids.length; from += atOnce) {
      const part = ids.slice(from, from + atOnce);
      const names = await namesOf(services, binding, principal, part);
      for (const id of part) {
        const outcome = await tryDelete(services, bindings, binding, principal, id, names.get(id) ?? null);
        if (!outcome.ok) progress.failed(outcome);
        await progress.done();
      }
    }
  };
