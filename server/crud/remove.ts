import { and, eq, sql } from 'drizzle-orm';
import { inNameOrder } from './json.ts';
import type { Named } from '#models/define-model.ts';
import type { AreaName } from '#models/areas.ts';
import { scopeOf, viewable, projectScope } from '../access/scope.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { notifyingDevices } from '../devices/copies.ts';
import { HttpError } from '../http-error.ts';
import type { AreaRepository, Change, WritableRepository } from './repository.ts';
import { readRow } from './rows.ts';
import { auditChange, auditRefused } from './trail.ts';
import { belongedTo, holdRow, transact } from './write.ts';

/** Rows of one area that use a row: the first of them by name, and how many there are. */
export interface Users {
  area: AreaName;
  rows: Named[];
  total: number;
}
const namedAtMost = 20;

/** What uses a row, by name as far as the principal may see; the number counts all, for it explains a refusal. */
export async function dependantsOf(
  db: Db,
  repositories: Readonly<Record<AreaName, AreaRepository>>,
  repository: AreaRepository,
  principal: Principal,
  id: string,
): Promise<Users[]> {
  const found: Users[] = [];
  for (const { area, where } of repository.dependants) {
    const { table, compared, model } = repositories[area];
    const label = compared[model.label]?.column;
    const { rows } = await db.execute<{ rows: Named[]; total: number }>(sql`
      select (select count(*)::int from ${table} where ${where(id)}) as total,
        (select coalesce(json_agg(json_build_object('id', id, 'name', name)), '[]'::json) from
          (select ${table.id} as id, ${label} as name from ${table} where ${and(where(id), viewable(scopeOf(principal), area))} order by ${inNameOrder(sql`${label}`)}, ${table.id} limit ${namedAtMost}) named) as rows`);
    if (rows[0] && rows[0].total > 0) found.push({ area, ...rows[0] });
  }
  return found;
}

/** Deletes a row nothing uses. @throws HttpError `in_use` naming what does. */
export async function deleteRow(
  services: Services,
  repositories: Readonly<Record<AreaName, AreaRepository>>,
  repository: WritableRepository,
  principal: Principal,
  id: string,
  version: number | null = null,
): Promise<void> {
  await auditRefused(services, principal, { area: repository.area, verb: 'delete', id }, () =>
    transact(services, async (tx, later) => {
      await repository.hold?.(tx, principal, 'delete', {});
      const before = await holdRow(tx, repository, principal, 'delete', id, version);
      const change: Change = { services, tx, principal, at: services.now(), verb: 'delete', id, before, fields: {}, later };
      await repository.beforeDelete?.(change);
      const users = await dependantsOf(tx, repositories, repository, principal, id);
      if (users.length > 0) throw new HttpError('in_use', users);
      const was = await readRow(tx, repository, projectScope(principal.projectId), id);
      const belonged = await belongedTo(tx, repository, id);
      await notifyingDevices(tx, repository.area, [id], () => tx.delete(repository.table).where(eq(repository.table.id, id)));
      await auditChange(change, repository, was, null, belonged);
    }),
  );
}
