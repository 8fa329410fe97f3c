import { type SQL, sql } from 'drizzle-orm';
import type { IdentifierType } from '#models/device-events.ts';
import type { LicenceInfo } from '#models/licence-info.ts';
import type { ScheduleTimes } from '#models/schedule-times.ts';
import { lengthOf } from '#models/time.ts';
import type { LicenceReader } from '../licences/stored.ts';
import type { Db } from '../db/database.ts';
import { loadLicences } from './load-licences.ts';
import { idArray } from './measures.ts';
import { bookersAt, loadReservations } from './reservations.ts';
import { type Credential, type Door, type Passage, type Rule, type Schedule, type World, worldOf } from './world.ts';

/** Which part of a project's world is wanted: these devices, the rules that name them, and of the identifiers those that fit. */
interface Wanted {
  projectId: string;
  devices: readonly string[];
  /** A condition on the table `identifiers`. */
  credentials: SQL;
  /** When licences are asked for. */
  at: Date;
}

interface RuleRow extends Record<string, unknown> {
  id: string;
  prohibition: boolean;
  devices: string[];
  schedules: string[];
  users: string[];
  identifiers: string[];
  groups: string[];
  floors: number[] | null;
}

const idsOf = (column: string, table: string, rule: string): SQL =>
  sql.raw(`(select coalesce(json_agg(${column} order by ${column}), '[]'::json) from ${table} where rule_id = ${rule}.id)`);

/** The rules that name some of these devices, by name: where several decide, the first is named. Those for lifts follow. */
export async function loadRules(db: Db, devices: readonly string[]): Promise<Rule[]> {
  const ids = idArray(devices);
  const { rows } = await db.execute<RuleRow>(sql`
    select rule.id, rule.prohibition, array_to_json(named.devices) as devices,
      (select coalesce(json_agg(link.schedule_id order by lower(schedules.name), schedules.id), '[]'::json)
        from access_rule_schedules link join schedules on schedules.id = link.schedule_id where link.rule_id = rule.id) as schedules,
      ${idsOf('user_id', 'access_rule_users', 'rule')} as users, ${idsOf('identifier_id', 'access_rule_identifiers', 'rule')} as identifiers,
      ${idsOf('group_id', 'access_rule_groups', 'rule')} as groups, null as floors
    from access_rules rule join (select rule_id, array_agg(device_id) as devices from access_rule_devices where device_id = any(${ids}) group by rule_id) named
      on named.rule_id = rule.id
    order by lower(rule.name), rule.id`);
  const { rows: lifts } = await db.execute<RuleRow>(sql`
    select rule.id, false as prohibition, array_to_json(controllers.devices) as devices, '[]'::json as schedules,
      ${idsOf('user_id', 'elevator_rule_users', 'rule')} as users, '[]'::json as identifiers, '[]'::json as groups, array_to_json(named.floors) as floors
    from elevator_access_rules rule join elevator_rule_floors named on named.rule_id = rule.id
      join (select elevator_id, array_agg(device_id) as devices from elevator_controllers where device_id = any(${ids}) group by elevator_id) controllers
      on controllers.elevator_id = named.elevator_id
    order by lower(rule.name), rule.id`);
  return [...rows, ...lifts].map(({ id, prohibition, schedules, floors, ...named }) => ({
    id,
    isProhibition: prohibition,
    devices: new Set(named.devices),
    schedules,
    users: new Set(named.users),
    identifiers: new Set(named.identifiers),
    groups: new Set(named.groups),
    floors: floors && new Set(floors),
  }));
}

interface ScheduleRow extends Record<string, unknown> {
  id: string;
  days: ScheduleTimes['days'];
  from: number;
  to: number;
  valid_from: string | null;
  valid_to: string | null;
  is_all_day: boolean;
  repeat_mode: ScheduleTimes['repeat_mode'];
  holiday_mode: ScheduleTimes['holiday_mode'];
  holiday_from: number;
  holiday_to: number;
}

export async function loadSchedules(db: Db, rules: readonly Pick<Rule, 'schedules'>[]): Promise<Schedule[]> {
  const named = [...new Set(rules.flatMap(({ schedules }) => schedules))];
  if (named.length === 0) return [];
  const { rows } = await db.execute<ScheduleRow>(sql`
    select id, json_build_object('mon', mon, 'tue', tue, 'wed', wed, 'thu', thu, 'fri', fri, 'sat', sat, 'sun', sun) as days,
      from_seconds as from, to_seconds as to, valid_from::text as valid_from, valid_to::text as valid_to, is_all_day, repeat_mode, holiday_mode,
      holiday_from, holiday_to
    from schedules where id = any(${idArray(named)})`);
  return rows;
}

interface DoorRow extends Record<string, unknown> {
  id: string;
  is_lift: boolean;
  zone: string | null;
  holidays: string[];
  passback: { way?: string; area?: string | null; forgiven_after?: number | null } | null;
  domain_id: string;
}

