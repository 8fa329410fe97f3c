import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { AreaName } from '#models/areas.ts';
import { models } from '#models/index.ts';
import { readQuery, WrongQuery } from '#models/query.ts';
import { mostViews, type SavedView, type writtenView } from '#models/saved-views.ts';
import { inVerbScope, scopeOf, viewable } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { roles, savedViews as table } from '#server/db/schema/index.ts';
import { HttpError, unknownRelated } from '#server/http-error.ts';
import { transact } from '#server/crud/write.ts';

type Written = z.output<typeof writtenView>;

const isOwn = (principal: Principal): SQL => eq(table.userId, principal.id);
/** Roles that the principal may edit: with their holders they share views. */
const editable = (principal: Principal): SQL => and(viewable(scopeOf(principal), 'roles'), inVerbScope(principal, 'edit', 'roles')) ?? sql`false`;

/** The views somebody has, by name: their own, and those shared with their role. */
export async function viewsOf({ db }: Services, principal: Principal): Promise<SavedView[]> {
  const rows = await db
    .select({
      id: table.id,
      area: sql<AreaName>`${table.area}`,
      name: table.name,
      query: table.query,
      isPinned: table.isPinned,
      roleId: table.roleId,
      roleName: roles.name,
      isOwn: sql<boolean>`${isOwn(principal)}`,
    })
    .from(table)
    .leftJoin(roles, eq(roles.id, table.roleId))
    .where(and(eq(table.projectId, principal.projectId), or(isOwn(principal), eq(table.roleId, principal.roleId))))
    .orderBy(sql`lower(${table.name})`, table.id);
  return rows.map(({ isPinned, roleId, roleName, isOwn: own, ...view }) => ({
    ...view,
    is_pinned: isPinned,
    role: roleId === null || roleName === null ? null : { id: roleId, name: roleName },
    is_own: own,
  }));
}

async function requireShareable(tx: Db, principal: Principal, role: string): Promise<void> {
  const [found] = await tx
    .select({ id: roles.id })
    .from(roles)
    .where(and(eq(roles.id, role), editable(principal)));
  if (!found) throw unknownRelated(['role']);
}

/** What a list does not understand is not kept: the view would open with an error. @throws HttpError `wrong_parameters` */
function requireQuery(area: AreaName, query: string): void {
  try {
    readQuery(Object.fromEntries(new URLSearchParams(query)), models[area]);
  } catch (error) {
    if (!(error instanceof WrongQuery)) throw error;
    throw new HttpError('wrong_parameters', { parameter: error.parameter, value: error.value });
  }
}

/** Keeps a view of the principal's own. @throws HttpError `wrong_parameters`, `invalid_data`, `invalid_related` for a role they may not edit, `not_unique` */
export async function saveView(services: Services, principal: Principal, { area, name, query, is_pinned: isPinned, role }: Written): Promise<string> {
  requireQuery(area, query);
  const { projectId, id: userId } = principal;
  return transact(services, async (tx) => {
    if (role !== null) await requireShareable(tx, principal, role);
    if ((await tx.$count(table, isOwn(principal))) >= mostViews)
      throw new HttpError('invalid_data', { issues: [{ path: ['name'], rule: 'at_most', params: { max: mostViews } }] });
    const at = services.now();
    const [row] = await tx
      .insert(table)
      .values({ projectId, userId, area, name, query, isPinned, roleId: role, createdBy: userId, createdAt: at, updatedAt: at })
      .returning({ id: table.id });
    if (!row) throw new Error('a view was not kept');
    return row.id;
  });
}

/** Changes a view of one's own. @throws HttpError `not_found`, and as `saveView` */
export async function changeView(
  services: Services,
  principal: Principal,
  id: string,
  { name, query, is_pinned: isPinned, role }: { [K in keyof Omit<Written, 'area'>]?: Written[K] | undefined },
): Promise<void> {
  await transact(services, async (tx) => {
    const [stored] = await tx
      .select({ area: sql<AreaName>`${table.area}` })
      .from(table)
      .where(and(eq(table.id, id), isOwn(principal)))
      .for('update');
    if (!stored) throw new HttpError('not_found');
    if (query !== undefined) requireQuery(stored.area, query);
    if (role) await requireShareable(tx, principal, role);
    const set = { name, query, isPinned, roleId: role };
    await tx
      .update(table)
      .set({ ...set, version: sql`${table.version} + 1`, updatedAt: services.now() })
      .where(eq(table.id, id));
  });
}

/** Deletes a view of one's own, or one that was shared with a role one may edit. @throws HttpError `not_found` */
export async function removeView({ db }: Services, principal: Principal, id: string): Promise<void> {
  const shared = sql`${table.roleId} in (select ${roles.id} from ${roles} where ${editable(principal)})`;
  const removed = await db
    .delete(table)
    .where(and(eq(table.id, id), eq(table.projectId, principal.projectId), or(isOwn(principal), shared)))
    .returning({ id: table.id });
  if (removed.length === 0) throw new HttpError('not_found');
}
