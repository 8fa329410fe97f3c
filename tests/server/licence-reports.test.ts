import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asc, eq, isNull, and } from 'drizzle-orm';
import type { Job } from '#models/job.ts';
import type { LicencesByPeriod, LicencesUsed } from '#models/licence-reports.ts';
import { groups, identifiers, licenceUse, mobileClients, sipNumbers } from '#server/db/schema/index.ts';
import { saveLicenceUse } from '#server/licences/use/save.ts';
import { heldAt } from '#server/licences/use/reckon.ts';
import { buildEstate, clientOf, codeOf, dataOf, type Estate, jobIsOver, makePerson, numberBody, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let north: Person;
let south: Person;
let nobody: Person;
const day = 86_400_000;
const report = 'can_view_licenses_used_report' as const;

const period = { group: null as string | null, from: '2026-02-20', to: '2026-03-02', step: 'day' as string };
const byPeriod = async (who: Person, question: Partial<typeof period> = {}) => {
  const answer = await who.client.post('/reports/licenses/period', { ...period, ...question });
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<LicencesByPeriod>(answer);
};
const used = async (who: Person, group: string | null = null) => dataOf<LicencesUsed>(await who.client.post('/reports/licenses/used', { group }));
const of = (feature: string, { seats }: { seats: LicencesUsed['seats'] }) => seats.find((seat) => seat.feature === feature)?.used;
const at = (text: string) => new Date(`${text}T12:00:00Z`);

async function phone(owner: Person, since: string): Promise<void> {
  await server.services.db
    .insert(mobileClients)
    .values({ userId: owner.id, clientId: randomUUID(), platform: 'ios', info: 'A phone', authTime: at(since), vendorId: 'x' });
}
async function key(owner: Person, since: string, revoked: string | null = null): Promise<void> {
  await server.services.db.insert(identifiers).values({
    projectId: estate.here,
    userId: owner.id,
    type: 'ukey2',
    ownerType: 'owner',
    isActive: true,
    name: 'A key',
    value: randomUUID(),
    createdAt: at(since),
    ...(revoked !== null && { revokedAt: at(revoked) }),
  } as typeof identifiers.$inferInsert);
}

/** Turns the clock on; sessions do not last that long. */
async function later(days: number): Promise<void> {
  server.pass(days * day);
  for (const who of [boss, north, south]) who.client = await clientOf(server, who.id);
}

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  const { groups: place } = estate;
  const numbers = ['can_view_all_sip_numbers', 'can_create_sip_numbers', 'can_edit_sip_numbers', 'can_delete_sip_numbers'];
  boss = await makePerson(server, estate, {
    permissions: [report, 'can_view_all_groups', 'can_view_all_users', 'can_view_all_devices', ...(numbers as never[])],
    in: [place.town],
  });
  north = await makePerson(server, estate, { permissions: [report], in: [place.north] });
  south = await makePerson(server, estate, { permissions: [report], in: [place.south] });
  nobody = await makePerson(server, estate, { permissions: ['can_view_all_groups'], in: [place.town] });
  await phone(north, '2026-02-22');
  await phone(north, '2026-02-25');
  await phone(south, '2026-02-26');
  await key(north, '2026-02-21', '2026-02-24');
  await key(south, '2026-02-21');
});
afterAll(() => server.close());

describe('who reads the report', () => {
  it('is refused without its permission, and told nothing of groups out of sight', async () => {
    for (const path of ['used', 'period', 'export']) {
      const body = path === 'used' ? { group: null } : { ...period, ...(path === 'export' && { format: 'csv' }) };
      expect(codeOf(await nobody.client.post(`/reports/licenses/${path}`, body))).toBe('forbidden');
      expect(codeOf(await north.client.post(`/reports/licenses/${path}`, { ...body, group: estate.groups.south }))).toBe('not_found');
      expect(codeOf(await boss.client.post(`/reports/licenses/${path}`, { ...body, group: estate.groups.abroad }))).toBe('not_found');
    }
  });
  it('is answered for the project where all groups are in sight, for the own group elsewhere', async () => {
    expect(of('mobile_app', await used(boss))).toBe(3);
    expect((await used(boss)).group).toBeNull();
    const own = await used(north);
    expect(own.group?.name).toBe('north');
    expect(of('mobile_app', own)).toBe(2);
    expect(of('ukey2', own)).toBe(0);
    expect((await byPeriod(north)).group?.name).toBe('north');
  });
  it('is told the groups right below that use any', async () => {
    const parts = (await used(boss, estate.groups.town)).parts.map(({ group, used: own }) => [group.name, own.mobile_app]);
    expect(parts).toEqual([
      ['north', 2],
      ['south', 1],
    ]);
  });
});

describe('the report by period', () => {
  it('reckons days that nobody counted from what is there, and says so', async () => {
    const { points } = await byPeriod(boss);
    expect(points).toHaveLength(11);
    expect(points.map((point) => of('mobile_app', point))).toEqual([0, 0, 0, 1, 1, 1, 2, 3, 3, 3, 3]);
    expect(points.map((point) => of('ukey2', point))).toEqual([0, 0, 2, 2, 2, 1, 1, 1, 1, 1, 1]);
    expect(points.map(({ source }) => source)).toEqual([...Array.from({ length: 10 }, () => 'reckoned'), 'counted']);
  });
  it('has the most of a week or a month, whose first and last may be cut short', async () => {
    const { points } = await byPeriod(boss, { step: 'week' });
    expect(points.map(({ from, to }) => [from, to])).toEqual([
      ['2026-02-20', '2026-02-22'],
      ['2026-02-23', '2026-03-01'],
      ['2026-03-02', '2026-03-02'],
    ]);
    expect(points.map((point) => of('ukey2', point))).toEqual([2, 2, 1]);
    expect((await byPeriod(boss, { step: 'month' })).points.map((point) => of('mobile_app', point))).toEqual([3, 3]);
  });
  it('refuses a period that ends before it begins, or is longer than three years', async () => {
    for (const question of [{ to: '2026-02-01' }, { from: '2020-01-01' }])
      expect(codeOf(await boss.client.post('/reports/licenses/period', { ...period, ...question }))).toBe('invalid_data');
  });
  it('ends with today', async () => {
    expect((await byPeriod(boss, { to: '2026-04-01' })).points.at(-1)?.to).toBe('2026-03-02');
    expect((await byPeriod(boss, { from: '2026-04-01', to: '2026-04-02' })).points).toEqual([]);
  });
});

