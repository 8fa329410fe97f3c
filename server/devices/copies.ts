import { eq, inArray, type SQL, sql } from 'drizzle-orm';
import { terseCopy, sentCopy } from '../access/copy-wire.ts';
import type { DeviceCopy } from '../access/device-copy.ts';
import { idArray } from '../access/measures.ts';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { deviceCopies } from '../db/schema/index.ts';
import { queueTask } from './queue.ts';

/** What devices were sent last and answered to hold, by device; none of those of which nothing is kept, or nothing that can be read any more. */
export async function acknowledgedCopies(db: Db, deviceIds: readonly string[]): Promise<ReadonlyMap<string, DeviceCopy>> {
  const { deviceId, copy } = deviceCopies;
  const stored = await db
    .select({ id: deviceId, copy })
    .from(deviceCopies)
    .where(inArray(deviceId, [...deviceIds]));
  return new Map(
    stored.flatMap((row) => {
      const read = sentCopy.safeParse(row.copy);
      return read.success ? [[row.id, read.data] as const] : [];
    }),
  );
}
/** The same of one device; null where it would be none of those. */
export const acknowledgedCopy = async (db: Db, deviceId: string): Promise<DeviceCopy | null> =>
  (await acknowledgedCopies(db, [deviceId])).get(deviceId) ?? null;

/** Keeps what a device answered to hold. */
export async function storeCopy(db: Db, copy: DeviceCopy, at: Date): Promise<void> {
  const copyRow = { version: copy.version, copy: terseCopy(copy), acknowledgedAt: at };
  await db
    .insert(deviceCopies)
    .values({ deviceId: copy.door.id, ...copyRow })
    .onConflictDoUpdate({ target: deviceCopies.deviceId, set: copyRow });
}

/** Areas whose rows devices hold a part of, and the fields that no device is told: a change of those alone concerns none. */
const withheld: Readonly<Record<string, readonly string[]>> = {
  identifiers: ['name', 'description', 'guest_type', 'key_message', 'photo'],
  'guest-identifiers': ['name', 'guestType', 'keyMessage'],
  ukey2: ['name', 'description'],
  'access-rules': ['name', 'description', 'is_shareable'],
  schedules: ['name', 'description'],
  elevators: ['name', 'description', 'domain_id'],
  'elevator-access-rules': ['name', 'description'],
  'amenity-reservations': ['numberOfPersons', 'user_offset'],
};
/** The fields of other areas that devices are told something of. */
const sent: Readonly<Record<string, readonly string[]>> = {
  users: ['domains', 'access_rules', 'identifiers', 'license_info', 'elevator_access_disabled'],
  groups: ['parent_id', 'users', 'access_rules', 'time_zone_name', 'holidays', 'licenseInfo'],
  devices: ['domain', 'access_rules'],
  amenities: ['accessRules', 'is_active'],
};

/** Whether a change of these fields of a row concerns devices at all. */
export const concernsDevices = (area: string, fields: readonly string[]): boolean =>
  area in withheld ? fields.some((field) => !withheld[area]?.includes(field)) : fields.some((field) => sent[area]?.includes(field));

const devicesOf = (rules: SQL): SQL => sql`select device_id from access_rule_devices where rule_id in (${rules})`;
/** The rules of the amenities that are reserved from now on. */
const rulesOfReservations = (which: SQL): SQL => sql`
  select given.rule_id from amenity_rules given join amenity_reservations booking on booking.amenity_id = given.amenity_id where booking.ends_at > now() and ${which}`;
/** The rules that reach people, by themselves, by their groups or by what they carry. */
const rulesOfPeople = (people: SQL): SQL => sql`
  select rule_id from access_rule_users where user_id in (${people})
  union select rule_id from access_rule_identifiers join identifiers on identifiers.id = identifier_id where user_id in (${people})
  union select rule_id from access_rule_groups where group_id in
    (select unnest(held.path) from user_domains place join groups held on held.id = place.group_id where place.user_id in (${people}))
  union ${rulesOfReservations(sql`booking.user_id in (${people})`)}`;
const liftsOfPeople = (people: SQL): SQL => sql`
  select device_id from elevator_controllers controller join elevator_rule_floors named on named.elevator_id = controller.elevator_id
    join elevator_rule_users link on link.rule_id = named.rule_id where link.user_id in (${people})`;

