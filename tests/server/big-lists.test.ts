import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { vacuumOutgrown } from '#server/db/vacuum.ts';
import { inTime } from '#tests/support/in-time.ts';
import { buildEstate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

const rows = 100_000;
let server: TestServer;
let admin: Person;
let manager: Person;

beforeAll(async () => {
  server = await openTestServer({ config: { checkAnswers: false } });
  const estate = await buildEstate(server.services);
  admin = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town] });
  manager = await makePerson(server, estate, { permissions: ['can_view_descendants_identifiers'], in: [estate.groups.north] });
  const { db } = server.services;
  // Every fourth belongs to the north, the others to nobody's group in particular.
  await db.execute(sql`
    insert into identifiers (project_id, type, value, name, domain_id, created_at)
    select ${estate.here}, 'card', upper(lpad(to_hex(n * 7), 8, '0')), 'Card ' || n,
      case when n % 4 = 0 then ${estate.groups.n1}::uuid else ${estate.groups.south}::uuid end, now() - n * interval '1 minute'
    from generate_series(1, ${rows}) n`);
  const anna = await makePerson(server, estate, { in: [estate.groups.n1], name: 'Anna of the card' });
  await db.execute(sql`update identifiers set user_id = ${anna.id} where name = 'Card 1'`);
  await db.execute(sql`analyze identifiers`);
  await vacuumOutgrown(server.services);
});
afterAll(() => server.close());

const filter = (field: string, rule: string, value: unknown): string =>
  encodeURIComponent(JSON.stringify({ match: 'match_all', items: [{ field, rule, value }] }));

interface Page {
  data: { name: string }[];
  meta: { total: number };
}
/** A page as it comes, and the time of the quickest of three. */
async function page(who: Person, query: string): Promise<{ first: string | undefined; count: number; total: number; took: number }> {
  const times: number[] = [];
  let read: Page = { data: [], meta: { total: 0 } };
  for (let round = 0; round < 3; round += 1) {
    const begun = performance.now();
    const answer = await who.client.get(`/identifiers?${query}`);
    times.push(performance.now() - begun);
    read = answer.json() as Page;
  }
  return { first: read.data[0]?.name, count: read.data.length, total: read.meta.total, took: Math.min(...times) };
}

describe(`a list of ${rows} rows (C20)`, () => {
  it.each([
    ['the first page', 'size=20&sort=-created_at', 'Card 1', rows, 100],
    ['a page far behind', 'page=4000&size=20&sort=-created_at', 'Card 79981', rows, 100],
    ['by name', 'size=100&sort=name', 'Card 1', rows, 100],
    ['by a part of the name', `size=20&filters=${filter('name', 'contains', '77777')}`, 'Card 77777', 1, 50],
    ['by the number on a card, decimal', `size=20&filters=${filter('words', 'contains', '0000544439')}`, 'Card 77777', 1, 50],
    ['by a part of its owner’s name', `size=20&filters=${filter('words', 'contains', 'nna of the ca')}`, 'Card 1', 1, 50],
    ['by what is nowhere', `size=20&filters=${filter('words', 'contains', 'nowhere')}`, undefined, 0, 50],
    ['by the number on a card, in HEX', `size=20&filters=${filter('words', 'contains', '00084EB7')}`, 'Card 77777', 1, 50],
  ])('%s is there in time', async (_what, query, first, total, ms) => {
    const found = await page(admin, query);
    expect(found).toMatchObject({ first, total });
    expect(found.took).toBeLessThan(inTime(ms));
  });

  it.each([
    ['the first page', 'size=20&sort=-created_at', 'Card 1'],
    ['a page far behind', 'page=1000&size=20&sort=-created_at', 'Card 79920'],
  ])('%s is there in time for somebody who sees a quarter of them', async (_what, query, first) => {
    const found = await page(manager, query);
    expect(found).toMatchObject({ first, total: rows / 4 + 1 });
    expect(found.took).toBeLessThan(inTime(200));
  });

  it('is never sent whole', async () => {
    expect((await admin.client.get(`/identifiers?size=${rows}`)).statusCode).toBe(400);
    expect((await page(admin, 'size=100')).count).toBe(100);
  });
});
