import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '#models/job.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import type { SipNumber } from '#models/sip-numbers.ts';
import { allLicensed } from '#models/licence-info.ts';
import { auditEvents, devices, groups, licences, sipNumberForwards, sipNumbers, users } from '#server/db/schema/index.ts';
import { unseal } from '#server/devices/secrets.ts';
import { buildEstate, codeOf, dataOf, deviceRow, type Estate, jobIsOver, makePerson, makeRole, numberBody, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';
import { signed, upload, vendorKey } from './vendor.ts';

let server: TestServer;
let estate: Estate;
let admin: Person;
let deviceId: string;
let roleId: string;

beforeAll(async () => {
  server = await openTestServer({ config: { licenceKey: vendorKey } });
  estate = await buildEstate(server.services);
  roleId = await makeRole(server.services, estate.here, permissionCodes);
  admin = await makePerson(server, estate, { roleId, in: [estate.groups.town], name: 'Anna' });
});
afterAll(() => server.close());
beforeEach(async () => {
  const { db } = server.services;
  await db.delete(sipNumberForwards);
  await db.delete(sipNumbers);
  await db.delete(devices);
  await db.delete(licences);
  await db.update(groups).set({ licence: {} });
  await db.update(users).set({ licenseInfo: allLicensed });
  await upload(admin.client, signed({ features: allLicensed }));
  const [device] = await db
    .insert(devices)
    .values(deviceRow({ projectId: estate.here, domainId: estate.groups.n1 }))
    .returning();
  deviceId = device?.id ?? '';
});

const put = (over: Record<string, unknown>) => admin.client.put('/sip-numbers', numberBody(over));
const make = async (over: Record<string, unknown>): Promise<string> => {
  const answer = await put(over);
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<string>(answer);
};
const read = async (id: string): Promise<SipNumber> => dataOf<SipNumber>(await admin.client.get(`/sip-numbers/${id}`));
const issueOf = (answer: { json: () => unknown }): unknown =>
  (answer.json() as { data: { issues: { path: unknown; rule: string }[] } }).data.issues[0];
const project = async (license_count: number | null) => {
  await server.services.db.delete(licences);
  await upload(admin.client, signed({ features: { ...allLicensed, sip: { ...allLicensed.sip, license_count } } }));
};

describe('a virtual number', () => {
  it('is one in the installation, made of digits, and told with its owner', async () => {
    const id = await make({ number: '5001', name: 'Anna', user: admin.id });
    expect(await read(id)).toMatchObject({
      number: '5001',
      onlyFree: false,
      has_password: false,
      owner_info: { kind: 'user', id: admin.id, name: 'Anna', address: 'town' },
      user: { id: admin.id, name: 'Anna', email: expect.stringContaining('@') as string },
    });
    const twice = await put({ number: '5001' });
    expect([codeOf(twice), issueOf(twice)]).toMatchObject(['not_unique', { path: ['number'] }]);
    expect(issueOf(await put({ number: '50x1' }))).toMatchObject({ path: ['number'], rule: 'numeric' });
    expect(issueOf(await put({ number: '5002', user: admin.id, device: deviceId }))).toMatchObject({ rule: 'one_owner' });
  });

  it('keeps its password to itself and puts a change on record', async () => {
    const id = await make({ number: '5001', password: 'Secret-77' });
    expect(JSON.stringify(await read(id))).not.toContain('Secret-77');
    const [row] = await server.services.db.select().from(sipNumbers);
    expect(unseal(server.services, row?.passwordCipher ?? '')).toBe('Secret-77');
    await admin.client.patch(`/sip-numbers/${id}`, { password: null, name: 'Kept' });
    expect((await server.services.db.select().from(sipNumbers))[0]?.passwordCipher).toBe(row?.passwordCipher);
    await admin.client.patch(`/sip-numbers/${id}`, { password: 'Another-88' });
    const trail = await server.services.db.select().from(auditEvents).where(eq(auditEvents.entityId, id));
    expect(trail.map(({ action }) => action)).toContain('password_change');
    expect(JSON.stringify(trail)).not.toMatch(/Secret-77|Another-88/);
    expect(issueOf(await put({ number: '5003', password: 'short1' }))).toMatchObject({ path: ['password'], rule: 'sip_password_mix' });
  });

  it('is one for a device, which gets number and password by itself', async () => {
    const id = await make({ number: '5001', device: deviceId });
    const [device] = await server.services.db.select().from(devices);
    expect(device?.settings['sip']).toMatchObject({ enabled: true, login: '5001' });
    expect(unseal(server.services, device?.sipPasswordCipher ?? '')).toMatch(/^[A-Za-z\d]{24}$/);
    const second = await put({ number: '5002', device: deviceId });
    expect([second.statusCode, codeOf(second), issueOf(second)]).toMatchObject([409, 'device_has_number', { path: ['device'] }]);
    expect(dataOf(await admin.client.get('/concierge-devices'))).toMatchObject([{ sip_number: { number: '5001' } }]);
    await admin.client.patch(`/sip-numbers/${id}`, { device: null });
    expect((await server.services.db.select().from(devices))[0]).toMatchObject({ sipPasswordCipher: null, settings: { sip: { login: null } } });
  });

  it('that is a group’s general number is not deleted before the group lets it go', async () => {
    const id = await make({ number: '700', domain: estate.groups.town });
    const refused = await admin.client.delete(`/sip-numbers/${id}`);
    expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'number_is_general']);
    expect(codeOf(await put({ number: '701', domain: estate.groups.town }))).toBe('not_unique');
    await admin.client.patch(`/groups/${estate.groups.town}`, { sip_number: null });
    expect((await admin.client.delete(`/sip-numbers/${id}`)).statusCode).toBe(200);
  });

  it('is offered as free only while nobody has it, picked it or keeps it back', async () => {
    const [free, owned, reserved] = [
      await make({ number: '1' }),
      await make({ number: '2', user: admin.id }),
      await make({ number: '3', is_reserved: true }),
    ];
    const picked = await make({ number: '4' });
    await make({ number: '5', user: admin.id, forward_mode: 'picked', picked_numbers: [picked] });
    const asked = (value: boolean) =>
      `/sip-numbers?filters=${encodeURIComponent(JSON.stringify({ items: [{ field: 'onlyFree', rule: 'is', value }] }))}`;
    expect(dataOf<SipNumber[]>(await admin.client.get(asked(true))).map(({ id }) => id)).toEqual([free]);
    const others = dataOf<SipNumber[]>(await admin.client.get(asked(false))).map(({ id }) => id);
    expect(others).toEqual(expect.arrayContaining([owned, reserved, picked]));
  });

  it('is found by its number, its name and its owner, beside other conditions too', async () => {
    await make({ number: '7001', name: 'Desk', user: admin.id });
    await make({ number: '7002', name: 'Lobby', device: deviceId });
    await make({ number: '7003', name: 'Spare', domain: estate.groups.n1 });
    const device = dataOf<{ name: string }>(await admin.client.get(`/devices/${deviceId}`)).name;
    const group = dataOf<{ name: string }>(await admin.client.get(`/groups/${estate.groups.n1}`)).name;
    const found = async (who: Person, value: string) => {
      const items = [
        { field: 'is_active', rule: 'is', value: true },
        { field: 'words', rule: 'contains', value },
      ];
      const answer = await who.client.get(`/sip-numbers?${new URLSearchParams({ filters: JSON.stringify({ match: 'match_all', items }) })}`);
      return dataOf<SipNumber[]>(answer).map(({ number }) => number);
    };
    expect(await found(admin, '7002')).toEqual(['7002']);
    expect(await found(admin, 'spare')).toEqual(['7003']);
    expect([await found(admin, 'anna'), await found(admin, device), await found(admin, group)]).toEqual([['7001'], ['7002'], ['7003']]);
    const blind = await makePerson(server, estate, { permissions: ['can_view_all_sip_numbers'], in: [estate.groups.town] });
    expect([await found(blind, 'spare'), await found(blind, 'anna')]).toEqual([['7003'], []]);
  });

  it('forwards by hand or to free numbers, never to itself or to one that is taken', async () => {
    const [a, b] = [await make({ number: '10' }), await make({ number: '11' })];
    const id = await make({ number: '12', forward_mode: 'manual', forward_numbers: ['+49 30 200-100', '0*1'] });
    expect(await read(id)).toMatchObject({ forward_numbers: ['+4930200100', '0*1'], picked_numbers: [] });
    expect(issueOf(await admin.client.patch(`/sip-numbers/${id}`, { forward_mode: 'picked' }))).toMatchObject({ rule: 'forward_needs_number' });
    expect((await admin.client.patch(`/sip-numbers/${id}`, { forward_mode: 'picked', picked_numbers: [a] })).statusCode).toBe(200);
    expect(await read(id)).toMatchObject({ forward_numbers: [], picked_numbers: [{ id: a }] });
    const taken = await put({ number: '13', forward_mode: 'picked', picked_numbers: [a] });
    expect([taken.statusCode, codeOf(taken), issueOf(taken)]).toMatchObject([409, 'number_not_free', { path: ['picked_numbers'] }]);
    expect(codeOf(await admin.client.patch(`/sip-numbers/${id}`, { picked_numbers: [a, id] }))).toBe('number_not_free');
    expect(codeOf(await admin.client.patch(`/sip-numbers/${a}`, { user: admin.id }))).toBe('number_not_free');
    await admin.client.patch(`/sip-numbers/${b}`, { user: admin.id });
    expect(codeOf(await admin.client.patch(`/sip-numbers/${id}`, { picked_numbers: [a, b] }))).toBe('number_not_free');
    expect(codeOf(await admin.client.delete(`/sip-numbers/${a}`))).toBe('in_use');
  });

  it('is given to one of two who reach for it at once', async () => {
    const free = await make({ number: '20' });
    const [one, other] = [await make({ number: '21' }), await make({ number: '22' })];
    const answers = await Promise.all(
      [one, other].map((id) => admin.client.patch(`/sip-numbers/${id}`, { forward_mode: 'picked', picked_numbers: [free] })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(expect.arrayContaining([200, 409]));
  });
});

describe('rights over numbers', () => {
  it('of the system are for those who may mark such', async () => {
    const id = await make({ number: '700', is_system: true });
    const codes = permissionCodes.filter((code) => code !== 'can_mark_sip_numbers_system');
    const other = await makePerson(server, estate, { permissions: codes, in: [estate.groups.town] });
    expect((await other.client.patch(`/sip-numbers/${id}`, { name: 'Mine' })).statusCode).toBe(403);
    expect((await other.client.post(`/sip-numbers/${id}/activation`, { is_active: false })).statusCode).toBe(403);
    expect((await other.client.delete(`/sip-numbers/${id}`)).statusCode).toBe(403);
    expect((await other.client.put('/sip-numbers', numberBody({ number: '702', is_system: true }))).statusCode).toBe(403);
  });

  it('to switch on and off are their own', async () => {
    const id = await make({ number: '30', user: admin.id });
    const editor = await makePerson(server, estate, { permissions: ['can_view_all_sip_numbers', 'can_edit_sip_numbers'], in: [estate.groups.town] });
    expect((await editor.client.patch(`/sip-numbers/${id}`, { is_active: false })).statusCode).toBe(403);
    expect((await editor.client.post(`/sip-numbers/${id}/activation`, { is_active: false })).statusCode).toBe(403);
    const guard = await makePerson(server, estate, {
      permissions: ['can_view_all_sip_numbers', 'can_activate_sip_numbers'],
      in: [estate.groups.town],
    });
    expect((await guard.client.post(`/sip-numbers/${id}/activation`, { is_active: false })).statusCode).toBe(200);
    expect(await read(id)).toMatchObject({ is_active: false });
    expect((await guard.client.patch(`/sip-numbers/${id}`, { name: 'Mine' })).statusCode).toBe(403);
  });

  it('end with the licence: every call of the area is refused', async () => {
    const id = await make({ number: '31' });
    await server.services.db.update(users).set({ licenseInfo: { ...allLicensed, sip: { ...allLicensed.sip, is_enabled: false } } });
    const answers = [
      await admin.client.get('/sip-numbers'),
      await admin.client.get(`/sip-numbers/${id}`),
      await admin.client.patch(`/sip-numbers/${id}`, { name: 'x' }),
      await admin.client.delete(`/sip-numbers/${id}`),
      await admin.client.post('/sip-numbers/generate', { from: '1', count: 1, name: null, is_reserved: false }),
      await admin.client.get('/forward-rules'),
      await admin.client.get('/sip-trunks'),
      await admin.client.get('/calls/history'),
    ];
    expect(answers.map(codeOf)).toEqual(answers.map(() => 'licence_restricted'));
  });
});

describe('limits', () => {
  it('of one person', async () => {
    for (const number of ['40', '41', '42', '43', '44']) await make({ number, user: admin.id });
    const sixth = await put({ number: '45', user: admin.id });
    expect([sixth.statusCode, codeOf(sixth)]).toEqual([409, 'numbers_limit_user']);
    expect((await put({ number: '45' })).statusCode).toBe(200);
  });

  it('of project and group, with how many are used; free numbers do not count', async () => {
    await project(2);
    await make({ number: '50', user: admin.id });
    await make({ number: '51', device: deviceId });
    await make({ number: '52' });
    const third = await put({ number: '53', domain: estate.groups.town });
    expect([codeOf(third), (third.json() as { data: unknown }).data]).toEqual(['numbers_over_project', { used: 3, max: 2 }]);
    await project(null);
    const licence = { info: { ...allLicensed, sip: { ...allLicensed.sip, license_count: 1 } } };
    await server.services.db.update(groups).set({ licence }).where(eq(groups.id, estate.groups.north));
    const inside = await makePerson(server, estate, { roleId, in: [estate.groups.n2] });
    const over = await put({ number: '54', user: inside.id });
    expect([codeOf(over), (over.json() as { data: unknown }).data]).toEqual(['numbers_over_group', { used: 2, max: 1 }]);
    const elsewhere = await makePerson(server, estate, { roleId, in: [estate.groups.s1] });
    await make({ number: '55', user: elsewhere.id });
    const moved = await admin.client.patch(`/users/${elsewhere.id}`, { domains: [estate.groups.n1] });
    expect([codeOf(moved), (moved.json() as { message: string }).message]).toEqual(['limit_exceeded', 'limit exceeded, used 2, max 1']);
  });

  it('reach owners who are not licensed', async () => {
    const off = { ...allLicensed, sip: { ...allLicensed.sip, is_enabled: false } };
    const other = await makePerson(server, estate, { roleId, in: [estate.groups.n1] });
    await server.services.db.update(users).set({ licenseInfo: off }).where(eq(users.id, other.id));
    expect(codeOf(await put({ number: '60', user: other.id }))).toBe('licence_restricted');
  });
});

describe('a range of numbers', () => {
  it('is looked over before, and made by a job without those that are taken', async () => {
    await make({ number: '099' });
    const range = { from: '098', count: 4 };
    expect(dataOf(await admin.client.post('/sip-numbers/preview', range))).toEqual({
      first: '098',
      last: '101',
      free: 3,
      taken: ['099'],
      unusable: 0,
    });
    const started = await admin.client.post('/sip-numbers/generate', { ...range, name: 'Gym', is_reserved: true });
    const job = await jobIsOver(admin.client, dataOf<Job>(started));
    expect(job).toMatchObject({ state: 'completed', done: 4, failures: [] });
    const rows = dataOf<SipNumber[]>(await admin.client.get('/sip-numbers?sort=number'));
    expect(rows.map(({ number, name, is_reserved }) => [number, name, is_reserved])).toEqual([
      ['098', 'Gym 098', true],
      ['099', 'A number', false],
      ['100', 'Gym 100', true],
      ['101', 'Gym 101', true],
    ]);
    const ciphers = (await server.services.db.select().from(sipNumbers)).flatMap(({ passwordCipher }) => passwordCipher ?? []);
    expect(new Set(ciphers.map((cipher) => unseal(server.services, cipher))).size).toBe(3);
  });
  it('is refused where it gets too long or too large', async () => {
    expect(issueOf(await admin.client.post('/sip-numbers/preview', { from: '9'.repeat(15), count: 2 }))).toMatchObject({ path: ['from'] });
    expect(issueOf(await admin.client.post('/sip-numbers/preview', { from: '1', count: 2_001 }))).toMatchObject({ path: ['count'] });
  });
});
