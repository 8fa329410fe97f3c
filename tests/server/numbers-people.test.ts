import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CallInfo } from '#models/call.ts';
import { allLicensed } from '#models/licence-info.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import type { Contact } from '#models/phone-calls.ts';
import type { Profile } from '#models/profile.ts';
import { devices, groups, sessions, sipNumberForwards, sipNumbers, users } from '#server/db/schema/index.ts';
import { seal } from '#server/devices/secrets.ts';
import { accountOf, sessionPassword } from '#server/telephony/accounts.ts';
import { buildEstate, codeOf, dataOf, deviceRow, type Estate, makePerson, makeRole, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let admin: Person;
let resident: Person;
let desk: Person;
const ids: Record<string, string> = {};

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  const roleId = await makeRole(server.services, estate.here, permissionCodes);
  admin = await makePerson(server, estate, { roleId, in: [estate.groups.town], name: 'Anna' });
  resident = await makePerson(server, estate, { permissions: ['can_call_own_group', 'can_call_panel'], in: [estate.groups.n1], name: 'Boris' });
  desk = await makePerson(server, estate, {
    permissions: ['can_receive_call_as_concierge', 'can_call_descendants'],
    in: [estate.groups.north],
    name: 'Leila',
  });
});
afterAll(() => server.close());

const db = () => server.services.db;
async function number(text: string, over: Partial<typeof sipNumbers.$inferInsert>): Promise<string> {
  const [row] = await db()
    .insert(sipNumbers)
    .values({ projectId: estate.here, number: text, name: `Number ${text}`, ...over })
    .returning();
  return row?.id ?? '';
}
beforeEach(async () => {
  await db().delete(sipNumberForwards);
  await db().delete(sipNumbers);
  await db().delete(devices);
  await db().update(users).set({ licenseInfo: allLicensed });
  const [device] = await db()
    .insert(devices)
    .values(deviceRow({ projectId: estate.here, domainId: estate.groups.north, name: 'Lobby' }))
    .returning();
  ids['panel'] = await number('2001', { deviceId: device?.id ?? null });
  ids['queue'] = await number('700', { domainId: estate.groups.town });
  ids['resident'] = await number('1003', { userId: resident.id });
  ids['desk'] = await number('1002', { userId: desk.id });
  ids['far'] = await number('1009', { userId: (await makePerson(server, estate, { in: [estate.groups.s1], name: 'Carl' })).id });
  ids['free'] = await number('1100', {});
});

const profileOf = async ({ client }: Person): Promise<Profile> => dataOf<Profile>(await client.get('/profile'));
const sessionOf = async ({ id }: Person): Promise<string> => (await db().select().from(sessions).where(eq(sessions.userId, id)))[0]?.id ?? '';

describe('who may register with a number', () => {
  it('is its person, with a password for each session that ends with the session', async () => {
    const { sip_number: given } = (await profileOf(resident)).profile;
    expect(given).toEqual({ number: '1003', name: 'Number 1003', password: sessionPassword(server.services, await sessionOf(resident), '1003') });
    expect(given?.password).toMatch(/^[\w-]{43}$/);
    expect(await accountOf(server.services, '1003')).toEqual({
      number: '1003',
      name: 'Number 1003',
      projectId: estate.here,
      passwords: [given?.password],
    });
    const other = await makePerson(server, estate, { in: [estate.groups.n1] });
    await number('1005', { userId: other.id });
    await other.client.post('/logout');
    expect(await accountOf(server.services, '1005')).toMatchObject({ passwords: [] });
  });

  it('is a device or a picked phone, with the number’s own password', async () => {
    await db()
      .update(sipNumbers)
      .set({ passwordCipher: seal(server.services, 'Panel-77') })
      .where(eq(sipNumbers.number, '2001'));
    expect(await accountOf(server.services, '2001')).toMatchObject({ passwords: ['Panel-77'] });
    expect(await accountOf(server.services, '1100')).toBeNull();
    await db()
      .insert(sipNumberForwards)
      .values({ numberId: ids['resident'] ?? '', position: 0, pickedId: ids['free'] ?? '' });
    expect(await accountOf(server.services, '1100')).not.toBeNull();
  });

  it('is nobody for a number that is unknown, switched off, or whose owner is not licensed', async () => {
    expect(await accountOf(server.services, '4711')).toBeNull();
    await db().update(sipNumbers).set({ isActive: false }).where(eq(sipNumbers.number, '1003'));
    expect(await accountOf(server.services, '1003')).toBeNull();
    expect((await profileOf(resident)).profile.sip_number).toBeNull();
    const off = { ...allLicensed, sip: { ...allLicensed.sip, is_enabled: false } };
    await db().update(users).set({ licenseInfo: off }).where(eq(users.id, desk.id));
    expect(await accountOf(server.services, '1002')).toBeNull();
    await db()
      .update(groups)
      .set({ licence: { info: off } })
      .where(eq(groups.id, estate.groups.north));
    expect(await accountOf(server.services, '2001')).toBeNull();
    await db().update(groups).set({ licence: {} });
  });

  it('changes the version of their profile, so that the console reads it anew', async () => {
    const before = (await profileOf(resident)).version;
    expect((await admin.client.post(`/sip-numbers/${ids['resident']}/activation`, { is_active: false })).statusCode).toBe(200);
    const after = await profileOf(resident);
    expect([after.version === before, after.profile.sip_number]).toEqual([false, null]);
  });
});

