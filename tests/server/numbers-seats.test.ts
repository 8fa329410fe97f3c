import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { constants } from '#models/constants.ts';
import { allLicensed, type LicenceInfo, nothingLicensed } from '#models/licence-info.ts';
import { devices, groups, sipNumbers, users } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { requireNumberSeat, requireTotalLimit } from '#server/telephony/number-seats.ts';
import { buildEstate, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
/** Of n1 and of s1. */
let anna: Person;
let panel: string;
let last = 1_000;
const db = () => server.services.db;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  anna = await makePerson(server, estate, { in: [estate.groups.n1, estate.groups.s1] });
  const [row] = await db()
    .insert(devices)
    .values(deviceRow({ projectId: estate.here, domainId: estate.groups.n1 }))
    .returning();
  panel = row?.id ?? '';
});
afterAll(() => server.close());
beforeEach(async () => {
  await db().delete(sipNumbers);
  await db().update(groups).set({ licence: {} });
  await db().update(users).set({ licenseInfo: allLicensed });
});

const give = (over: Partial<typeof sipNumbers.$inferInsert>) =>
  db()
    .insert(sipNumbers)
    .values({ projectId: estate.here, number: String((last += 1)), name: 'Number', ...over });
const license = (place: keyof Estate['groups'], sip: Partial<LicenceInfo['sip']>) =>
  db()
    .update(groups)
    .set({ licence: { info: { ...allLicensed, sip: { ...allLicensed.sip, ...sip } } } })
    .where(eq(groups.id, estate.groups[place]));
/** The code of the refusal with its data; null where there is none. */
const refused = (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof HttpError ? [error.code, error.data] : error),
  );
const seat = (owner: Parameters<typeof requireNumberSeat>[3]) =>
  refused(requireNumberSeat(server.services, db(), estate.here, owner, server.services.now()));
const unlicensed = ['licence_restricted', { feature: 'sip' }];

describe('a number is given to', () => {
  it('people, devices and groups that are licensed for telephony', async () => {
    const { n1 } = estate.groups;
    expect([await seat({ userId: anna.id }), await seat({ deviceId: panel }), await seat({ domainId: n1 })]).toEqual([null, null, null]);
    await license('north', { is_enabled: false });
    expect([await seat({ deviceId: panel }), await seat({ domainId: n1 })]).toEqual([unlicensed, unlicensed]);
    expect([await seat({ userId: anna.id }), await seat({ domainId: estate.groups.s1 })]).toEqual([null, null]);
    await license('south', { is_enabled: false });
    expect(await seat({ userId: anna.id })).toEqual(unlicensed);
  });
  it('nobody who is not licensed in person, whatever their groups are', async () => {
    await db().update(users).set({ licenseInfo: nothingLicensed }).where(eq(users.id, anna.id));
    expect([await seat({ userId: anna.id }), await seat({ deviceId: panel })]).toEqual([unlicensed, null]);
  });
  it('one person no more often than a person may have numbers', async () => {
    const { perUser } = constants.sipNumbers;
    for (let at = 0; at < perUser; at += 1) await give({ userId: anna.id });
    expect(await seat({ userId: anna.id })).toBeNull();
    await give({ userId: anna.id });
    expect(await seat({ userId: anna.id })).toEqual(['numbers_limit_user', { max: perUser }]);
    expect(await seat({ deviceId: panel })).toBeNull();
  });
  it('no more of a group, and of those below it, than it counts', async () => {
    await license('north', { license_count: 1 });
    await give({ deviceId: panel });
    expect(await seat({ deviceId: panel })).toBeNull();
    await give({ domainId: estate.groups.n2 });
    const [code, data] = (await seat({ deviceId: panel })) as [string, unknown];
    expect([code, data]).toEqual(['numbers_over_group', expect.objectContaining({ used: 2, max: 1 })]);
    expect(await seat({ domainId: estate.groups.s1 })).toBeNull();
  });
});

it('a project holds no more numbers than its limit, given out or not', async () => {
  const { perProject } = constants.sipNumbers;
  await db().execute(
    sql`insert into sip_numbers (project_id, number, name) select ${estate.here}, (200000 + n)::text, 'Number' from generate_series(1, ${perProject}::int) n`,
  );
  expect(await refused(requireTotalLimit(db(), estate.here))).toBeNull();
  await give({});
  expect(await refused(requireTotalLimit(db(), estate.here))).toEqual(['numbers_limit', { max: perProject }]);
  expect(await refused(requireTotalLimit(db(), estate.there))).toBeNull();
});
