import { eq, sql } from 'drizzle-orm';
import { type BulkAction, bulkActionsOf, type BulkFindings } from '#models/bulk.ts';
import type { AreaName } from '#models/areas.ts';
import { hasPermission, may } from '#models/permissions.ts';
import { isAdministrator } from '../access/administrators.ts';
import { idArray } from '../access/measures.ts';
import { scopeOf, viewable } from '../access/scope.ts';
import type { Principal, Services } from '../context.ts';
import type { AreaRepository } from '../crud/repository.ts';
import { roles, users } from '../db/schema/index.ts';
import { HttpError } from '../http-error.ts';

/** @throws HttpError `prohibited` for what the area does not know, `forbidden` for what the principal may do to no row of it */
export function requireAction(principal: Principal, { model, area }: AreaRepository, action: BulkAction): void {
  if (!bulkActionsOf(model).includes(action)) throw new HttpError('prohibited');
  const isAllowed =
    action === 'activate' || action === 'deactivate'
      ? hasPermission(principal, 'can_activate_sip_numbers')
      : may(principal, action === 'delete' ? 'delete' : 'edit', area);
  if (!isAllowed) throw new HttpError('forbidden');
}

/** Of these rows those that the principal may see. */
async function seenAmong({ db }: Services, repository: AreaRepository, principal: Principal, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select ${repository.table.id} as id from ${repository.table} where ${repository.table.id} = any(${idArray(ids)}) and ${viewable(scopeOf(principal), repository.area)}`,
  );
  return rows.map(({ id }) => id);
}

async function administratorsAmong({ db }: Services, principal: Principal, ids: readonly string[]): Promise<number> {
  const all = await db.select({ id: roles.id, permissions: roles.permissions }).from(roles).where(eq(roles.projectId, principal.projectId));
  const high = all.filter(({ permissions }) => isAdministrator(permissions)).map(({ id }) => id);
  const { rows } = await db.execute<{ total: number }>(
    sql`select count(*)::int as total from ${users} where ${users.id} = any(${idArray(ids)}) and ${users.roleId} = any(${idArray(high)})`,
  );
  return rows[0]?.total ?? 0;
}

/** Rows of other areas, and of this one that are not to be deleted too, that stand in the way; the number counts all, for it explains refusals. */
async function usesOf(
  { db }: Services,
  repositories: Readonly<Record<AreaName, AreaRepository>>,
  repository: AreaRepository,
  ids: readonly string[],
): Promise<BulkFindings['uses']> {
  const found: BulkFindings['uses'] = [];
  for (const { area, where } of repository.dependants) {
    const { table } = repositories[area];
    const others = area === repository.area ? sql`and not ${table.id} = any(${idArray(ids)})` : sql``;
    const { rows } = await db.execute<{ total: number }>(
      sql`select count(*)::int as total from ${table} where exists (select 1 from unnest(${idArray(ids)}) as doomed(id) where ${where(sql.raw('doomed.id'))}) ${others}`,
    );
    if (rows[0] && rows[0].total > 0) found.push({ area, total: rows[0].total });
  }
  return found;
}

/** What somebody should know before they do something to these rows. */
export async function findingsOf(
  services: Services,
  repositories: Readonly<Record<AreaName, AreaRepository>>,
  repository: AreaRepository,
  principal: Principal,
  { action, ids }: { action: BulkAction; ids: readonly string[] },
): Promise<BulkFindings> {
  const seen = await seenAmong(services, repository, principal, ids);
  const arePeople = repository.area === 'users';
  return {
    total: ids.length,
    yourself: arePeople && seen.includes(principal.id),
    administrators: arePeople ? await administratorsAmong(services, principal, seen) : 0,
    uses: action === 'delete' ? await usesOf(services, repositories, repository, seen) : [],
  };
}
