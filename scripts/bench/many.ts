import { sql } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { familyNames, givenNames } from '#server/db/demo/names.ts';

/** `BENCH_SCALE=0.1` measures with a tenth of the rows, while one develops. */
export const scale = Number(process.env['BENCH_SCALE'] ?? 1);
export const manyPeople = Math.round(100_000 * scale);
export const manyRows = Math.round(1_000_000 * scale);
/** Rows that one statement writes. */
const atOnce = 50_000;

/** A list of texts as SQL writes it. */
const array = (texts: readonly string[]) => sql.raw(`array[${texts.map((text) => `'${text.replaceAll("'", "''")}'`).join(', ')}]`);

/** People who live where the demo's resident does. */
export async function addPeople(db: Db, count: number): Promise<void> {
  await db.execute(sql`with resident as (select u.* from users u where u.login = 'resident'),
      made as (insert into users (project_id, role_id, login, name, email, phone, license_info, activated_at)
        select project_id, role_id, 'crowd' || n, (${array(givenNames)})[1 + n % ${givenNames.length}::int] || ' ' || (${array(familyNames)})[1 + (n / 16) % ${familyNames.length}::int] || ' ' || n,
          'crowd' || n || '@riverside.example', '+4930' || (1000000 + n * 7), license_info, 1 from resident, generate_series(1, ${count}::int) n returning id)
    insert into user_domains (user_id, group_id) select made.id, d.group_id from made, user_domains d join resident on resident.id = d.user_id`);
}

/** Events of the project's doors over the last two years: whose, where, with what, and whether they were let in. */
export async function addEvents(db: Db, count: number): Promise<void> {
  await db.execute(sql`create temporary table crowd as select row_number() over () as at, id, name from users where login like 'crowd%'`);
  await db.execute(sql`create temporary table readers as select row_number() over () as at, id, name, project_id from devices
    where project_id = (select project_id from users where login = 'admin' limit 1)`);
  await db.execute(sql`create unique index on crowd (at)`);
  await db.execute(sql`create unique index on readers (at)`);
  await db.execute(sql`analyze crowd`);
  await db.execute(sql`analyze readers`);
  for (let from = 0; from < count; from += atOnce)
    await db.execute(sql`insert into device_events (project_id, device_id, device_name, type, priority, user_id, user_name, identifier_type, identifier_mask, reason, data, occurred_at, created_at)
      select r.project_id, r.id, r.name, case when n % 11 = 0 then 'access_denied' when n % 7 = 0 then 'exit_button' when n % 5 = 0 then 'door_opened' else 'access_granted' end, 'low', p.id, p.name, 'card',
        lpad((n % 10000)::text, 4, '0'), case when n % 11 = 0 then 'no_rule' end, jsonb_build_object('rule', 'Residents', 'schedule', 'Always'), t.then, t.then
      from generate_series(${from + 1}::int, ${Math.min(count, from + atOnce)}::int) n
        join crowd p on p.at = 1 + (n::bigint * 7919) % (select count(*) from crowd) join readers r on r.at = 1 + (n::bigint * 104729 / 13) % (select count(*) from readers),
        lateral (select now() - n * interval '730 days' / ${count}::int as then) t`);
}

/** Entries of the audit trail over the last two years. */
export async function addEntries(db: Db, count: number): Promise<void> {
  for (let from = 0; from < count; from += atOnce)
    await db.execute(sql`insert into audit_events (project_id, area, entity_id, entity_name, action, user_id, user_name, ip, changes, groups, created_at)
      select a.project_id, case n % 3 when 0 then 'users' when 1 then 'identifiers' else 'devices' end, gen_random_uuid(), 'Entry ' || n, case n % 4 when 0 then 'create' else 'update' end, a.id, a.name, '192.0.2.' || n % 250,
        jsonb_build_object('name', jsonb_build_object('before', 'Before ' || n, 'after', 'Entry ' || n)), d.groups, now() - n * interval '730 days' / ${count}::int
      from generate_series(${from + 1}::int, ${Math.min(count, from + atOnce)}::int) n, (select * from users where login = 'admin' limit 1) a,
        lateral (select array_agg(group_id) as groups from user_domains where user_id = a.id) d`);
}