/** The area that a reader leads into or out of: by its name, whatever the case, or the group it stands in where it has none. */
const areaOf = (area: string | null | undefined, group: string): string => area?.trim().toLowerCase() || group;

function antiPassbackOf(set: DoorRow['passback'], group: string): Door['antiPassback'] {
  if (set?.way !== 'in' && set?.way !== 'out') return null;
  return {
    area: areaOf(set.area, group),
    way: set.way,
    forgivenAfter: typeof set.forgiven_after === 'number' ? lengthOf(set.forgiven_after, 'minute') : null,
  };
}

/** The last time that each of these identifiers went into or out of each area that some of these doors lead into. */
async function loadPassages(db: Db, projectId: string, doors: readonly Door[], credentials: readonly string[], at: Date): Promise<Passage[]> {
  if (credentials.length === 0 || !doors.some(({ antiPassback }) => antiPassback?.way === 'in')) return [];
  const { rows } = await db.execute<{ credential: string; way: 'in' | 'out'; area: string; at: number }>(sql`
    select distinct on (event.identifier_id, reader.area) event.identifier_id as credential, reader.way, reader.area,
      extract(epoch from event.occurred_at)::float8 as at
    from device_events event join (
      select device.id, device.settings->'additional'->'anti_passback'->>'way' as way,
        coalesce(nullif(lower(trim(device.settings->'additional'->'anti_passback'->>'area')), ''), device.domain_id::text) as area
      from devices device where device.project_id = ${projectId} and device.settings->'additional'->'anti_passback'->>'way' in ('in', 'out')
    ) reader on reader.id = event.device_id
    where event.identifier_id = any(${idArray(credentials)}) and event.type = 'access_granted' and event.occurred_at <= ${at.toISOString()}::timestamptz
    order by event.identifier_id, reader.area, event.occurred_at desc`);
  return rows.map((row) => ({ credentialId: row.credential, area: row.area, way: row.way, at: momentOf(row.at) ?? 0 }));
}

/** A device reads its clock and its holidays off the nearest group upwards that says any; where none names a zone, of the project, else the clock is UTC. */
export async function loadDoors(db: Db, devices: readonly string[]): Promise<Door[]> {
  const { rows } = await db.execute<DoorRow>(sql`
    select device.id, exists (select from elevator_controllers where device_id = device.id) as is_lift,
      coalesce(
        (select time_zone_name from groups up where up.id = any(own.path) and time_zone_name is not null order by cardinality(up.path) desc limit 1),
        (select value ->> 'time_zone_name' from project_settings where project_id = own.project_id and block = 'general')
      ) as zone,
      (select coalesce(json_agg(date::text order by date), '[]'::json) from group_holidays where group_id =
        (select up.id from groups up where up.id = any(own.path) and exists (select from group_holidays where group_id = up.id)
          order by cardinality(up.path) desc limit 1)) as holidays,
      device.settings->'additional'->'anti_passback' as passback, device.domain_id
    from devices device join groups own on own.id = device.domain_id where device.id = any(${idArray(devices)})`);
  return rows.map(({ id, is_lift, zone, holidays, passback, domain_id: group }) => ({
    id,
    isLift: is_lift,
    zone: { zoneHours: 0, zoneName: zone },
    holidays,
    antiPassback: antiPassbackOf(passback, group),
  }));
}

interface CredentialRow extends Record<string, unknown> {
  id: string;
  type: IdentifierType;
  value: string;
  user_id: string | null;
  domain_id: string | null;
  is_guest: boolean;
  is_active: boolean;
  is_revoked: boolean;
  is_lost: boolean;
  lock_numbers: number[];
  has_period: boolean;
  period_from: number | null;
  period_to: number | null;
  max: number | null;
  count: number;
}

const secondsOf = (column: string): SQL => sql.raw(`extract(epoch from ${column})::float8`);
const second = lengthOf(1, 'second');
const momentOf = (seconds: number | null): number | null => (seconds === null ? null : Math.round(Number(seconds) * second));

async function loadCredentials(db: Db, { projectId, credentials }: Wanted): Promise<{ credential: Credential; groupId: string | null }[]> {
  const { rows } = await db.execute<CredentialRow>(sql`
    select id, type, value, user_id, domain_id, owner_type = 'guest' as is_guest, is_active, revoked_at is not null as is_revoked,
      lost_at is not null as is_lost, array_to_json(lock_numbers) as lock_numbers, period_restrict_active as has_period,
      ${secondsOf('period_restrict_from')} as period_from, ${secondsOf('period_restrict_to')} as period_to,
      case when passes_restrict_active then passes_max_count end as max, passes_count as count
    from identifiers where project_id = ${projectId} and ${credentials}`);
  return rows.map((row) => ({
    groupId: row.domain_id,
    credential: {
      id: row.id,
      type: row.type,
      value: row.value,
      ownerId: row.user_id,
      isGuest: row.is_guest,
      isActive: row.is_active,
      isRevoked: row.is_revoked,
      isLost: row.is_lost,
      period: row.has_period ? { from: momentOf(row.period_from), to: momentOf(row.period_to) } : null,
      passes: row.max === null ? null : { count: row.count, max: row.max },
      locks: row.lock_numbers,
    },
  }));
}

