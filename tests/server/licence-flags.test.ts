import { Transformer } from '@napi-rs/image';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allLicensed, type Feature, type LicenceInfo } from '#models/licence-info.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import type { Profile } from '#models/profile.ts';
import { auditEvents, groups, licences, users } from '#server/db/schema/index.ts';
import { sessionOfToken } from '#server/access/principal.ts';
import { requireFeature } from '#server/licences/features.ts';
import { menu, visibleMenu } from '#src/views/shell/menu.ts';
import { buildEstate, codeOf, dataOf, type Estate, makePerson, makeRole, type Person } from './estate.ts';
import { form } from './hostile-files.ts';
import { openTestServer, type TestServer } from './support.ts';
import { signed, upload, vendorKey } from './vendor.ts';

/** The eight blocks of a licence, each with the flag that opens it and what it opens. */
const blocks: [block: keyof LicenceInfo, flag: string, feature: Feature, entries: string[]][] = [
  ['sip', 'is_enabled', 'sip', ['/virtual-numbers', '/call-history', '/forward-rules', '/sip-trunks']],
  ['mobile_app', 'is_white_label_enabled', 'whiteLabel', []],
  ['elevator', 'is_enabled', 'elevator', ['/elevators', '/elevators/events', '/elevators/access-rules']],
  ['license_plate', 'is_enabled', 'licensePlate', []],
  ['face_id', 'is_enabled_for_guests', 'guestFaces', []],
  ['amenity', 'is_enabled', 'amenity', ['/amenities', '/amenities/reservations']],
  ['ukey2', 'is_enabled', 'ukey2', ['/ukey2']],
  ['identifier', 'is_guest_enabled', 'guests', ['/guest-access']],
];
const without = (block: keyof LicenceInfo, flag: string): LicenceInfo => ({ ...allLicensed, [block]: { ...allLicensed[block], [flag]: false } });
const everyPath = new Set(menu.flatMap(({ items }) => items.map(({ path }) => path as string)));

let server: TestServer;
let estate: Estate;
let person: Person;
let keeper: Person;

beforeAll(async () => {
  server = await openTestServer({ config: { licenceKey: vendorKey } });
  estate = await buildEstate(server.services);
  const roleId = await makeRole(server.services, estate.here, permissionCodes);
  person = await makePerson(server, estate, { roleId, in: [estate.groups.n1] });
  keeper = await makePerson(server, estate, { roleId, in: [estate.groups.town] });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.services.db.delete(licences);
  await server.services.db.update(groups).set({ licence: {} });
  await server.services.db.update(users).set({ licenseInfo: allLicensed });
});

/** What the person is let do: by the server's demand, and by the menu drawn from the profile. */
async function allowed(feature: Feature, entries: readonly string[]) {
  const profile = dataOf<Profile>(await person.client.get('/profile'));
  const shown = visibleMenu(profile, everyPath).flatMap(({ items }) => items.map(({ path }) => path as string));
  const session = await sessionOfToken(server.services, person.client.token ?? '', { ip: '', userAgent: null });
  if (!session) throw new Error('the session has ended');
  const demanded = await requireFeature(server.services, session.principal, feature).then(
    () => true,
    (error: { code?: string }) => (error.code === 'licence_restricted' ? false : Promise.reject(error as Error)),
  );
  return { demanded, menu: entries.map((path) => shown.includes(path)), one: shown.length };
}
const project = (features: LicenceInfo) => upload(keeper.client, signed({ features }));
const own = (licenseInfo: LicenceInfo) => server.services.db.update(users).set({ licenseInfo }).where(eq(users.id, person.id));
const group = (info: LicenceInfo) => server.services.db.update(groups).set({ licence: { info } }).where(eq(groups.id, estate.groups.north));

