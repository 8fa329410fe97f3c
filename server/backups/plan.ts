import { getTableColumns, getTableName, is, sql, type SQL } from 'drizzle-orm';
import { type AnyPgColumn, getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import type { BackupKind } from '#models/backups.ts';
import * as schema from '../db/schema/index.ts';
import type { FileKind } from '../files.ts';

type TableKey = { [K in keyof typeof schema]: (typeof schema)[K] extends PgTable ? K : never }[keyof typeof schema];

/**
 * What a backup holds of each table, so that a forgotten table does not compile: the kind of entities it belongs to; or null where the rows are of the
 * moment (sessions, locks, orders to devices), tell secrets in flight (links that open an account), or are about this installation and its backups.
 */
const plan: Readonly<Record<TableKey, BackupKind | null>> = {
  projects: 'settings',
  phoneServers: 'settings',
  licences: 'settings',
  licenceSettings: 'settings',
  projectSettings: 'settings',
  mailTemplates: 'settings',
  projectWallets: 'settings',
  integrations: 'settings',
  integrationGroups: 'settings',
  backupSchedules: 'settings',

  users: 'people',
  roles: 'people',
  availableRoles: 'people',
  groups: 'people',
  groupTypes: 'people',
  groupHolidays: 'people',
  groupNotify: 'people',
  userDomains: 'people',
  userMarkers: 'people',
  markers: 'people',
  textPictures: 'people',
  mobileClients: 'people',
  savedViews: 'people',
  conversations: 'people',
  conversationMembers: 'people',
  conversationMessages: 'people',
  messagePictures: 'people',

  announces: 'people',
  announceGroups: 'people',
  announceMarkers: 'people',
  announcePictures: 'people',
  announceRecipients: 'people',
  announceRoles: 'people',
  announceUsers: 'people',
  announceVotes: 'people',

  emergencyAlerts: 'people',
  emergencyAlertGroups: 'people',
  emergencyAlertRecipients: 'people',

  schedules: 'access',
  identifiers: 'access',
  ukey2Activations: 'access',
  accessRules: 'access',
  accessRuleDevices: 'access',
  accessRuleGroups: 'access',
  accessRuleIdentifiers: 'access',
  accessRuleSchedules: 'access',
  accessRuleUsers: 'access',
  elevatorAccessRules: 'access',
  elevatorRuleFloors: 'access',
  elevatorRuleUsers: 'access',

  amenities: 'access',
  amenityGroups: 'access',
  amenityRules: 'access',
  amenityReservations: 'access',
  reservationLog: 'access',

  devices: 'devices',
  elevators: 'devices',
  elevatorControllers: 'devices',

  sipNumbers: 'telephony',
  sipNumberForwards: 'telephony',
  sipTrunks: 'telephony',
  sipTrunkGroups: 'telephony',
  forwardRules: 'telephony',
  groupForwardRules: 'telephony',
  groupForwardQueues: 'telephony',
  groupForwardNumbers: 'telephony',

  licenceUse: 'logs',
  auditEvents: 'logs',
  deviceEvents: 'logs',
  deviceAlarms: 'logs',
  alarmCalls: 'logs',
  calls: 'logs',

  announceMessages: null,
  backups: null,
  calendarFeeds: null,
  callInterceptions: null,
  deviceCopies: null,
  deviceSearches: null,
  deviceTasks: null,
  files: null,
  foundDevices: null,
  idempotencyKeys: null,
  instance: null,
  integrationDeliveries: null,
  ipWhitelist: null,
  jobRows: null,
  knownDevices: null,
  jobs: null,
  mails: null,
  notifications: null,
  oneTimeLinks: null,
  pendingRegistrations: null,
  passkeys: null,
  pushSubscriptions: null,
  recoveryCodes: null,
  secondFactors: null,
  sessions: null,
  usedRefreshTokens: null,
};

/** How things stand at this moment, which no backup knows: kept where the row is there, and found out anew where it is not. */
const ofTheMoment: Readonly<Record<string, readonly string[]>> = {
  // What consoles know by it only ever grows.
  projects: ['version'],
  mobile_clients: ['session_id', 'recent'],
  devices: ['online', 'status_at', 'outage_told', 'heard_until', 'firmware', 'settings_applied_at', 'synced_at', 'copy_version', 'sync_errors'],
};

/** Rows that are not yet what they will be. */
const unfinished: Readonly<Record<string, SQL>> = { calls: sql`ended_at is not null` };

/** One table of a backup. */
export interface PlannedTable {
  name: string;
  kind: BackupKind;
  /** Its columns as they are kept, those of the moment left out. */
  columns: readonly string[];
  moment: readonly string[];
  key: readonly string[];
  /** Rows are only added, never replaced or taken away. */
  isLog: boolean;
  /** How many tables stand between it and the project. */
  depth: number;
  /** Which of its rows are a project's. */
  own: (projectId: string) => SQL;
  unfinished: SQL | undefined;
}

const tables = new Map(
  Object.entries(schema).flatMap(([key, table]): [string, { key: string; table: PgTable }][] =>
    is(table, PgTable) ? [[getTableName(table), { key, table }]] : [],
  ),
);

const byKey = new Map([...tables.values()].map(({ key, table }) => [key, table]));

/** A name as SQL. Names come from the schema alone, never from a file. */
export const named = (name: string): SQL => sql.identifier(name) as unknown as SQL;
export const list = (names: readonly string[]): SQL => sql.join(names.map(named), sql`, `);

/** The way from a table's rows to their project: a column of its own, or the first row they cannot be without. */
function ownership(name: string, seen: readonly string[] = []): { depth: number; own: (projectId: string) => SQL } | null {
  const found = tables.get(name);
  if (!found || seen.includes(name)) return null;
  if (name === 'projects') return { depth: 0, own: (projectId) => sql`id = ${projectId}` };
  const columns = Object.values(getTableColumns(found.table)) as AnyPgColumn[];
  if (columns.some((column) => column.name === 'project_id')) return { depth: 1, own: (projectId) => sql`project_id = ${projectId}` };
  for (const key of getTableConfig(found.table).foreignKeys) {
    const { columns: from, foreignColumns: to, foreignTable } = key.reference();
    const [column, target] = [from[0], to[0]];
    if (!column?.notNull || !target) continue;
    const parentName = getTableName(foreignTable);
    const parent = ownership(parentName, [...seen, name]);
    if (parent)
      return {
        depth: parent.depth + 1,
        own: (projectId) => sql`${named(column.name)} in (select ${named(target.name)} from ${named(parentName)} where ${parent.own(projectId)})`,
      };
  }
  return null;
}

/** Which rows of any table are a project's; null of a table that has none. */
export const ownRows = (name: string, projectId: string): SQL | null => ownership(name)?.own(projectId) ?? null;

function keyOf(table: PgTable): string[] {
  const { columns, primaryKeys } = getTableConfig(table);
  const own = columns.filter((column) => column.primary).map(({ name }) => name);
  return own.length > 0 ? own : (primaryKeys[0]?.columns.map(({ name }) => name) ?? []);
}

function planned(key: string, kind: BackupKind): PlannedTable {
  const table = byKey.get(key);
  if (!table) throw new Error(`the schema has no ${key}`);
  const name = getTableName(table);
  const way = ownership(name);
  if (!way) throw new Error(`nothing leads from ${name} to its project`);
  const moment = ofTheMoment[name] ?? [];
  const columns = getTableConfig(table).columns.map((column) => column.name);
  return {
    name,
    kind,
    columns: columns.filter((column) => !moment.includes(column)),
    moment,
    key: keyOf(table),
    isLog: kind === 'logs',
    depth: way.depth,
    own: way.own,
    unfinished: unfinished[name],
  };
}

/** Every table that backups hold, parents before what belongs to them. */
export const plannedTables: readonly PlannedTable[] = Object.entries(plan)
  .flatMap(([key, kind]) => (kind === null ? [] : [planned(key, kind)]))
  .toSorted((one, other) => one.depth - other.depth);

/** The kinds of stored files, by the kind of entities that show them; a forgotten one does not compile, and all others are results of work. */
export const fileKinds = {
  avatar: 'people',
  logo: 'people',
  alert: 'people',
  text: 'people',
  photo: 'access',
  amenity: 'access',
  terms: 'access',
  event: 'logs',
  call: 'logs',
} as const satisfies Readonly<Record<Exclude<FileKind, 'export' | 'import'>, BackupKind>>;

/** The kinds of files that a backup of these kinds of entities holds. */
export const filesOf = (entities: readonly BackupKind[]): string[] =>
  Object.entries(fileKinds).flatMap(([kind, entity]) => (entities.includes(entity) ? [kind] : []));
