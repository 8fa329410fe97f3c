import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { hasDoor } from '#models/device-models.ts';
import { idArray } from '#server/access/measures.ts';
import type { SipSettings } from '#models/sip-settings.ts';
import type { Db } from '#server/db/database.ts';
import { singleFlight } from '../single-flight.ts';

/** A group on the way down to a place. */
export interface Step {
  id: string;
  name: string;
}

/** A number and who stands behind it. */
export interface Holder {
  number: string;
  numberId: string;
  name: string | null;
  projectId: string;
  userId: string | null;
  deviceId: string | null;
  /** The group whose general number it is. */
  domainId: string | null;
  /** Where it belongs: the group itself, the device's, the person's first. */
  groupId: string | null;
  /** From the highest group down to `groupId`. */
  path: readonly string[];
  /** The same by name. */
  place: readonly Step[];
  /** All groups of the person; of a device or a group the one. */
  groups: readonly string[];
  /** Those, with all groups above them: whoever has one of these in their tree knows the person. */
  paths: readonly string[];
  /** Codes of the person's role; none for devices and groups. */
  permissions: readonly string[];
  forwardMode: string;
  /** A device whose door opens from afar. */
  hasDoor: boolean;
  /** Of a device: seconds it talks at most. */
  talkSeconds: number | null;
  /** Of a device with a door (all but monitors) its groups, from the highest down. */
  door: readonly string[] | null;
}

interface HolderRow extends Record<string, unknown> {
  number: string;
  number_id: string;
  name: string | null;
  project_id: string;
  user_id: string | null;
  device_id: string | null;
  domain_id: string | null;
  group_id: string | null;
  path: string[] | null;
  place: Step[] | null;
  groups: string[];
  paths: string[];
  permissions: string[] | null;
  forward_mode: string;
  talk: string | null;
  door: string[] | null;
  device_type: string | null;
  device_model: string | null;
}

const holderOf = (row: HolderRow): Holder => ({
  number: row.number,
  numberId: row.number_id,
  name: row.name,
  projectId: row.project_id,
  userId: row.user_id,
  deviceId: row.device_id,
  domainId: row.domain_id,
  groupId: row.group_id,
  path: row.path ?? [],
  place: row.place ?? [],
  groups: row.groups,
  paths: row.paths,
  permissions: row.permissions ?? [],
  forwardMode: row.forward_mode,
  hasDoor: hasDoor({ type: row.device_type, model: row.device_model }),
  talkSeconds: row.talk === null ? null : Number(row.talk),
  door: row.door,
});

/** The groups of a device that has a door to open, from the highest down; null for any other. */
export const doorOf = (deviceId: SQL): SQL =>
  sql`(select coalesce(to_json(standing.path), '[]') from devices door left join groups standing on standing.id = door.domain_id
    where door.id = ${deviceId} and door.type <> 'monitor')`;

const dialect = new PgDialect();
/** Rows of a query that many calls may ask at once. */
function rowsOf<Row extends Record<string, unknown>>(db: Db, query: SQL): Promise<Row[]> {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return singleFlight(db, [text, params], async () => (await db.execute<Row>(query)).rows);
}

/** The active numbers that a condition on `sip_numbers n` names, with who stands behind them. */
async function holders(db: Db, condition: SQL): Promise<Holder[]> {
  const rows = await rowsOf<HolderRow>(
    db,
    sql`
    select n.number, n.id as number_id, coalesce(u.name, d.name, g.name, n.name) as name, n.project_id, n.user_id, n.device_id, n.domain_id,
      place.id as group_id, to_json(place.path) as path,
      (select json_agg(json_build_object('id', a.id, 'name', a.name) order by cardinality(a.path)) from groups a where a.id = any(place.path)) as place,
      to_json(case when n.user_id is null then array_remove(array[place.id], null)
        else array(select m.group_id from user_domains m where m.user_id = n.user_id order by 1) end) as groups,
      to_json(array(select distinct part from groups held, unnest(held.path) part
        where held.id in (place.id, n.domain_id) or held.id in (select m.group_id from user_domains m where m.user_id = n.user_id))) as paths,
      to_json(r.permissions) as permissions, n.forward_mode, d.settings->'sip'->>'talk_timeout' as talk, ${doorOf(sql`n.device_id`)} as door,
       d.type as device_type, d.model as device_model
    from sip_numbers n
      left join users u on u.id = n.user_id left join roles r on r.id = u.role_id
      left join devices d on d.id = n.device_id left join groups g on g.id = n.domain_id
      left join groups place on place.id = coalesce(n.domain_id, d.domain_id,
        (select m.group_id from user_domains m where m.user_id = n.user_id order by 1 limit 1))
    where n.is_active and ${condition} order by length(n.number), n.number`,
  );
  return rows.map(holderOf);
}