interface PersonRow extends Record<string, unknown> {
  id: string;
  is_barred: boolean;
  groups: string[];
  own: LicenceInfo;
}

async function loadPeople(db: Db, owners: readonly string[]): Promise<PersonRow[]> {
  if (owners.length === 0) return [];
  const { rows } = await db.execute<PersonRow>(sql`
    select id, elevator_access_disabled as is_barred, license_info as own,
      (select coalesce(json_agg(group_id order by group_id), '[]'::json) from user_domains where user_id = users.id) as groups
    from users where id = any(${idArray(owners)})`);
  return rows;
}

async function loadParents(db: Db, groups: readonly string[]): Promise<{ id: string; parentId: string | null }[]> {
  if (groups.length === 0) return [];
  const { rows } = await db.execute<{ id: string; parent: string | null }>(sql`
    select id, parent_id as parent from groups where id in (select unnest(path) from groups where id = any(${idArray(groups)}))`);
  return rows.map(({ id, parent }) => ({ id, parentId: parent }));
}

/** Reads the part of a project's world that some questions are about. */
async function loadWorld(reader: LicenceReader, wanted: Wanted): Promise<World> {
  const { db } = reader;
  const [rules, doors] = [await loadRules(db, wanted.devices), await loadDoors(db, wanted.devices)];
  const reserved = await loadReservations(db, wanted.devices, wanted.at);
  const found = await loadCredentials(db, wanted);
  const people = await loadPeople(db, [...new Set(found.flatMap(({ credential }) => credential.ownerId ?? []))]);
  const groups = [...new Set(people.flatMap((person) => person.groups))];
  const licences = await loadLicences(
    reader,
    wanted.projectId,
    wanted.at,
    found.map(({ credential }) => credential),
  );
  return worldOf({
    rules: [...rules, ...reserved.rules],
    doors,
    schedules: [...(await loadSchedules(db, rules)), ...reserved.schedules],
    credentials: found.map(({ credential }) => credential),
    people: people.map(({ id, is_barred, groups: own, own: flags }) => ({
      id,
      isActive: true,
      isBarredFromLifts: is_barred,
      groups: own,
      licences: licences.of(own, flags),
    })),
    parents: await loadParents(db, groups),
    passages: await loadPassages(
      db,
      wanted.projectId,
      doors,
      found.map(({ credential }) => credential.id),
      wanted.at,
    ),
    licences: licences.ofProject,
  });
}

/** An identifier as a condition: by its id, or by type and value. */
export const credentialIs = (credential: { id: string } | { type: IdentifierType; value: string }): SQL =>
  'id' in credential ? sql`id = ${credential.id}` : sql`type = ${credential.type} and value = ${credential.value}`;

/** The identifiers that some permitting rule lets in at one of these devices, at whatever time. */
const credentialsReaching = (devices: readonly string[], at: Date): SQL => sql`(
  id in (select identifier_id from access_rule_identifiers where rule_id in ${permitting(devices)})
  or user_id in (select user_id from access_rule_users where rule_id in ${permitting(devices)})
  or user_id in ${bookersAt(devices, at)}
  or user_id in (select user_id from elevator_rule_users where rule_id in (select rule_id from elevator_rule_floors
    where elevator_id in (select elevator_id from elevator_controllers where device_id = any(${idArray(devices)}))))
  or user_id in (select people.user_id from user_domains people join groups held on held.id = people.group_id
    where held.path && array(select group_id from access_rule_groups where rule_id in ${permitting(devices)})))`;
const permitting = (devices: readonly string[]): SQL =>
  sql`(select rule_id from access_rule_devices join access_rules on id = rule_id where device_id = any(${idArray(devices)}) and not prohibition)`;

/** What one question needs. */
export const worldForQuestion = (
  reader: LicenceReader,
  { projectId, deviceId, credential, at }: { projectId: string; deviceId: string; credential: Parameters<typeof credentialIs>[0]; at: Date },
): Promise<World> => loadWorld(reader, { projectId, devices: [deviceId], credentials: credentialIs(credential), at });

/** What the whole copies of some devices need. */
export const worldForDevices = (reader: LicenceReader, { projectId, ids }: { projectId: string; ids: readonly string[] }, at: Date): Promise<World> =>
  loadWorld(reader, { projectId, devices: ids, credentials: credentialsReaching(ids, at), at });

/** What a page of people and doors needs: the identifiers of these people, and these devices. */
export const worldForPage = (
  reader: LicenceReader,
  { projectId, people, devices, at }: { projectId: string; people: readonly string[]; devices: readonly string[]; at: Date },
): Promise<World> => loadWorld(reader, { projectId, devices, credentials: sql`user_id = any(${idArray(people)})`, at });
