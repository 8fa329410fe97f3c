import { type SQL, and, eq, isNotNull, or, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { AreaName } from '#models/index.ts';
import { type Scope, scopesOf, type Verb } from '#models/permissions.ts';
import type { Principal } from '../context.ts';
import {
  alarmCalls,
  auditEvents,
  calls,
  deviceAlarms,
  deviceEvents,
  devices,
  deviceTasks,
  forwardRules,
  groups,
  groupTypes,
  markers,
  roles,
  sipNumbers,
  sipTrunkGroups,
  sipTrunks,
  userDomains,
  userMarkers,
  users,
} from '../db/schema/index.ts';

/** Through whose eyes rows are read: an principal's, or (null) those of the whole project, as the audit trail has them. */
export interface Sight {
  projectId: string;
  principal: Principal | null;
}
/** What somebody may see. */
export const sightOf = (principal: Principal): Sight => ({ projectId: principal.projectId, principal });
/** All of a project, for the server's own work. */
export const wholeSight = (projectId: string): Sight => ({ projectId, principal: null });

/** Ids as one array parameter, so that a statement keeps its text however many there are. */
export const idArray = (ids: readonly string[]): SQL => sql`${`{${ids.join(',')}}`}::uuid[]`;

const nothing = sql`false`;
const everything = sql`true`;
const ownTree = (principal: Principal): SQL => sql`array(select ${groups.id} from ${groups} where ${groups.path} && ${idArray(principal.domains)})`;
const peopleOf = (groupIds: SQL): SQL => sql`(select ${userDomains.userId} from ${userDomains} where ${userDomains.groupId} = any(${groupIds}))`;

/** Numbers whose person, device or group belongs to some groups. */
const ofNumberOwners = (some: SQL): SQL =>
  sql`(${sipNumbers.domainId} = any(${some}) or ${sipNumbers.deviceId} in (select ${devices.id} from ${devices} where ${devices.domainId} = any(${some}))
    or ${sipNumbers.userId} in ${peopleOf(some)})`;
const freeNumber = sql`(num_nonnulls(${sipNumbers.userId}, ${sipNumbers.deviceId}, ${sipNumbers.domainId}) = 0 and not ${sipNumbers.isReserved} and not ${sipNumbers.isSystem})`;
const trunkOf = (some: SQL): SQL =>
  sql`${sipTrunks.id} in (select ${sipTrunkGroups.trunkId} from ${sipTrunkGroups} where ${sipTrunkGroups.groupId} = any(${some}))`;
const callOf = (some: SQL): SQL => sql`(${calls.callerDomainId} = any(${some}) or ${calls.calleeDomainId} = any(${some}))`;
const withSeenDevice = (principal: Principal, deviceId: PgColumn): SQL => sql`${deviceId} in ${visibleIds(sightOf(principal), 'devices')}`;

type Measures = Partial<Record<Scope, (principal: Principal) => SQL>>;
const projectWide: Measures = { all: () => everything };

/** What each scope means in the rows of an area's own table. A scope that is not named here reaches nothing. */
const measures: Record<AreaName, Measures> = {
  groups: {
    all: () => everything,
    descendants: (principal) => sql`${groups.path} && ${idArray(principal.domains)}`,
    domain: (principal) => sql`${groups.id} = any(${idArray(principal.domains)})`,
    below: (principal) => sql`${groups.path}[:cardinality(${groups.path}) - 1] && ${idArray(principal.domains)}`,
    own: (principal) => eq(groups.createdBy, principal.id),
  },
  users: {
    all: () => everything,
    own: (principal) => sql`(${users.id} = ${principal.id} or ${users.createdBy} = ${principal.id})`,
    descendants: (principal) => sql`${users.id} in ${peopleOf(ownTree(principal))}`,
    domain: (principal) => sql`${users.id} in ${peopleOf(idArray(principal.domains))}`,
  },
  roles: {
    all: () => everything,
    own: (principal) => eq(roles.createdBy, principal.id),
    available: (principal) => sql`${roles.id} = any(${idArray(principal.availableRoles)})`,
    held: (principal) => sql`${roles.id} in (select ${users.roleId} from ${users} where ${viewable(sightOf(principal), 'users')})`,
  },
  /**
   * Markers hang on no group. Those of one's tree are the markers that came with the project, those made by its people,
   * and those its people carry.
   */
  markers: {
    all: () => everything,
    own: (principal) => eq(markers.createdBy, principal.id),
    descendants: (principal) => sql`(${markers.createdBy} is null or ${markers.createdBy} in ${peopleOf(ownTree(principal))}
      or ${markers.id} in (select ${userMarkers.markerId} from ${userMarkers} where ${userMarkers.userId} in ${peopleOf(ownTree(principal))}))`,
  },
  'group-types': projectWide,
  'audit-events': {
    all: () => everything,
    own: (principal) => eq(auditEvents.userId, principal.id),
    descendants: (principal) => sql`${auditEvents.groups} && ${idArray(principal.domains)}`,
  },
  devices: {
    all: () => everything,
    own: (principal) => eq(devices.createdBy, principal.id),
    domain: (principal) => sql`${devices.domainId} = any(${idArray(principal.domains)})`,
    descendants: (principal) => sql`${devices.domainId} = any(${ownTree(principal)})`,
  },
  'device-tasks': { seen: (principal) => ofSeenDevices(principal, deviceTasks.deviceId) },
  'device-events': { seen: (principal) => ofSeenDevices(principal, deviceEvents.deviceId) },
  'device-alarms': { all: () => everything, seen: (principal) => ofSeenDevices(principal, deviceAlarms.deviceId) },
  'alarm-calls': { seen: (principal) => ofSeenDevices(principal, alarmCalls.deviceId) },
  'forward-rules': projectWide,
  /** Whoever gives out numbers in a tree sees the free ones, which hang on no group. */
  'sip-numbers': {
    all: () => everything,
    own: (principal) => sql`(${sipNumbers.userId} = ${principal.id} or ${sipNumbers.createdBy} = ${principal.id})`,
    domain: (principal) => ofNumberOwners(idArray(principal.domains)),
    descendants: (principal) => sql`(${ofNumberOwners(ownTree(principal))} or ${freeNumber})`,
  },
  'sip-trunks': {
    all: () => everything,
    own: (principal) => eq(sipTrunks.createdBy, principal.id),
    domain: (principal) => trunkOf(idArray(principal.domains)),
    descendants: (principal) => trunkOf(ownTree(principal)),
  },
  'call-history': {
    all: () => everything,
    own: (principal) => sql`${principal.id} in (${calls.callerUserId}, ${calls.calleeUserId}, ${calls.answeredByUserId})`,
    domain: (principal) => callOf(idArray(principal.domains)),
    descendants: (principal) => callOf(ownTree(principal)),
    seen: (principal) => sql`(${withSeenDevice(principal, calls.callerDeviceId)} or ${withSeenDevice(principal, calls.calleeDeviceId)})`,
  },
};

/** Rows about devices that may be viewed; those about devices that are gone are for those who view all. */
export const ofSeenDevices = (principal: Principal, deviceId: PgColumn): SQL =>
  seesAll(sightOf(principal), 'devices') ? everything : sql`${deviceId} in ${visibleIds(sightOf(principal), 'devices')}`;

const projectColumns = {
  groups: groups.projectId,
  users: users.projectId,
  roles: roles.projectId,
  markers: markers.projectId,
  'group-types': groupTypes.projectId,
  'audit-events': auditEvents.projectId,
  devices: devices.projectId,
  'device-events': deviceEvents.projectId,
  'device-tasks': deviceTasks.projectId,
  'device-alarms': deviceAlarms.projectId,
  'alarm-calls': alarmCalls.projectId,
  'sip-numbers': sipNumbers.projectId,
  'forward-rules': forwardRules.projectId,
  'sip-trunks': sipTrunks.projectId,
  'call-history': calls.projectId,
} as const;
const tables = {
  groups,
  users,
  roles,
  markers,
  'group-types': groupTypes,
  'audit-events': auditEvents,
  devices,
  'device-events': deviceEvents,
  'device-tasks': deviceTasks,
  'device-alarms': deviceAlarms,
  'alarm-calls': alarmCalls,
  'sip-numbers': sipNumbers,
  'forward-rules': forwardRules,
  'sip-trunks': sipTrunks,
  'call-history': calls,
} as const;
/** Which rows of its table are an area's at all, where not every one is: calls under way are no history yet. */
const belonging: Partial<Record<AreaName, SQL>> = { 'call-history': isNotNull(calls.historyStatus) };

/** The rows a verb's scopes reach, measured in the area's table; whether the principal may see them is another question. */
export function reached(principal: Principal, verb: Verb, area: AreaName): SQL {
  const scopes = scopesOf(principal, verb, area);
  if (scopes.includes('all')) return everything;
  return or(...scopes.map((scope) => measures[area][scope]?.(principal) ?? nothing)) ?? nothing;
}

/** The rows of one scope, for rules that hold for part of what a verb reaches. */
export const within = (principal: Principal, scope: Scope, area: AreaName): SQL => measures[area][scope]?.(principal) ?? nothing;

/** Does this sight take in every row of the area? */
export const seesAll = ({ principal }: Sight, area: AreaName): boolean => !principal || scopesOf(principal, 'view', area).includes('all');

/**
 * People whom a sight knows by name: those it takes in, and whoever belongs to the principal's own tree. Undefined where that is
 * everybody. `id` names the person; null for nobody and for somebody who is gone, whom only those know who see all.
 */
export function known(sight: Sight, id: SQL | PgColumn): SQL | undefined {
  const { principal } = sight;
  if (!principal || seesAll(sight, 'users')) return undefined;
  return sql`coalesce(${id} in ${visibleIds(sight, 'users')} or ${id} in ${peopleOf(ownTree(principal))}, false)`;
}

/** The rows of an area that may be seen; applies to the area's own table, and before everything else. */
export function viewable(sight: Sight, area: AreaName): SQL {
  const project = and(eq(projectColumns[area], sight.projectId), belonging[area]) ?? nothing;
  if (!sight.principal || seesAll(sight, area)) return project;
  return and(project, reached(sight.principal, 'view', area)) ?? project;
}

/** The ids of the rows that may be seen, as a subquery: `column in ${visibleIds(…)}`. */
export const visibleIds = (sight: Sight, area: AreaName): SQL => sql`(select ${tables[area].id} from ${tables[area]} where ${viewable(sight, area)})`;
