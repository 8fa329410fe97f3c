import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { idArray } from '#server/access/scope.ts';
import type { Db } from '#server/db/open.ts';
import { readTogether } from '../shared-reads.ts';

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
  /** The same in words, as people read it. */
  place: string | null;
  /** All groups of the person; of a device or a group the one. */
  groups: readonly string[];
  /** Codes of the person's role; none for devices and groups. */
  permissions: readonly string[];
  forwardMode: string;
  /** Of a device: seconds it talks at most. */
  talkSeconds: number | null;
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
  place: string | null;
  groups: string[];
  permissions: string[] | null;
  forward_mode: string;
  talk: string | null;
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
  place: row.place,
  groups: row.groups,
  permissions: row.permissions ?? [],
  forwardMode: row.forward_mode,
  talkSeconds: row.talk === null ? null : Number(row.talk),
});

const dialect = new PgDialect();
/** Rows of a query that many calls may ask at once. */
function rowsOf<Row extends Record<string, unknown>>(db: Db, query: SQL): Promise<Row[]> {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return readTogether(db, [text, params], async () => (await db.execute<Row>(query)).rows);
}

/** The active numbers that a condition on `sip_numbers n` names, with who stands behind them. */
async function holders(db: Db, condition: SQL): Promise<Holder[]> {
  const rows = await rowsOf<HolderRow>(
    db,
    sql`
    select n.number, n.id as number_id, coalesce(u.name, d.name, g.name, n.name) as name, n.project_id, n.user_id, n.device_id, n.domain_id,
      place.id as group_id, to_json(place.path) as path,
      (select string_agg(a.name, ' · ' order by cardinality(a.path)) from groups a where a.id = any(place.path)) as place,
      to_json(case when n.user_id is null then array_remove(array[place.id], null)
        else array(select m.group_id from user_domains m where m.user_id = n.user_id order by 1) end) as groups,
      to_json(r.permissions) as permissions, n.forward_mode, d.settings->'sip'->>'talk_timeout' as talk
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
      and exists (select 1 from call_interceptions i where i.user_id = n.user_id and i.is_active and i.group_ids && ${idArray(path)}
        and exists (select 1 from groups g where g.id = any(i.group_ids) and g.id = any(${idArray(path)})))`,
  );

/** The numbers of a group's people, and its own. */
export const numbersOfGroup = (db: Db, groupId: string): Promise<Holder[]> =>
  holders(db, sql`(n.domain_id = ${groupId} or exists (select 1 from user_domains m where m.user_id = n.user_id and m.group_id = ${groupId}))`);

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