/** The devices that rows of an area stand behind at this moment. */
function concernedBy(area: string, ids: SQL): SQL | null {
  switch (area) {
    case 'identifiers':
    case 'guest-identifiers':
    case 'ukey2': {
      const owners = sql`select user_id from identifiers where id = any(${ids})`;
      return sql`${devicesOf(sql`select rule_id from access_rule_identifiers where identifier_id = any(${ids}) union ${rulesOfPeople(owners)}`)}
        union ${liftsOfPeople(owners)}`;
    }
    case 'users': {
      // Devices hold identifiers: of who carries none they know nothing.
      const people = sql`select user_id from identifiers where user_id = any(${ids})`;
      return sql`${devicesOf(rulesOfPeople(people))} union ${liftsOfPeople(people)}`;
    }
    case 'access-rules':
      return sql`select device_id from access_rule_devices where rule_id = any(${ids})`;
    case 'amenities':
      return devicesOf(rulesOfReservations(sql`booking.amenity_id = any(${ids})`));
    case 'amenity-reservations':
      return devicesOf(rulesOfReservations(sql`booking.id = any(${ids})`));
    case 'schedules':
      return devicesOf(sql`select rule_id from access_rule_schedules where schedule_id = any(${ids})`);
    case 'elevators':
      return sql`select device_id from elevator_controllers where elevator_id = any(${ids})`;
    case 'elevator-access-rules':
      return sql`select device_id from elevator_controllers where elevator_id in (select elevator_id from elevator_rule_floors where rule_id = any(${ids}))`;
    case 'groups':
      return sql`select devices.id from devices join groups held on held.id = domain_id where held.path && ${ids}
        union ${devicesOf(sql`select rule_id from access_rule_groups where group_id in (select unnest(path) from groups where path && ${ids})`)}`;
    case 'devices':
      return sql`select id from unnest(${ids}) id where id in (select device_id from access_rule_devices union select device_id from device_copies
        union select device_id from elevator_controllers)`;
    default:
      return null;
  }
}

/** The devices that rows of an area stand behind at this moment; none of an area that devices know nothing of. */
export async function devicesConcerned(tx: Db, area: string, ids: readonly string[]): Promise<string[]> {
  const concerned = ids.length === 0 ? null : concernedBy(area, idArray(ids));
  if (!concerned) return [];
  const { rows } = await tx.execute<{ id: string }>(sql`select id from devices where protocol <> 'none' and id in (${concerned}) order by id`);
  return rows.map(({ id }) => id);
}

/**
 * Lets devices be told what has changed for them, within the change. A device that has such a task ahead of it needs no second one: what it is told is
 * read when it is told. One whose task has begun is told again.
 */
export async function queueSynchronise(tx: Db, deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length === 0) return;
  // Held, so that none of them begins before this change stands.
  const { rows: ahead } = await tx.execute<{ id: string }>(sql`
    select device_id as id from device_tasks where device_id = any(${idArray(deviceIds)}) and kind in ('synchronise', 'reinit')
      and status in ('new', 'queued', 'waiting') order by id for update`);
  const waiting = new Set(ahead.map(({ id }) => id));
  const missing = [...new Set(deviceIds)].filter((id) => !waiting.has(id)).toSorted();
  if (missing.length === 0) return;
  const { rows } = await tx.execute<{ id: string; project: string }>(
    sql`select id, project_id as project from devices where id = any(${idArray(missing)}) and protocol <> 'none' order by id`,
  );
  for (const { id, project } of rows)
    await queueTask(tx, { projectId: project, deviceId: id, kind: 'synchronise', payload: { difference: true }, createdBy: null });
}

/** Runs a change of rows that devices hold a part of, and lets the devices know that it concerns, before or after it. */
export async function notifyingDevices<T>(tx: Db, area: string, ids: readonly string[], change: () => Promise<T>): Promise<T> {
  const before = await devicesConcerned(tx, area, ids);
  const result = await change();
  await queueSynchronise(tx, [...before, ...(await devicesConcerned(tx, area, ids))]);
  return result;
}

/** A device that came says what it decides by: where that is not what it was thought to hold, it is told the whole. */
export async function repairCopy({ db }: Pick<Services, 'db'>, { id }: { id: string }, version: string | null): Promise<void> {
  await db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ version: string }>(sql`select version from device_copies where device_id = ${id} for update`);
    if (rows[0] === undefined || rows[0].version === version) return;
    // What is kept is not so: without it the whole is sent.
    await tx.delete(deviceCopies).where(eq(deviceCopies.deviceId, id));
    await queueSynchronise(tx, [id]);
  });
}