/** Who stands behind a number; null for one that is unknown or switched off. */
export const holderOfNumber = async (db: Db, number: string): Promise<Holder | null> => (await holders(db, sql`n.number = ${number}`))[0] ?? null;

/** Those at the desk for calls of these groups: who may receive calls as a concierge and belongs to one of them, or to one above. */
export const deskOf = (db: Db, projectId: string, path: readonly string[]): Promise<Holder[]> =>
  holders(
    db,
    sql`n.project_id = ${projectId} and 'can_receive_call_as_concierge' = any(r.permissions)
      and exists (select 1 from user_domains m where m.user_id = n.user_id and m.group_id = any(${idArray(path)}))`,
  );

/** Those who intercept calls from a place at the moment. */
export const interceptorsOf = (db: Db, projectId: string, path: readonly string[]): Promise<Holder[]> =>
  holders(
    db,
    sql`n.project_id = ${projectId} and 'can_intercept_call_like_concierge' = any(r.permissions)
      and exists (select 1 from call_interceptions i where i.user_id = n.user_id and i.is_active and i.group_ids && ${idArray(path)})`,
  );

/** The numbers of a group's people, and its own. */
export const numbersOfGroup = (db: Db, groupId: string): Promise<Holder[]> =>
  holders(db, sql`(n.domain_id = ${groupId} or exists (select 1 from user_domains m where m.user_id = n.user_id and m.group_id = ${groupId}))`);

/** The numbers of the monitors that stand in a group and speak a protocol. */
export const monitorsOfGroup = (db: Db, groupId: string, protocol: SipSettings['auto_forward']['device_protocol']): Promise<Holder[]> =>
  holders(db, sql`d.domain_id = ${groupId} and d.type = 'monitor'${protocol === 'all' ? sql`` : sql` and d.protocol = ${protocol}`}`);

/** The general number of the nearest group with a desk, from a place upwards. */
export async function nearestQueue(db: Db, path: readonly string[]): Promise<Holder | null> {
  const found = await holders(
    db,
    sql`n.domain_id = any(${idArray(path)}) and exists (select 1 from user_domains m join users h on h.id = m.user_id join roles q on q.id = h.role_id
      where m.group_id = n.domain_id and 'can_receive_call_as_concierge' = any(q.permissions))`,
  );
  return found.toSorted((one, other) => path.indexOf(other.domainId ?? '') - path.indexOf(one.domainId ?? ''))[0] ?? null;
}

/** Does a group have people of its own who take its calls at a desk? */
export async function hasDesk(db: Db, groupId: string): Promise<boolean> {
  const rows = await rowsOf(
    db,
    sql`select 1 from user_domains m join users u on u.id = m.user_id join roles r on r.id = u.role_id
    where m.group_id = ${groupId} and 'can_receive_call_as_concierge' = any(r.permissions) limit 1`,
  );
  return rows.length > 0;
}

/** A group as it is called: by its general number, or by its logical address. */
export interface CalledGroup {
  id: string;
  name: string;
  path: readonly string[];
  forwardEnabled: boolean;
}
interface GroupRow extends Record<string, unknown> {
  id: string;
  name: string;
  path: string[];
  forward_enabled: boolean;
}
const calledGroup = ({ id, name, path, forward_enabled: forwardEnabled }: GroupRow): CalledGroup => ({ id, name, path, forwardEnabled });

export async function groupById(db: Db, id: string): Promise<CalledGroup | null> {
  const rows = await rowsOf<GroupRow>(db, sql`select id, name, to_json(path) as path, forward_enabled from groups where id = ${id}`);
  return rows[0] ? calledGroup(rows[0]) : null;
}

/** The group with a logical address that is nearest to a place: below the place, else below what is above it. */
export async function groupByAddress(db: Db, projectId: string, path: readonly string[], address: string): Promise<CalledGroup | null> {
  const rows = await rowsOf<GroupRow & { shared: string | number }>(
    db,
    sql`
    select g.id, g.name, to_json(g.path) as path, g.forward_enabled,
      (select count(*) from unnest(g.path) part where part = any(${idArray(path)})) as shared
    from groups g where g.project_id = ${projectId} and lower(g.logic_address) = ${address.toLowerCase()} and g.path && ${idArray(path)}
    order by shared desc, cardinality(g.path) desc, g.id limit 1`,
  );
  return rows[0] ? calledGroup(rows[0]) : null;
}
