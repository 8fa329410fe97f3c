import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mostCounted } from '#models/areas.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { topics } from '#models/realtime.ts';
import { Totals } from '#server/crud/totals.ts';
import { markers } from '#server/db/schema/index.ts';
import { publish } from '#server/realtime/publish.ts';
import { buildEstate, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let neighbour: Person;
beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town], login: 'boss' });
  neighbour = await makePerson(server, estate, {
    permissions: ['can_view_all_markers', 'can_view_users'],
    in: [estate.groups.n1],
    login: 'neighbour',
  });
});
afterAll(() => server.close());
// Each test begins with nothing known.
beforeEach(() => server.pass(61_000));

const totalOf = async (path: string, who = boss): Promise<number> => {
  const answer = await who.client.get(path);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ meta: { total: number } }>().meta.total;
};
let made = 0;
/** Puts a marker into the database as nobody does: nothing is announced, so that a total that is kept shows. */
const putSilently = (projectId = estate.here) =>
  server.services.db.insert(markers).values({ projectId, name: `Silent ${(made += 1)}`, color: '#112233' });
const say = (project: string, area: 'markers' | 'users' | 'groups' | 'audit-events') =>
  publish(server.services.db, project, topics.area(area), 'RowsChanged', { area, ids: [] });

describe('how many rows there are', () => {
  it('is counted once, and again when a row of the area has changed', async () => {
    const before = await totalOf('/markers');
    await putSilently();
    expect(await totalOf('/markers?page=2')).toBe(before);
    expect(await totalOf('/markers', neighbour)).toBe(before);
    await boss.client.put('/markers', { name: `Marker ${(made += 1)}`, color: '#112233' });
    expect(await totalOf('/markers')).toBe(before + 2);
  });

  it('is told anew after a minute in any case', async () => {
    const before = await totalOf('/markers');
    await putSilently();
    server.pass(59_000);
    expect(await totalOf('/markers')).toBe(before);
    server.pass(2_000);
    expect(await totalOf('/markers')).toBe(before + 1);
  });

  it('is kept for each filter, not for each order or page', async () => {
    const named = (text: string) =>
      `/markers?filters=${encodeURIComponent(JSON.stringify({ match: 'match_all', items: [{ field: 'name', rule: 'contains', value: text }] }))}`;
    const [silent, all] = [await totalOf(named('Silent')), await totalOf('/markers')];
    await putSilently();
    expect(await totalOf(`${named('silent')}&sort=-name&size=1`)).toBe(silent + 1);
    expect(await totalOf(`${named('Silent')}&sort=-name&size=1`)).toBe(silent);
    expect(await totalOf('/markers')).toBe(all);
  });

  it('is left alone by changes elsewhere: in another area, in another project', async () => {
    const before = await totalOf('/markers');
    await putSilently();
    await say(estate.here, 'groups');
    await say(estate.there, 'markers');
    expect(await totalOf('/markers')).toBe(before);
    await say(estate.here, 'markers');
    expect(await totalOf('/markers')).toBe(before + 1);
  });

  it('depends on other areas where what one may see does, but not on their logs', async () => {
    const before = await totalOf('/users', neighbour);
    await makePerson(server, estate, { in: [estate.groups.n1] });
    await say(estate.here, 'audit-events');
    expect(await totalOf('/users', neighbour)).toBe(before);
    await say(estate.here, 'groups');
    expect(await totalOf('/users', neighbour)).toBe(before + 1);
  });

  it('is counted up to ten thousand in long logs, where one more stands for all that follow', async () => {
    await server.services.db.execute(sql`insert into audit_events (project_id, area, entity_name, action)
      select ${estate.here}, 'users', 'Row ' || n, case when n <= 12 then 'delete' else 'update' end from generate_series(1, 10100) n`);
    await say(estate.here, 'audit-events');
    expect(await totalOf('/audit-events')).toBe(mostCounted + 1);
    const some = encodeURIComponent(JSON.stringify({ match: 'match_all', items: [{ field: 'action', rule: 'equals', value: ['delete'] }] }));
    expect(await totalOf(`/audit-events?filters=${some}`)).toBe(12);
    const answer = await boss.client.get('/audit-events?page=504&size=20');
    expect(answer.json<{ data: unknown[] }>().data).toHaveLength(20);
  });

  it('is not kept from a count that a change overtakes, nor where it changes with time alone', () => {
    const totals = new Totals(server.services);
    const of = (where = sql`true`) => totals.of(estate.here, 'users', where);
    const counting = of();
    totals.changed(estate.here, 'users');
    counting.store(5);
    expect(of().known).toBeNull();
    of().store(6);
    expect(of().known).toBe(6);
    of(sql`last_seen_at < now()`).store(3);
    expect(of(sql`last_seen_at < now()`).known).toBeNull();
    totals.forget();
    expect(of().known).toBeNull();
  });
});
