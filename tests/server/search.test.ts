import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import type { Found } from '#models/search.ts';
import { devices, groups, sipNumbers, users } from '#server/db/schema/index.ts';
import { buildEstate, dataOf, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let admin: Person;
const everything: readonly PermissionCode[] = ['can_view_all_users', 'can_view_all_groups', 'can_view_all_devices', 'can_view_all_sip_numbers'];

async function search({ client }: Person, q: string, recent: readonly string[] = []): Promise<Found[]> {
  const asked = new URLSearchParams({ ...(q && { q }), ...(recent.length > 0 && { recent: recent.join(',') }) });
  return dataOf(await client.get(`/search?${asked}`));
}
const names = (rows: readonly Found[]): string[] => rows.map(({ name }) => name);
const somebody = (name: string, more: { in?: string; login?: string; email?: string } = {}): Promise<Person> =>
  makePerson(server, estate, { ...more, name, in: [more.in ?? estate.groups.n1] });

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  const { db } = server.services;
  admin = await makePerson(server, estate, { name: 'Head', permissions: everything, in: [estate.groups.town] });
  for (const [name, domainId] of [
    ['North door', estate.groups.n1],
    ['South door', estate.groups.s1],
    ['Trapdoor', estate.groups.n1],
  ] as const)
    await db.insert(devices).values({ ...deviceRow({ projectId: estate.here, domainId, createdBy: null }), name });
});
afterAll(() => server.close());

describe('the search over all areas', () => {
  it('puts an exact name first, then what begins with it, then words that do, then the rest', async () => {
    for (const name of ['Bananna', 'Zoe Annas', 'Anna Zett', 'Anna']) await somebody(name);
    expect(names(await search(admin, 'ANNA'))).toEqual(['Anna', 'Anna Zett', 'Zoe Annas', 'Bananna']);
  });

  it('puts rows used lately before others that match, and tells those alone where nothing is typed', async () => {
    const second = await somebody('Carl Beta');
    const first = await somebody('Carl Alpha');
    expect(names(await search(admin, 'carl'))).toEqual(['Carl Alpha', 'Carl Beta']);
    expect(names(await search(admin, 'carl', [second.id]))).toEqual(['Carl Beta', 'Carl Alpha']);
    expect(names(await search(admin, '', [first.id]))).toEqual(['Carl Alpha']);
    expect(await search(admin, '')).toEqual([]);
  });

  it('finds Russian names with and without ё, and what was typed in the other layout', async () => {
    await somebody('Пётр Орёл');
    await somebody('Алексей Перов');
    expect(names(await search(admin, 'петр'))).toEqual(['Пётр Орёл']);
    expect(names(await search(admin, 'Орёл'))).toEqual(['Пётр Орёл']);
    expect(names(await search(admin, 'пёров'))).toEqual(['Алексей Перов']);
    expect(names(await search(admin, 'gtnh'))).toEqual(['Пётр Орёл']);
    expect(names(await search(admin, 'вщщк'))).toEqual(['North door', 'South door', 'Trapdoor']);
  });

  it('finds people by login, email and phone number, and says by what', async () => {
    const { id } = await somebody('Dora Quill', { login: 'dquill', email: 'front.desk@example.org' });
    await server.services.db.update(users).set({ phone: '+493012345678' }).where(eq(users.id, id));
    expect(await search(admin, 'dqu')).toMatchObject([{ area: 'users', name: 'Dora Quill', detail: 'dquill' }]);
    expect(await search(admin, 'front.')).toMatchObject([{ name: 'Dora Quill', detail: 'front.desk@example.org' }]);
    expect(await search(admin, '+49 (30) 12-34')).toMatchObject([{ name: 'Dora Quill', detail: '+493012345678' }]);
    expect(await search(admin, 'Dora')).toMatchObject([{ name: 'Dora Quill', detail: 'town · north · n1' }]);
  });

  it('finds a group by its name and the names above it', async () => {
    expect(await search(admin, 'south s1')).toMatchObject([{ area: 'groups', name: 's1', detail: 'town · south' }]);
    expect(await search(admin, 'south s1', [admin.id])).toMatchObject([{ name: 's1' }]);
    expect(await search(admin, 'north s1')).toEqual([]);
  });

  it('finds virtual numbers by digits and by name', async () => {
    await server.services.db.insert(sipNumbers).values({ projectId: estate.here, number: '7101', name: 'Reception', domainId: estate.groups.north });
    const expected = [{ area: 'sip-numbers', name: '7101 Reception', detail: 'town · north' }];
    expect(await search(admin, '710')).toMatchObject(expected);
    expect(await search(admin, 'recep')).toMatchObject(expected);
  });

  it('means % and _ as themselves', async () => {
    expect(await search(admin, '%')).toEqual([]);
    expect(await search(admin, '_')).toEqual([]);
  });

  it('tells only what the principal may see, places included, recent or not', async () => {
    const secret = await somebody('Hidden One', { in: estate.groups.s1 });
    const near = await somebody('Hidden Two', { in: estate.groups.n2 });
    await makePerson(server, estate, { name: 'Hidden Three', in: [estate.groups.abroad], project: estate.there });
    const warden = await makePerson(server, estate, { permissions: ['can_view_users', 'can_view_descendant_devices'], in: [estate.groups.north] });
    expect(await search(warden, 'hidden')).toMatchObject([{ name: 'Hidden Two', detail: 'north · n2' }]);
    expect(names(await search(warden, '', [secret.id, near.id]))).toEqual(['Hidden Two']);
    expect(names(await search(warden, 'door'))).toEqual(['North door', 'Trapdoor']);
    expect(await search(warden, 'south')).toEqual([]);
    const guest = await makePerson(server, estate, { name: 'Lone', in: [estate.groups.n2] });
    expect(names(await search(guest, 'hidden'))).toEqual([]);
    expect(names(await search(guest, 'lone'))).toEqual(['Lone']);
    expect((await server.as(null).get('/search?q=a')).statusCode).toBe(401);
  });

  it('tells no numbers to somebody without the licence for calls', async () => {
    const own = await makePerson(server, estate, { permissions: ['can_view_all_sip_numbers'], in: [estate.groups.north] });
    expect(names(await search(own, '7101'))).toEqual(['7101 Reception']);
    const [row] = await server.services.db.select({ licence: users.licenseInfo }).from(users).where(eq(users.id, own.id));
    if (!row) throw new Error('no user');
    await server.services.db
      .update(users)
      .set({ licenseInfo: { ...row.licence, sip: { ...row.licence.sip, is_enabled: false } } })
      .where(eq(users.id, own.id));
    expect(await search(own, '7101')).toEqual([]);
  });

  it('refuses what is no list of ids, too many of them, and text that is too long', async () => {
    for (const query of ['recent=abc', `recent=${Array(21).fill(admin.id).join(',')}`, `q=${'a'.repeat(101)}`, 'other=1'])
      expect((await admin.client.get(`/search?${query}`)).statusCode).toBe(400);
    expect(await server.services.db.$count(groups)).toBeGreaterThan(0);
  });
});