describe('whom one may call', () => {
  const contactsOf = async (person: Person) => dataOf<Contact[]>(await person.client.get('/sip-numbers/contacts'));
  it('follows the permissions of calling; the queue of one’s house is there for everybody', async () => {
    expect((await contactsOf(resident)).map((contact) => contact.number).toSorted()).toEqual(['2001', '700']);
    expect((await contactsOf(desk)).map((contact) => contact.number).toSorted()).toEqual(['1003', '2001', '700']);
    expect((await contactsOf(admin)).map((contact) => contact.number).toSorted()).toEqual(['1002', '1003', '1009', '2001', '700']);
    const nobody = await makePerson(server, estate, { in: [estate.groups.s1] });
    expect((await contactsOf(nobody)).map((contact) => contact.number)).toEqual(['700']);
  });
  it('says who they are as far as they may be seen, and who sits at the desk', async () => {
    const contactsByNumber = (person: Person) =>
      contactsOf(person).then((all) => Object.fromEntries(all.map((contact) => [contact.number, contact])));
    expect(await contactsByNumber(admin)).toMatchObject({
      1002: {
        kind: 'user',
        user: { id: desk.id, name: 'Leila', description: null },
        title: expect.stringMatching(/^role/) as string,
        group: 'town · north',
      },
      1003: { kind: 'user', title: null, group: 'town · north · n1', is_reachable: null },
      700: { kind: 'group', user: null, group: 'town' },
      2001: { kind: 'device', user: null },
    });
    expect((await contactsByNumber(desk))['1003']).toMatchObject({ user: null, group: 'north · n1' });
    server.services.reachable = (asked) => asked === '700';
    expect((await contactsByNumber(resident))['700']).toMatchObject({ is_reachable: true, group: null });
    delete server.services.reachable;
  });
  it('tells the address and person of a number, and nothing of numbers out of sight', async () => {
    const info = async (person: Person, asked: string) => dataOf<CallInfo>(await person.client.get(`/sip-numbers/${asked}/call-info`));
    expect(await info(admin, '1003')).toEqual({ address: 'town · north · n1', user: { id: resident.id, name: 'Boris' }, door: false });
    expect(await info(desk, '2001')).toEqual({ address: 'north · Lobby', user: null, door: true });
    const nothing = { address: null, user: null, door: false };
    expect([await info(resident, '1009'), await info(admin, '4711')]).toEqual([nothing, nothing]);
    expect((await admin.client.get('/sip-numbers/no-number/call-info')).statusCode).toBe(404);
  });
});

describe('the numbers of a person, in their own form', () => {
  const changed = (numbers: string[], by: Person = admin) => by.client.patch(`/users/${resident.id}`, { sip_numbers: numbers });
  it('are given and let go, one after the other', async () => {
    expect((await changed([ids['resident'] ?? '', ids['free'] ?? ''])).statusCode).toBe(200);
    const { sip_numbers: held, mobile_clients: clients } = dataOf<{ sip_numbers: { name: string }[]; mobile_clients: unknown[] }>(
      await admin.client.get(`/users/${resident.id}`),
    );
    expect([held.map(({ name }) => name), clients]).toEqual([['1003 Number 1003', '1100 Number 1100'], []]);
    expect((await changed([ids['free'] ?? ''])).statusCode).toBe(200);
    expect((await profileOf(resident)).profile.sip_number?.number).toBe('1100');
    const taken = await changed([ids['desk'] ?? '']);
    expect([codeOf(taken), (taken.json() as { data: { issues: unknown[] } }).data.issues[0]]).toMatchObject([
      'number_not_free',
      { path: ['sip_numbers'] },
    ]);
  });
  it('are given only by those who may change numbers', async () => {
    const clerk = await makePerson(server, estate, {
      permissions: ['can_view_all_users', 'can_edit_all_users', 'can_view_all_sip_numbers', 'can_call_own_group', 'can_call_panel'],
      in: [estate.groups.town],
    });
    expect((await changed([], clerk)).statusCode).toBe(403);
    expect((await clerk.client.patch(`/users/${resident.id}`, { description: 'fine' })).statusCode).toBe(200);
  });
});
