import { and, eq, type SQL, sql } from 'drizzle-orm';
import { hasPermission } from '#models/permissions.ts';
import { type ViewScope, visibleIds } from '#server/access/scope.ts';
import { byRules, type Link } from '#server/crud/repository.ts';
import { defineRepository } from '#server/crud/define-repository.ts';
import { namesAlong } from '#server/crud/group-path.ts';
import { fileUrl, isoTime, jsonObject, linkedRows, noRows, oneNamed, stampsOf } from '#server/crud/json.ts';
import { accessRules, groups, markers, mobileClients, roles, sipNumbers, userDomains, userMarkers, users } from '#server/db/schema/index.ts';
import { rulesOfUser } from '../access-rules/links.ts';
import { identifiersOf } from '../identifiers/give.ts';
import { firstNumber } from '../sip-numbers/give.ts';
import { numbersWith } from '../sip-numbers/columns.ts';
import { beforeUserDelete, prepareUser, settleUser } from './rules.ts';

const domains: Link = { area: 'groups', table: userDomains, own: userDomains.userId, other: userDomains.groupId, both: true };
const marks: Link = { area: 'markers', table: userMarkers, own: userMarkers.userId, other: userMarkers.markerId };

const listed = (keys: readonly SQL[]): SQL => sql.join([...keys], sql`, `);
const numbersOf = (scope: ViewScope): SQL => numbersWith(scope, eq(sipNumbers.userId, users.id));

const clients = sql`(select coalesce(json_agg(${jsonObject({
  id: mobileClients.id,
  client_id: mobileClients.clientId,
  platform: mobileClients.platform,
  info: mobileClients.info,
  auth_time: isoTime(mobileClients.authTime),
  vendor_id: mobileClients.vendorId,
  // The app rings as its person's number.
  sip_number: sql`(select ${sipNumbers.number} from ${sipNumbers} where ${and(eq(sipNumbers.userId, users.id), eq(sipNumbers.isActive, true))} order by ${listed(firstNumber)} limit 1)`,
  ukey2: mobileClients.ukey2,
})} order by ${mobileClients.authTime} desc), '[]'::json) from ${mobileClients} where ${mobileClients.userId} = ${users.id})`;

/**
 * Which roles are told of with their holders: one's own, those one may view, and all to those who edit everybody, for
 * their form asks for it.
 */
function shownRoles(scope: ViewScope) {
  const { principal } = scope;
  if (!principal || hasPermission(principal, 'can_edit_all_users', 'can_view_all_roles')) return undefined;
  return sql`(${users.roleId} = ${principal.roleId} or ${users.roleId} in ${visibleIds(scope, 'roles')})`;
}

/** Users in the database. */
export const usersRepository = defineRepository({
  area: 'users',
  table: users,
  compared: {
    name: { column: users.name },
    login: { column: users.login },
    email: { column: users.email },
    description: { column: users.description },
    role: { column: users.roleId, order: sql`(select lower(${roles.name}) from ${roles} where ${roles.id} = ${users.roleId})`, seen: shownRoles },
    domains: { link: domains },
    markers: { link: marks },
    activated_at: { column: users.activatedAt },
    elevator_access_disabled: { column: users.elevatorAccessDisabled },
    created_at: { column: users.createdAt },
    updated_at: { column: users.updatedAt },
    last_seen_at: { column: users.lastSeenAt },
  },
  shown: (scope, deep) => ({
    ...stampsOf(users),
    login: sql`${users.login}`,
    name: sql`${users.name}`,
    description: sql`${users.description}`,
    email: sql`${users.email}`,
    role: oneNamed(roles, users.roleId, shownRoles(scope)),
    domains: linkedRows(scope, domains, groups, users.id, { path: namesAlong(scope, groups.path) }),
    profile: jsonObject({ phone: users.phone, address: users.address }),
    markers: linkedRows(scope, marks, markers, users.id, { color: markers.color }),
    access_rules: !deep || deep.has('access_rules') ? linkedRows(scope, rulesOfUser, accessRules, users.id) : noRows,
    identifiers: !deep || deep.has('identifiers') ? identifiersOf(scope) : noRows,
    sip_numbers: numbersOf(scope),
    license_info: sql`${users.licenseInfo}`,
    elevator_access_disabled: sql`${users.elevatorAccessDisabled}`,
    avatar_url: fileUrl(users.avatarFile),
    mobile_clients: !deep || deep.has('mobile_clients') ? clients : noRows,
    activated_at: sql`${users.activatedAt}`,
    last_seen_at: isoTime(users.lastSeenAt),
    license_until: isoTime(users.licenceEndsAt),
    created_by: sql`${users.createdBy}`,
  }),
  dependants: [],
  written: {
    login: 'login',
    name: 'name',
    description: 'description',
    email: 'email',
    role: 'roleId',
    domains: { link: domains },
    profile: { parts: { phone: 'phone', address: 'address' } },
    markers: { link: marks },
    access_rules: { link: rulesOfUser },
    identifiers: byRules,
    sip_numbers: byRules,
    license_info: 'licenseInfo',
    elevator_access_disabled: 'elevatorAccessDisabled',
    send_registration_link: byRules,
  },
  prepare: prepareUser,
  settle: settleUser,
  beforeDelete: beforeUserDelete,
});
