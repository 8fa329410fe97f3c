import { type SQL, sql } from 'drizzle-orm';
import { idArray } from '../access/measures.ts';
import { type ViewScope, visibleIds } from '../access/scope.ts';
import {
  announceGroups,
  announceMarkers,
  announceRoles,
  type announces,
  announceUsers,
  groups,
  userDomains,
  userMarkers,
  users,
} from '../db/schema/index.ts';

/** Whom somebody names, as arrays of ids. */
interface Named {
  users: SQL;
  domains: SQL;
  roles: SQL;
  markers: SQL;
}

/**
 * The people that are meant: those named, and those of the groups with all below them. Roles and markers narrow the groups down; without a group they
 * are taken from everybody in sight.
 */
const people = (scope: ViewScope, { users: named, domains, roles, markers }: Named): SQL => sql`
  select ${users.id} as id from ${users}
  where ${users.id} in ${visibleIds(scope, 'users')} and (${users.id} = any(${named}) or (
    cardinality(${domains}) + cardinality(${roles}) + cardinality(${markers}) > 0
    and (cardinality(${domains}) = 0 or ${users.id} in (select ${userDomains.userId} from ${userDomains}
      join ${groups} on ${groups.id} = ${userDomains.groupId} where ${groups.path} && ${domains}))
    and (cardinality(${roles}) = 0 or ${users.roleId} = any(${roles}))
    and (cardinality(${markers}) = 0 or ${users.id} in (select ${userMarkers.userId} from ${userMarkers} where ${userMarkers.markerId} = any(${markers})))))`;

/** The people that a draft means. */
export const peopleNamed = (scope: ViewScope, named: Record<keyof Named, readonly string[]>): SQL =>
  people(scope, { users: idArray(named.users), domains: idArray(named.domains), roles: idArray(named.roles), markers: idArray(named.markers) });

/** The people that a stored announcement means. */
export const peopleOfAnnounce = (scope: ViewScope, id: string): SQL => {
  const of = (table: SQL, column: SQL, announceId: SQL): SQL => sql`array(select ${column} from ${table} where ${announceId} = ${id})`;
  return people(scope, {
    users: of(sql`${announceUsers}`, sql`${announceUsers.userId}`, sql`${announceUsers.announceId}`),
    domains: of(sql`${announceGroups}`, sql`${announceGroups.groupId}`, sql`${announceGroups.announceId}`),
    roles: of(sql`${announceRoles}`, sql`${announceRoles.roleId}`, sql`${announceRoles.announceId}`),
    markers: of(sql`${announceMarkers}`, sql`${announceMarkers.markerId}`, sql`${announceMarkers.announceId}`),
  });
};

/** The table of announcements, for statements that are put together elsewhere. */
export type StoredAnnounce = typeof announces.$inferSelect;
