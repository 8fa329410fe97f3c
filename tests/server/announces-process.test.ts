import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import type { AnnounceDelivery } from '#models/announce-calls.ts';
import { runAnnounces } from '#server/announces/announcer.ts';
import { loadConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/open.ts';
import { makeLog } from '#server/http/log.ts';
import { seededRandom } from '#server/random.ts';
import { isFull } from '#tests/support/extent.ts';
import { request, setProcesses, tokenAt } from './process.ts';
import { systemTimers } from '#server/timers.ts';
import { inTime } from '#tests/support/in-time.ts';

const { start, world } = setProcesses();
const people = isFull ? 5_000 : 400;

const dataOf = async <T>(url: string, token: string, method: 'GET' | 'PUT' | 'POST', path: string, body?: unknown): Promise<T> => {
  const { json } = await request(url, method, path, token, body);
  return (json as { data: T }).data;
};
/** How long a page of users takes, the 95th of a hundred, ms. */
async function p95(url: string, token: string, count: number): Promise<number> {
  const took: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const began = performance.now();
    await dataOf(url, token, 'GET', '/users?size=20');
    took.push(performance.now() - began);
  }
  return took.toSorted((one, other) => one - other)[Math.floor(count * 0.95) - 1] ?? 0;
}

it(`an announcement to ${people} people goes on after a kill -9, and reaches each at most once`, async () => {
  const data = await world.copy();
  await world.crowd(data, people);
  const first = await start({ DOORWARD_DATA: data });
  await first.ready;
  const token = await tokenAt(first.url, 'boss');
  const filters = JSON.stringify({ match: 'match_all', items: [{ field: 'login', rule: 'equals', value: 'crowd1' }] });
  const [crowd] = await dataOf<{ domains: { id: string }[] }[]>(first.url, token, 'GET', `/users?size=10&filters=${encodeURIComponent(filters)}`);
  const id = await dataOf<string>(first.url, token, 'PUT', '/announces', {
    title: 'Water off',
    body: '<p>From <strong>9</strong> to 11</p>',
    send_via: ['email'],
    domains: crowd?.domains.map((group) => group.id),
  });
  const quiet = await p95(first.url, token, 100);
  await dataOf(first.url, token, 'POST', `/announces/${id}/start`);
  const busy = await p95(first.url, token, 100);
  console.info(`p95 of the list of users: quiet ${quiet.toFixed(1)} ms, while it is sent ${busy.toFixed(1)} ms`);
  // A portion holds people up, never the whole of the work.
  expect(busy).toBeLessThan(inTime(1_000));
  const delivery = (url: string, by: string) => dataOf<AnnounceDelivery>(url, by, 'GET', `/announces/${id}/delivery`);
  expect((await delivery(first.url, token)).recipients).toBeGreaterThanOrEqual(people);
  first.child.kill('SIGKILL');
  await first.exit;

  const config = { ...loadConfig({}), data };
  const { db, listen, close } = await openDatabase(config);
  const counted = async () => {
    const notified = sql`select user_id from notifications where type = 'announce_received'`;
    const written = sql`select user_id from mails where subject = 'Water off'`;
    const twice = sql`(${notified} group by user_id having count(*) > 1) union all (${written} group by user_id having count(*) > 1)`;
    const { rows } = await db.execute<Record<'notified' | 'written' | 'doubled' | 'open' | 'recipients' | 'mailable', number>>(sql`select
      (select count(*)::int from (${notified}) t) as notified, (select count(*)::int from (${written}) w) as written,
      (select count(*)::int from (${twice}) d) as doubled,
      (select count(*)::int from announce_messages where state = 'queued' and mail_id is null) as open,
      (select count(*)::int from announce_recipients) as recipients,
      (select count(*)::int from announce_messages where channel = 'email') as mailable`);
    const [row] = rows;
    if (!row) throw new Error('nothing was counted');
    return row;
  };
  const half = await counted();
  expect(half.recipients).toBeGreaterThanOrEqual(people);
  expect(half.doubled).toBe(0);
  expect(half.notified + half.written).toBeGreaterThan(0);
  expect(half.open).toBeGreaterThan(0);

  // The next server finds what the one before left, and goes on.
  await runAnnounces({ config, db, listen, log: makeLog('silent'), now: () => new Date(), timers: systemTimers, random: seededRandom(1) });
  const done = await counted();
  expect(done).toEqual({ ...half, notified: half.recipients, written: half.mailable, open: 0, doubled: 0 });
  await close();
}, 600_000);
