import { type SQL, sql } from 'drizzle-orm';
import type { AreaName } from '#models/areas.ts';
import type { Db } from '../db/database.ts';
import { idArray } from './measures.ts';

const ofPeople = sql`select user_id as id, group_id from user_domains`;
const ofCalls = sql`select id, unnest(array[caller_domain_id, callee_domain_id]) as group_id from calls`;
const ofDevice = (table: SQL): SQL => sql`select own.id, devices.domain_id as group_id from ${table} own join devices on devices.id = own.device_id`;

const ofIdentifiers = sql`select id, domain_id as group_id from identifiers union all select own.id, people.group_id from identifiers own join (${ofPeople}) people on people.id = own.user_id`;

/** Which groups the rows of an area belong to, by id; null where they belong to none. */
const sources: Record<AreaName | 'conversations' | 'calls', SQL | null> = {
  users: ofPeople,
  groups: sql`select id, id as group_id from groups`,
  devices: sql`select id, domain_id as group_id from devices`,
  'device-tasks': ofDevice(sql`device_tasks`),
  'device-events': ofDevice(sql`device_events`),
  'access-control-events': ofDevice(sql`device_events`),
  'elevator-events': ofDevice(sql`device_events`),
  'device-alarms': sql`select id, domain_id as group_id from device_alarms`,
  'alarm-calls': sql`select id, domain_id as group_id from alarm_calls`,
  'sip-numbers': sql`select id, domain_id as group_id from sip_numbers union all ${ofDevice(sql`sip_numbers`)}
    union all select own.id, people.group_id from sip_numbers own join (${ofPeople}) people on people.id = own.user_id`,
  identifiers: ofIdentifiers,
  'guest-identifiers': ofIdentifiers,
  ukey2: ofIdentifiers,
  'sip-trunks': sql`select trunk_id as id, group_id from sip_trunk_groups`,
  integrations: sql`select id, domain_id as group_id from integrations union all select integration_id, group_id from integration_groups`,
  'mail-templates': sql`select id, domain_id as group_id from mail_templates`,
  announces: sql`select announce_id as id, group_id from announce_groups
    union all select announce_id, people.group_id from announce_users join (${ofPeople}) people on people.id = user_id`,
  'access-rules': sql`select rule_id as id, devices.domain_id as group_id from access_rule_devices join devices on devices.id = device_id
    union all select rule_id, group_id from access_rule_groups
    union all select rule_id, people.group_id from access_rule_users join (${ofPeople}) people on people.id = user_id`,
  'emergency-alerts': sql`select alert_id as id, group_id from emergency_alert_groups`,
  amenities: sql`select amenity_id as id, group_id from amenity_groups`,
  'amenity-reservations': sql`select own.id, people.group_id from amenity_reservations own join (${ofPeople}) people on people.id = own.user_id`,
  elevators: sql`select id, domain_id as group_id from elevators`,
  'elevator-access-rules': sql`select rule_id as id, elevators.domain_id as group_id from elevator_rule_floors join elevators on elevators.id = elevator_id
    union all select rule_id, people.group_id from elevator_rule_users join (${ofPeople}) people on people.id = user_id`,
  conversations: sql`select conversation_id as id, people.group_id from conversation_members join (${ofPeople}) people on people.id = user_id`,
  calls: ofCalls,
  'call-history': ofCalls,
  roles: null,
  'group-types': null,
  markers: null,
  'audit-events': null,
  'forward-rules': null,
  schedules: null,
};

const isSource = (area: string): area is keyof typeof sources => Object.hasOwn(sources, area);

/** The groups that rows belong to at this moment, each with all groups above it, by row; rows that belong to none are left out. */
export async function groupsOf(db: Db, area: string, ids: readonly string[]): Promise<Map<string, string[]>> {
  const source = isSource(area) ? sources[area] : null;
  if (!source || ids.length === 0) return new Map();
  const { rows } = await db.execute<{ id: string; groups: string[] }>(sql`
    select place.id, to_json(array_agg(distinct part)) as groups from (${source}) place join groups held on held.id = place.group_id, unnest(held.path) part
    where place.id = any(${idArray(ids)}) group by place.id`);
  return new Map(rows.map(({ id, groups }) => [id, groups]));
}
