import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { familyNames, givenNames } from '#server/db/demo/names.ts';
import { vacuumOutgrown } from '#server/db/vacuum.ts';
import type { TestServer } from '#tests/server/support.ts';

const people = 100_000;
/** A list of texts as SQL writes it. */
const array = (texts: readonly string[]) => sql.raw(`array[${texts.map((text) => `'${text.replaceAll("'", "''")}'`).join(', ')}]`);

/** Fills the demo with people, as a running server would have them by then: vacuumed, in the statistics. */
export async function fillPeople({ services }: TestServer): Promise<void> {
  const { db } = services;
  await db.execute(sql`
    insert into users (project_id, role_id, login, name, email, phone, license_info, created_at)
    select u.project_id, u.role_id, 'bench' || n, (${array(givenNames)})[1 + n % ${sql.raw(String(givenNames.length))}] || ' ' || (${array(familyNames)})[1 + (n / 16) % ${sql.raw(String(familyNames.length))}] || ' ' || n,
      'bench' || n || '@riverside.example', '+4930' || (1000000 + n * 7), u.license_info, now() - n * interval '1 minute'
    from generate_series(1, ${sql.raw(String(people))}) n, (select * from users where login = 'resident' limit 1) u`);
  await db.execute(
    sql`insert into user_domains (user_id, group_id) select x.id, (select group_id from user_domains d join users r on r.id = d.user_id where r.login = 'resident' limit 1) from users x where x.login like 'bench%' on conflict do nothing`,
  );
  // What was written reaches the statistics within a second.
  await setTimeout(1_500);
  await vacuumOutgrown(services);
}
