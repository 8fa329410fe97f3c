import { and, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { modelOf } from '#models/index.ts';
import { initialGroupLicence } from '#models/licences.ts';
import type { ViewScope } from '#server/access/scope.ts';
import { byRules, type Link } from '#server/crud/repository.ts';
import { defineRepository } from '#server/crud/define-repository.ts';
import { namesAlong, oneGroup } from '#server/crud/group-path.ts';
import { declared, fileUrl, inNameOrder, jsonObject, linkedRows, noRows, oneNamed, onlySeen, stampsOf } from '#server/crud/json.ts';
import {
  accessRules,
  devices,
  amenities,
  amenityGroups,
  elevators,
  forwardRules,
  groupForwardRules,
  groupHolidays,
  groupNotify,
  groups,
  groupTypes,
  integrations,
  mailTemplates,
  sipNumbers,
  userDomains,
  users,
} from '#server/db/schema/index.ts';
import { rulesOfGroup } from '../access-rules/links.ts';
import { integrationsOfGroup } from '../integrations/links.ts';
import { numberWith } from '../sip-numbers/columns.ts';
import { forwardSettings } from './forwarding.ts';
import { beforeGroupDelete, holdGroup, prepareGroup, settleGroup } from './rules.ts';

const people: Link = { area: 'users', table: userDomains, own: userDomains.groupId, other: userDomains.userId, both: true };
const rules: Link = { area: 'forward-rules', table: groupForwardRules, own: groupForwardRules.groupId, other: groupForwardRules.ruleId };
const other = alias(groups, 'other');
const others = declared(groups, 'other');

/** What the JSON columns of a new group hold, and what fills their gaps. */
export const groupDefaults = {
  guestLimits: { max_passes_count: null, max_period_days: null },
  whitelabel: { is_enabled: false, name: null, address: null, email: null, phone: null },
  appleWallet: {
    ...(modelOf('groups').initial['apple_wallet'] as Record<string, unknown>),
    developer_name: null,
    barcode_text: null,
    back_fields: null,
  },
  licence: initialGroupLicence,
} as const;
const filled = (defaults: object, column: typeof groups.whitelabel | typeof groups.appleWallet | typeof groups.licence | typeof groups.guestLimits) =>
  sql`${JSON.stringify(defaults)}::jsonb || ${column}`;

const notify = (scope: ViewScope) =>
  sql`(select coalesce(json_agg(${jsonObject({
    user: jsonObject({ id: users.id, name: users.name }),
    device_offline: groupNotify.deviceOffline,
    device_task_failed: groupNotify.deviceTaskFailed,
  })} order by lower(${users.name}), ${users.id}), '[]'::json) from ${groupNotify} join ${users} on ${users.id} = ${groupNotify.userId}
    where ${and(eq(groupNotify.groupId, groups.id), onlySeen(scope, 'users', users.id))})`;

/** The devices that stand in the group itself, those one may see. */
const standing = (scope: ViewScope) =>
  sql`(select coalesce(json_agg(${jsonObject({ id: devices.id, name: devices.name })} order by lower(${devices.name}), ${devices.id}), '[]'::json)
    from ${devices} where ${and(eq(devices.domainId, groups.id), onlySeen(scope, 'devices', devices.id))})`;

/** The elevators that stand in the group itself, those one may see. */
const standingElevators = (scope: ViewScope) =>
  sql`(select coalesce(json_agg(${jsonObject({ id: elevators.id, name: elevators.name })} order by ${inNameOrder(elevators.name)}, ${elevators.id}), '[]'::json)
    from ${elevators} where ${and(eq(elevators.domainId, groups.id), onlySeen(scope, 'elevators', elevators.id))})`;

/** The groups directly below: whoever sees a group sees them too. */
const childrenOf = sql`from ${others} where ${other.parentId} = ${groups.id}`;
/** The same with their types. */
const children = sql`(select coalesce(json_agg(${jsonObject({ id: other.id, name: other.name, type: oneNamed(groupTypes, other.typeId) })}
    order by ${inNameOrder(other.name)}, ${other.id}), '[]'::json) ${childrenOf})`;

/** How many people of the group one may see. */
const usersCount = (scope: ViewScope) =>
  sql`(select count(*)::int from ${userDomains} where ${and(eq(userDomains.groupId, groups.id), onlySeen(scope, 'users', userDomains.userId))})`;

/** The mail templates of the group itself, those one may see. */
const templates = (scope: ViewScope) =>
  sql`(select coalesce(json_agg(${jsonObject({ id: mailTemplates.id, name: mailTemplates.subject })} order by ${mailTemplates.mailTypeId}, ${mailTemplates.locale}), '[]'::json)
    from ${mailTemplates} where ${and(eq(mailTemplates.domainId, groups.id), onlySeen(scope, 'mail-templates', mailTemplates.id))})`;

/** Groups in the database. */
export const groupsRepository = defineRepository({
  area: 'groups',
  table: groups,
  compared: {
    name: { column: groups.name, order: inNameOrder(groups.name) },
    description: { column: groups.description },
    logic_address: { column: groups.logicAddress },
    domain_type_id: { column: groups.typeId, area: 'group-types' },
    parent_id: { column: groups.parentId, area: 'groups' },
    users: { link: people },
    created_at: { column: groups.createdAt },
    updated_at: { column: groups.updatedAt },
  },
  shown: (scope, deep) => ({
    ...stampsOf(groups),
    name: sql`${groups.name}`,
    description: sql`${groups.description}`,
    parent_id: oneGroup(scope, groups.parentId),
    domain_type_id: oneNamed(groupTypes, groups.typeId),
    logic_address: sql`${groups.logicAddress}`,
    time_zone_name: sql`${groups.timeZoneName}`,
    holidays: sql`(select coalesce(json_agg(${jsonObject({ date: sql`${groupHolidays.date}::text`, name: groupHolidays.name })} order by ${groupHolidays.date}), '[]'::json)
      from ${groupHolidays} where ${groupHolidays.groupId} = ${groups.id})`,
    users: !deep || deep.has('users') ? linkedRows(scope, people, users, groups.id) : noRows,
    devices: standing(scope),
    access_rules: !deep || deep.has('access_rules') ? linkedRows(scope, rulesOfGroup, accessRules, groups.id) : noRows,
    elevators: standingElevators(scope),
    mail_templates: templates(scope),
    integrations: linkedRows(scope, integrationsOfGroup, integrations, groups.id),
    forward_rules: linkedRows(scope, rules, forwardRules, groups.id),
    sip_number: numberWith(scope, eq(sipNumbers.domainId, groups.id)),
    forward_settings: forwardSettings,
    guest_identifier_limits: filled(groupDefaults.guestLimits, groups.guestLimits),
    device_status_notify: notify(scope),
    whitelabel: sql`${filled(groupDefaults.whitelabel, groups.whitelabel)} || jsonb_build_object('logo', ${fileUrl(groups.logoFile)})`,
    apple_wallet: filled(groupDefaults.appleWallet, groups.appleWallet),
    licenseInfo: filled(groupDefaults.licence, groups.licence),
    path: namesAlong(scope, groups.path),
    children_count: sql`(select count(*)::int ${childrenOf})`,
    users_count: usersCount(scope),
    ...((!deep || deep.has('children')) && { children }),
    created_by: sql`${groups.createdBy}`,
  }),
  dependants: [
    { area: 'groups', where: (id) => eq(groups.parentId, id) },
    { area: 'devices', where: (id) => eq(devices.domainId, id) },
    { area: 'elevators', where: (id) => eq(elevators.domainId, id) },
    {
      area: 'amenities',
      where: (id) => sql`${amenities.id} in (select ${amenityGroups.amenityId} from ${amenityGroups} where ${amenityGroups.groupId} = ${id})`,
    },
    { area: 'users', where: (id) => sql`${users.id} in (select ${userDomains.userId} from ${userDomains} where ${userDomains.groupId} = ${id})` },
  ],
  deleteOrder: sql`cardinality(${groups.path}) desc`,
  written: {
    name: 'name',
    description: 'description',
    parent_id: 'parentId',
    domain_type_id: 'typeId',
    logic_address: byRules,
    time_zone_name: 'timeZoneName',
    holidays: byRules,
    users: { link: people },
    access_rules: { link: rulesOfGroup },
    devices: byRules,
    elevators: byRules,
    integrations: { link: integrationsOfGroup },
    mail_templates: byRules,
    forward_rules: { link: rules },
    sip_number: byRules,
    forward_settings: { parts: { is_enabled: 'forwardEnabled', queues: byRules } },
    guest_identifier_limits: 'guestLimits',
    device_status_notify: byRules,
    whitelabel: 'whitelabel',
    apple_wallet: 'appleWallet',
    licenseInfo: 'licence',
  },
  hold: holdGroup,
  prepare: prepareGroup,
  settle: settleGroup,
  beforeDelete: beforeGroupDelete,
});
