import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { loadConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/open.ts';
import { makeLog } from '#server/http/log.ts';
import { remindOfReservations } from '#server/modules/amenity-reservations/reminders.ts';
import { seededRandom } from '#server/random.ts';
import { request, setProcesses, tokenAt } from './process.ts';
import { systemTimers } from '#server/timers.ts';

const { start, world } = setProcesses();
const count = 400;

it('reminders go on after a kill -9, and each comes once', async () => {
  const data = await world.copy();
  const config = { ...loadConfig({}), data };
  const before = await openDatabase(config);
  // One room each, reserved yesterday for an hour from now, by somebody with a mailbox.
  await before.db.execute(sql`update users set email = 'boss@example.org' where login = 'boss'`);
  await before.db.execute(sql`with made as (
      insert into amenities (project_id, name, time_slots) select project_id, 'Room ' || n, '{"duration":3600,"items":[]}'::jsonb
      from users, generate_series(1, ${count}::int) n where login = 'boss' returning id, project_id)
    insert into amenity_reservations (project_id, amenity_id, user_id, persons, date, from_seconds, to_seconds, starts_at, ends_at, user_offset, created_at)
    select made.project_id, made.id, users.id, 1, current_date, 0, 3600, now() + interval '1 hour', now() + interval '2 hours', 0, now() - interval '1 day'
    from made, users where users.login = 'boss'`);
  await before.close();

  const first = await start({ DOORWARD_DATA: data });
  await first.ready;
  const token = await tokenAt(first.url, 'boss');
  const unread = async (): Promise<number> => {
    const { json } = await request(first.url, 'GET', '/notifications/unread', token);
    return (json as { data: { unread: number } }).data.unread;
  };
  while ((await unread()) === 0) await pause(5);
  first.child.kill('SIGKILL');
  await first.exit;

  const { db, listen, close } = await openDatabase(config);
  const counted = async () => {
    const { rows } = await db.execute<Record<'notified' | 'twice' | 'mailed' | 'marked', number>>(sql`select
      (select count(*)::int from notifications where type = 'reservation_reminder') as notified,
      (select count(*)::int from (select from notifications where type = 'reservation_reminder' group by data ->> 'title' having count(*) > 1) t) as twice,
      (select count(distinct subject)::int from mails where subject like '%Room %') as mailed,
      (select count(*)::int from amenity_reservations where reminded_at is not null) as marked`);
    const [row] = rows;
    if (!row) throw new Error('nothing was counted');
    return row;
  };
  const half = await counted();
  expect(half.notified).toBeGreaterThan(0);
  expect(half.notified).toBeLessThan(count);
  // What was said, and that it was said, stand together.
  expect(half).toEqual({ notified: half.notified, twice: 0, mailed: half.notified, marked: half.notified });

  const services = { config, db, listen, log: makeLog('silent'), now: () => new Date(), timers: systemTimers, random: seededRandom(1) };
  expect(await remindOfReservations(services)).toBe(count - half.notified);
  expect(await counted()).toEqual({ notified: count, twice: 0, mailed: count, marked: count });
  expect(await remindOfReservations(services)).toBe(0);
  await close();
}, 300_000);
