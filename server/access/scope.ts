import { type SQL, and, eq, isNotNull, or, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { AreaName } from '#models/index.ts';
import { type Scope, scopesOf, type Verb } from '#models/permissions.ts';
import type { Asker } from '../context.ts';
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

/** Through whose eyes rows are read: an asker's, or (null) those of the whole project, as the audit trail has them. */
export interface Sight {
  projectId: string;
  asker: Asker | null;
}
/** What somebody may see. */
export const sightOf = (asker: Asker): Sight => ({ projectId: asker.projectId, asker });
/** All of a project, for the server's own work. */
export const wholeSight = (projectId: string): Sight => ({ projectId, asker: null });

/** Ids as one array parameter, so that a statement keeps its text however many there are. */
export const idArray = (ids: readonly string[]): SQL => sql`${`{${ids.join(',')}}`}::uuid[]`;

const nothing = sql`false`;
const everything = sql`true`;
const ownTree = (asker: Asker): SQL => sql`array(select ${groups.id} from ${groups} where ${groups.path} && ${idArray(asker.domains)})`;
const peopleOf = (groupIds: SQL): SQL => sql`(select ${userDomains.userId} from ${userDomains} where ${userDomains.groupId} = any(${groupIds}))`;

/** Numbers whose person, device or group belongs to some groups. */
const ofNumberOwners = (some: SQL): SQL =>
  sql`(${sipNumbers.domainId} = any(${some}) or ${sipNumbers.deviceId} in (select ${devices.id} from ${devices} where ${devices.domainId} = any(${some}))
    or ${sipNumbers.userId} in ${peopleOf(some)})`;
const freeNumber = sql`(num_nonnulls(${sipNumbers.userId}, ${sipNumbers.deviceId}, ${sipNumbers.domainId}) = 0 and not ${sipNumbers.isReserved} and not ${sipNumbers.isSystem})`;
const trunkOf = (some: SQL): SQL =>
  sql`${sipTrunks.id} in (select ${sipTrunkGroups.trunkId} from ${sipTrunkGroups} where ${sipTrunkGroups.groupId} = any(${some}))`;
const callOf = (some: SQL): SQL => sql`(${calls.callerDomainId} = any(${some}) or ${calls.calleeDomainId} = any(${some}))`;
const withSeenDevice = (asker: Asker, deviceId: PgColumn): SQL => sql`${deviceId} in ${visibleIds(sightOf(asker), 'devices')}`;

type Measures = Partial<Record<Scope, (asker: Asker) => SQL>>;
const projectWide: Measures = { all: () => everything };

/** What each scope means in the rows of an area's own table. A scope that is not named here reaches nothing. */
const measures: Record<AreaName, Measures> = {
  groups: {
    all: () => everything,
    descendants: (asker) => sql`${groups.path} && ${idArray(asker.domains)}`,
    domain: (asker) => sql`${groups.id} = any(${idArray(asker.domains)})`,
    below: (asker) => sql`${groups.path}[:cardinality(${groups.path}) - 1] && ${idArray(asker.domains)}`,
    own: (asker) => eq(groups.createdBy, asker.id),
  },
  users: {
    all: () => everything,
    own: (asker) => sql`(${users.id} = ${asker.id} or ${users.createdBy} = ${asker.id})`,
    descendants: (asker) => sql`${users.id} in ${peopleOf(ownTree(asker))}`,
    domain: (asker) => sql`${users.id} in ${peopleOf(idArray(asker.domains))}`,
  },
  roles: {
    all: () => everything,
    own: (asker) => eq(roles.createdBy, asker.id),
    available: (asker) => sql`${roles.id} = any(${idArray(asker.availableRoles)})`,
    held: (asker) => sql`${roles.id} in (select ${users.roleId} from ${users} where ${viewable(sightOf(asker), 'users')})`,
  },
  /**
   * Markers hang on no group. Those of one's tree are the markers that came with the project, those made by its people,
   * and those its people carry.
   */
  markers: {
    all: () => everything,
    own: (asker) => eq(markers.createdBy, asker.id),
    descendants: (asker) => sql`(${markers.createdBy} is null or ${markers.createdBy} in ${peopleOf(ownTree(asker))}
      or ${markers.id} in (select ${userMarkers.markerId} from ${userMarkers} where ${userMarkers.userId} in ${peopleOf(ownTree(asker))}))`,
  },
  'group-types': projectWide,
  'audit-events': {
    all: () => everything,
    own: (asker) => eq(auditEvents.userId, asker.id),
    descendants: (asker) => sql`${auditEvents.groups} && ${idArray(asker.domains)}`,
  },
  devices: {
    all: () => everything,
    own: (asker) => eq(devices.createdBy, asker.id),
    domain: (asker) => sql`${devices.domainId} = any(${idArray(asker.domains)})`,
    descendants: (asker) => sql`${devices.domainId} = any(${ownTree(asker)})`,
  },
  'device-tasks': { seen: (asker) => ofSeenDevices(asker, deviceTasks.deviceId) },
  'device-events': { seen: (asker) => ofSeenDevices(asker, deviceEvents.deviceId) },
  'device-alarms': { all: () => everything, seen: (asker) => ofSeenDevices(asker, deviceAlarms.deviceId) },
  'alarm-calls': { seen: (asker) => ofSeenDevices(asker, alarmCalls.deviceId) },
  'forward-rules': projectWide,
  /** Whoever gives out numbers in a tree sees the free ones, which hang on no group. */
  'sip-numbers': {
    all: () => everything,
    own: (asker) => sql`(${sipNumbers.userId} = ${asker.id} or ${sipNumbers.createdBy} = ${asker.id})`,
    domain: (asker) => ofNumberOwners(idArray(asker.domains)),
    descendants: (asker) => sql`(${ofNumberOwners(ownTree(asker))} or ${freeNumber})`,
  },
  'sip-trunks': {
    all: () => everything,
    own: (asker) => eq(sipTrunks.createdBy, asker.id),
    domain: (asker) => trunkOf(idArray(asker.domains)),
    descendants: (asker) => trunkOf(ownTree(asker)),
  },
  'call-history': {
    all: () => everything,
    own: (asker) => sql`${asker.id} in (${calls.callerUserId}, ${calls.calleeUserId}, ${calls.answeredByUserId})`,
    domain: (asker) => callOf(idArray(asker.domains)),
    descendants: (asker) => callOf(ownTree(asker)),
    seen: (asker) => sql`(${withSeenDevice(asker, calls.callerDeviceId)} or ${withSeenDevice(asker, calls.calleeDeviceId)})`,
  },
};

/** Rows about devices that may be viewed; those about devices that are gone are for those who view all. */
export const ofSeenDevices = (asker: Asker, deviceId: PgColumn): SQL =>
  seesAll(sightOf(asker), 'devices') ? everything : sql`${deviceId} in ${visibleIds(sightOf(asker), 'devices')}`;

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

/** The rows a verb's scopes reach, measured in the area's table; whether the asker may see them is another question. */
export function reached(asker: Asker, verb: Verb, area: AreaName): SQL {
  const scopes = scopesOf(asker, verb, area);
  if (scopes.includes('all')) return everything;
  return or(...scopes.map((scope) => measures[area][scope]?.(asker) ?? nothing)) ?? nothing;
}

/** The rows of one scope, for rules that hold for part of what a verb reaches. */
export const within = (asker: Asker, scope: Scope, area: AreaName): SQL => measures[area][scope]?.(asker) ?? nothing;

/** Does this sight take in every row of the area? */
export const seesAll = ({ asker }: Sight, area: AreaName): boolean => !asker || scopesOf(asker, 'view', area).includes('all');

/**
 * People whom a sight knows by name: those it takes in, and whoever belongs to the asker's own tree. Undefined where that is
 * everybody. `id` names the person; null for nobody and for somebody who is gone, whom only those know who see all.
 */
export function known(sight: Sight, id: SQL | PgColumn): SQL | undefined {
  const { asker } = sight;
  if (!asker || seesAll(sight, 'users')) return undefined;
  return sql`coalesce(${id} in ${visibleIds(sight, 'users')} or ${id} in ${peopleOf(ownTree(asker))}, false)`;
}

/** The rows of an area that may be seen; applies to the area's own table, and before everything else. */
export function viewable(sight: Sight, area: AreaName): SQL {
  const project = and(eq(projectColumns[area], sight.projectId), belonging[area]) ?? nothing;
  if (!sight.asker || seesAll(sight, area)) return project;
  return and(project, reached(sight.asker, 'view', area)) ?? project;
}

/** The ids of the rows that may be seen, as a subquery: `column in ${visibleIds(…)}`. */
export const visibleIds = (sight: Sight, area: AreaName): SQL => sql`(select ${tables[area].id} from ${tables[area]} where ${viewable(sight, area)})`;
