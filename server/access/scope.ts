import { type SQL, and, eq, or, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { AreaName } from '#models/index.ts';
import { type Scope, scopesOf, type Verb } from '#models/permissions.ts';
import type { Asker } from '../context.ts';
import {
  alarmCalls,
  auditEvents,
  deviceAlarms,
  deviceEvents,
  devices,
  deviceTasks,
  groups,
  groupTypes,
  markers,
  roles,
  userDomains,
  userMarkers,
  users,
} from '../db/schema/index.ts';

/** Through whose eyes rows are read: an asker's, or (null) those of the whole project, as the audit trail has them. */
export interface Sight {
  projectId: string;
  asker: Asker | null;
}
export const sightOf = (asker: Asker): Sight => ({ projectId: asker.projectId, asker });
export const wholeSight = (projectId: string): Sight => ({ projectId, asker: null });

/** Ids as one array parameter, so that a statement keeps its text however many there are. */
export const idArray = (ids: readonly string[]): SQL => sql`${`{${ids.join(',')}}`}::uuid[]`;

const nothing = sql`false`;
const everything = sql`true`;
const ownTree = (asker: Asker): SQL => sql`array(select ${groups.id} from ${groups} where ${groups.path} && ${idArray(asker.domains)})`;
const peopleOf = (groupIds: SQL): SQL => sql`(select ${userDomains.userId} from ${userDomains} where ${userDomains.groupId} = any(${groupIds}))`;

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
  'audit-events': projectWide,
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
} as const;

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

/** The rows of an area that may be seen; applies to the area's own table, and before everything else. */
export function viewable(sight: Sight, area: AreaName): SQL {
  const project = eq(projectColumns[area], sight.projectId);
  if (!sight.asker || seesAll(sight, area)) return project;
  return and(project, reached(sight.asker, 'view', area)) ?? project;
}

/** The ids of the rows that may be seen, as a subquery: `column in ${visibleIds(…)}`. */
export const visibleIds = (sight: Sight, area: AreaName): SQL => sql`(select ${tables[area].id} from ${tables[area]} where ${viewable(sight, area)})`;
