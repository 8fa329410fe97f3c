import { and, eq, inArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Interception } from '#models/phone-calls.ts';
import { scopeOf, viewable } from '#server/access/scope.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { inNameOrder, onlySeen } from '#server/crud/json.ts';
import { isSame } from '#server/crud/same.ts';
import type { Db } from '#server/db/database.ts';
import { callInterceptions, groups } from '#server/db/schema/index.ts';
import { invalidField, unknownRelated } from '#server/http-error.ts';

const above = alias(groups, 'above');
/** Groups in sight by their ids, each with the names from the highest group one may see down to it. */
const placed = (db: Db, principal: Principal, ids: readonly string[]) =>
  db
    .select({ id: groups.id, name: groups.name, path: sql<string[]>`json_agg(${above.name} order by cardinality(${above.path}))` })
    .from(groups)
    .innerJoin(above, and(sql`${above.id} = any(${groups.path})`, onlySeen(scopeOf(principal), 'groups', above.id)))
    .where(and(viewable(scopeOf(principal), 'groups'), inArray(groups.id, [...ids])))
    .groupBy(groups.id)
    .orderBy(inNameOrder(groups.name), groups.id);

/** Whether somebody intercepts, and what; groups that are gone or out of sight are left out. */
export async function readInterception(db: Db, principal: Principal): Promise<Interception> {
  const [stored] = await db.select().from(callInterceptions).where(eq(callInterceptions.userId, principal.id));
  const chosen = stored ? await placed(db, principal, stored.groupIds) : [];
  return { is_active: stored?.isActive === true && chosen.length > 0, groups: chosen, user_groups: await placed(db, principal, principal.domains) };
}

/**
 * Begins or ends an interception. The choice of groups stays when it ends, unless another is sent.
 * @throws HttpError `invalid_data` without a group to begin with (clause INT-04), `invalid_related` for groups out of sight
 */
export async function setInterception(services: Services, principal: Principal, isActive: boolean, wanted: readonly string[]): Promise<Interception> {
  if (isActive && wanted.length === 0) throw invalidField(['domains'], 'at_least_on_group_must_be_selected');
  return services.db.transaction(async (tx) => {
    const seen = await placed(tx, principal, wanted);
    const unknown = wanted.filter((id) => !seen.some((group) => group.id === id));
    if (unknown.length > 0) throw unknownRelated(unknown);
    const before = await readInterception(tx, principal);
    const at = services.now();
    const values = { isActive, updatedAt: at, ...(wanted.length > 0 && { groupIds: [...wanted] }) };
    await tx
      .insert(callInterceptions)
      .values({ userId: principal.id, projectId: principal.projectId, groupIds: [], ...values })
      .onConflictDoUpdate({ target: callInterceptions.userId, set: values });
    const after = await readInterception(tx, principal);
    const names = ({ groups: all }: Interception) => all.map(({ id, name }) => ({ id, name }));
    const changes = {
      interception: { before: before.is_active, after: after.is_active },
      ...(!isSame(names(before), names(after)) && { groups: { before: names(before), after: names(after) } }),
    };
    await audit(tx, principal, { area: 'calls', action: 'update', changes }, at);
    return after;
  });
}
