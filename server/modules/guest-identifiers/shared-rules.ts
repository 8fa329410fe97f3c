import { type SQL, sql } from 'drizzle-orm';
import { hasDoor } from '#models/device-models.ts';
import type { SharedRule } from '#models/guest-access.ts';
import { hasPermission } from '#models/permissions.ts';
import { idArray } from '#server/access/measures.ts';
import { scopeOf, visibleIds } from '#server/access/scope.ts';
import type { Principal } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { accessRules } from '#server/db/schema/index.ts';

interface Found extends Record<string, unknown> {
  id: string;
  name: string;
  devices: { name: string; type: string; model: string }[];
}

/** Whether a rule lets the principal in, or somebody of the group that is visited. */
const reaches = ({ id, domains }: Principal, domain: string | null): SQL => {
  const groups = idArray(domain ? [...domains, domain] : domains);
  return sql`(exists (select from access_rule_users people where people.rule_id = ${accessRules.id} and people.user_id = ${id})
    or exists (select from access_rule_groups named join groups held on named.group_id = any(held.path)
      where named.rule_id = ${accessRules.id} and held.id = any(${groups})))`;
};

/**
 * The rules that somebody may give to a guest, with their doors, by name: shareable ones and own ones that let them or the visited group in,
 * and all they see to those who may change rules. A rule without a door opens nothing for a guest.
 */
export async function sharedRules(db: Db, principal: Principal, domain: string | null): Promise<SharedRule[]> {
  const scope = scopeOf(principal);
  const seen = hasPermission(principal, 'can_edit_access_rules') ? sql`${accessRules.id} in ${visibleIds(scope, 'access-rules')}` : sql`false`;
  const own = sql`((${accessRules.isShareable} or ${accessRules.createdBy} = ${principal.id}) and ${reaches(principal, domain)})`;
  const { rows } = await db.execute<Found>(sql`
    select ${accessRules.id} as id, ${accessRules.name} as name,
      (select coalesce(json_agg(json_build_object('name', door.name, 'type', door.type, 'model', door.model) order by lower(door.name)), '[]'::json)
        from access_rule_devices named join devices door on door.id = named.device_id where named.rule_id = ${accessRules.id}) as devices
    from ${accessRules} where ${accessRules.projectId} = ${principal.projectId} and not ${accessRules.prohibition} and (${seen} or ${own})
    order by lower(${accessRules.name}), ${accessRules.id}`);
  return rows
    .map(({ id, name, devices }) => ({ id, name, devices: devices.filter(hasDoor).map((door) => door.name) }))
    .filter(({ devices }) => devices.length > 0);
}