describe('counted days', () => {
  it('are written once a day for the project, for a group when its figures change, and read as they were', async () => {
    const { db } = server.services;
    const rows = (group: string | null) =>
      db
        .select({ day: licenceUse.day, seats: licenceUse.seats })
        .from(licenceUse)
        .where(and(eq(licenceUse.projectId, estate.here), group === null ? isNull(licenceUse.groupId) : eq(licenceUse.groupId, group)))
        .orderBy(asc(licenceUse.day));
    await Promise.all([saveLicenceUse(server.services), saveLicenceUse(server.services)]);
    await saveLicenceUse(server.services);
    expect((await rows(null)).map(({ day: on }) => on)).toEqual(['2026-03-02']);
    await later(1);
    await saveLicenceUse(server.services);
    await later(1);
    await phone(south, '2026-03-04');
    await saveLicenceUse(server.services);
    expect((await rows(null)).map(({ day: on }) => on)).toEqual(['2026-03-02', '2026-03-03', '2026-03-04']);
    expect((await rows(estate.groups.north)).map(({ day: on }) => on)).toEqual(['2026-03-02']);
    expect((await rows(estate.groups.south)).map(({ day: on }) => on)).toEqual(['2026-03-02', '2026-03-04']);
    expect(await rows(estate.groups.s1)).toEqual([]);
    // What is gone since was there when it was counted.
    await db.delete(mobileClients);
    await later(1);
    const { points, counted_since: since } = await byPeriod(boss, { from: '2026-03-01', to: '2026-03-05' });
    expect(since).toBe('2026-03-02');
    expect(points.map((point) => [point.source, of('mobile_app', point)])).toEqual([
      ['reckoned', 0],
      ['counted', 3],
      ['counted', 3],
      ['counted', 4],
      ['counted', 0],
    ]);
    const { points: own } = await byPeriod(boss, { from: '2026-03-02', to: '2026-03-04', group: estate.groups.south });
    expect(own.map((point) => of('mobile_app', point))).toEqual([1, 1, 2]);
  });
});

describe('a number in the trail', () => {
  it('is reckoned for the days on which it was somebody’s, deleted or not', async () => {
    await later(20);
    const made = await boss.client.put('/sip-numbers', numberBody({ number: '4711', user: north.id }));
    expect(made.statusCode, made.body).toBe(200);
    const id = dataOf<string>(made);
    await later(2);
    expect((await boss.client.patch(`/sip-numbers/${id}`, { user: null })).statusCode).toBe(200);
    await later(2);
    expect((await boss.client.patch(`/sip-numbers/${id}`, { user: south.id })).statusCode).toBe(200);
    await later(1);
    expect((await boss.client.delete(`/sip-numbers/${id}`)).statusCode).toBe(200);
    await later(1);
    await server.services.db.delete(sipNumbers);
    const today = server.services.now().toISOString().slice(0, 10);
    const from = new Date(server.services.now().getTime() - 6 * day).toISOString().slice(0, 10);
    const { points } = await byPeriod(boss, { from, to: today });
    expect(points.map((point) => of('sip', point))).toEqual([0, 1, 1, 0, 0, 1, 0]);
  });
  it('counts spans by the moments they hold', () => {
    expect(
      heldAt(
        [
          { since: 5, until: 20 },
          { since: 10, until: null },
          { since: 11, until: 12 },
        ],
        [0, 10, 20, 30],
      ),
    ).toEqual([0, 2, 1, 1]);
    expect(heldAt([], [1, 2])).toEqual([0, 0]);
  });
});

describe('the report as a file', () => {
  it.each(['csv', 'xlsx'] as const)('is written by a job as %s and leaves an entry in the trail', async (format) => {
    const begun = await boss.client.post('/reports/licenses/export', { ...period, format });
    expect(begun.statusCode, begun.body).toBe(202);
    const job = await jobIsOver(boss.client, dataOf<Job>(begun));
    expect(job.state).toBe('completed');
    expect(job.file_name).toBe(`licenses-2026-02-20-2026-03-02.${format}`);
    const file = await boss.client.get(`/jobs/${job.id}/file`);
    expect(file.statusCode).toBe(200);
    if (format === 'xlsx') return;
    const [head, first] = file.body.replace('\uFEFF', '').split(/\r?\n/);
    expect(head).toBe(
      [
        'From,To,Source,Virtual numbers: In use,Virtual numbers: Available,Mobile apps: In use,Mobile apps: Available',
        'Ukey2 keys: In use,Ukey2 keys: Available',
      ].join(','),
    );
    expect(first?.startsWith('2026-02-20,2026-02-20,Estimated,')).toBe(true);
  });
});

it('groups that are deleted take their figures along', async () => {
  const { db } = server.services;
  await db.insert(licenceUse).values({ projectId: estate.here, groupId: estate.groups.n2, day: '2026-01-01', seats: [] });
  await db.delete(groups).where(eq(groups.id, estate.groups.n2));
  expect(await db.select().from(licenceUse).where(eq(licenceUse.groupId, estate.groups.n2))).toEqual([]);
});