describe.each(blocks)('the flag %s.%s (P8)', (block, flag, feature, entries) => {
  it.each([
    ['server on, user on', true, true],
    ['server on, user off', true, false],
    ['server off, user on', false, true],
    ['server off, user off', false, false],
  ])('%s: menu and API agree', async (_combination, onServer, onUser) => {
    await project(onServer ? allLicensed : without(block, flag));
    await own(onUser ? allLicensed : without(block, flag));
    const found = await allowed(feature, entries);
    expect([found.demanded, found.menu]).toEqual([onServer && onUser, entries.map(() => onServer && onUser)]);
    expect(found.one).toBeGreaterThan(10);
  });
  it('off in a group above: off for project and user alike', async () => {
    await project(allLicensed);
    await group(without(block, flag));
    const found = await allowed(feature, entries);
    expect([found.demanded, found.menu]).toEqual([false, entries.map(() => false)]);
  });
  it('expired this second: off', async () => {
    const ends = Math.floor(server.services.now().getTime() / 1_000) + 1;
    await upload(keeper.client, signed({ period: { from: 0, to: ends }, grace_days: 0 }));
    expect((await allowed(feature, entries)).demanded).toBe(true);
    server.pass(1_000);
    const found = await allowed(feature, entries);
    expect([found.demanded, found.menu]).toEqual([false, entries.map(() => false)]);
  });
});

describe('routes that belong to a feature', () => {
  it('refuse the white label to whom it is not licensed, and say so in the trail', async () => {
    const picture = await Transformer.fromRgbaPixels(Buffer.alloc(64 * 64 * 4, 90), 64, 64).png();
    const { body, headers } = form({}, picture);
    const path = `/groups/${estate.groups.n1}`;
    let changes = 0;
    const whitelabel = { is_enabled: true, name: 'House', address: null, email: null, phone: null };
    const tries = async () => [
      codeOf(await person.client.send('POST', `${path}/logo`, body, headers)),
      codeOf(await person.client.patch(path, { whitelabel })),
      codeOf(await person.client.patch(path, { description: `changed ${(changes += 1)}` })),
      codeOf(await person.client.delete(`${path}/logo`)),
    ];
    await project(without('mobile_app', 'is_white_label_enabled'));
    expect(await tries()).toEqual(['licence_restricted', 'licence_restricted', 200, 'licence_restricted']);
    const refused = await server.services.db.select().from(auditEvents).where(eq(auditEvents.userId, person.id));
    const said = refused.filter(({ area, action }) => area === 'groups' && action === 'refused').map(({ changes: what }) => what);
    expect(said).toHaveLength(3);
    expect(said.filter((what) => 'feature' in what)).toEqual([1, 2].map(() => ({ feature: { before: null, after: 'whiteLabel' } })));
    await server.services.db.delete(licences);
    await project(allLicensed);
    expect(await tries()).toEqual([200, 200, 200, 200]);
  });
  it('let nobody switch on for a person what their groups do not have, but keep what was on', async () => {
    await project(allLicensed);
    await group(without('ukey2', 'is_enabled'));
    const change = (license_info: LicenceInfo) => keeper.client.patch(`/users/${person.id}`, { license_info });
    expect((await change({ ...allLicensed, amenity: { is_enabled: false } })).statusCode).toBe(200);
    expect((await change(without('ukey2', 'is_enabled'))).statusCode).toBe(200);
    const refused = await change(allLicensed);
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'licence_restricted']);
    expect(dataOf<LicenceInfo>(await keeper.client.get(`/users/${person.id}/licence`)).ukey2.is_enabled).toBe(false);
  });
});

it('where licences are not asked for, everything is licensed', async () => {
  const open = await openTestServer();
  try {
    const there = await buildEstate(open.services);
    const anyone = await makePerson(open, there, { permissions: ['can_view_licenses'], in: [there.groups.town] });
    expect(dataOf<Profile>(await anyone.client.get('/profile')).features).toEqual(allLicensed);
    expect(dataOf(await anyone.client.get('/licenses'))).toMatchObject({ is_required: false, features: allLicensed });
    expect(dataOf(await anyone.client.get('/licenses/outlook'))).toMatchObject({ status: 'normal', reminders: [], changes_at: null });
  } finally {
    await open.close();
  }
});
