import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { permissionCodes, type PermissionCode } from '#models/permission-catalogue.ts';
import { buildEstate, codeOf, dataOf, type Estate, makePerson, makeRole, type Person, userBody } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

const rolesCodes: PermissionCode[] = [
  'can_view_roles',
  'can_create_roles',
  'can_edit_roles',
  'can_edit_available_roles',
  'can_delete_roles',
  'can_view_users',
];

let server: TestServer;
let estate: Estate;
let boss: Person;
/** Makes roles in the north house; `guard` is available to theirs and holds what they lack. */
let maker: Person;
let guard: string;
let stranger: string;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town], name: 'Boss' });
  guard = await makeRole(server.services, estate.here, ['can_intercept_call_like_concierge']);
  stranger = await makeRole(server.services, estate.here, ['can_view_markers']);
  maker = await makePerson(server, estate, { permissions: rolesCodes, in: [estate.groups.north], available: [guard], name: 'Maker' });
});
afterAll(() => server.close());

const body = (over: Record<string, unknown>) => ({
  name: `R ${randomUUID().slice(0, 8)}`,
  description: null,
  permissions: [],
  available_roles: [],
  ...over,
});
const issuesOf = (answer: { json: () => unknown }) =>
  dataOf<{ issues: { path: string[]; rule: string }[] }>(answer).issues.map(({ path, rule }) => `${path.join('.')} ${rule}`);

describe('a role one makes or changes (P4)', () => {
  it('holds nothing one lacks', async () => {
    const id = dataOf<string>(await maker.client.put('/roles', body({ permissions: ['can_view_users', 'can_view_roles'] })));
    expect(dataOf(await maker.client.get(`/roles/${id}`))).toMatchObject({
      permissions: ['can_view_roles', 'can_view_users'],
      created_by_user: { name: 'Maker' },
      users_count: 0,
    });
    for (const permissions of [['can_edit_all_users'], ['can_view_users', 'can_grant_more_than_own']]) {
      const made = await maker.client.put('/roles', body({ permissions }));
      expect([codeOf(made), issuesOf(made)]).toEqual(['forbidden', ['permissions more_than_own']]);
      expect(issuesOf(await maker.client.patch(`/roles/${id}`, { permissions }))).toEqual(['permissions more_than_own']);
    }
  });

  it('keeps what it held, though the editor lacks it', async () => {
    const row = dataOf<{ permissions: string[] }>(await maker.client.get(`/roles/${guard}`));
    const permissions = [...row.permissions, 'can_view_users'];
    expect(dataOf(await maker.client.patch(`/roles/${guard}`, { permissions }))).toMatchObject({ permissions });
    expect(codeOf(await maker.client.patch(`/roles/${guard}`, { permissions: [...permissions, 'can_call_all'] }))).toBe('forbidden');
  });

  it("makes available only what is available to oneself or one's own work", async () => {
    const own = dataOf<string>(await maker.client.put('/roles', body({})));
    expect((await maker.client.put('/roles', body({ available_roles: [guard, own] }))).statusCode).toBe(200);
    await makePerson(server, estate, { roleId: stranger, in: [estate.groups.n1] });
    const looker = await makePerson(server, estate, { permissions: [...rolesCodes, 'can_view_all_roles'], in: [estate.groups.north] });
    expect(issuesOf(await looker.client.put('/roles', body({ available_roles: [stranger] })))).toEqual(['available_roles role_beyond_own']);
    expect(codeOf(await maker.client.put('/roles', body({ available_roles: [stranger] })))).toBe('invalid_related');
    expect((await boss.client.put('/roles', body({ available_roles: [stranger, guard] }))).statusCode).toBe(200);
  });

  it("is not one's own, to gain by it, even for those who may grant more", async () => {
    const granter = await makePerson(server, estate, {
      permissions: [...rolesCodes, 'can_view_all_roles', 'can_edit_all_roles', 'can_grant_more_than_own'],
      in: [estate.groups.north],
    });
    const mine = dataOf<{ permissions: string[] }>(await granter.client.get(`/roles/${granter.roleId}`)).permissions;
    expect(issuesOf(await granter.client.patch(`/roles/${granter.roleId}`, { permissions: [...mine, 'can_call_all'] }))).toEqual([
      'permissions more_than_own',
    ]);
    expect((await granter.client.patch(`/roles/${stranger}`, { permissions: ['can_view_markers', 'can_call_all'] })).statusCode).toBe(200);
    const editor = await makePerson(server, estate, {
      permissions: [...rolesCodes, 'can_view_all_roles', 'can_edit_all_roles'],
      in: [estate.groups.north],
    });
    expect(issuesOf(await editor.client.patch(`/roles/${editor.roleId}`, { available_roles: [guard] }))).toEqual(['available_roles own_role']);
    expect((await editor.client.patch(`/roles/${editor.roleId}`, { description: 'said better' })).statusCode).toBe(200);
  });
});

describe('roles in reach', () => {
  it("are one's own work and those available; others are out of sight", async () => {
    expect((await maker.client.patch(`/roles/${guard}`, { description: 'at the gate' })).statusCode).toBe(200);
    expect(codeOf(await maker.client.delete(`/roles/${guard}`))).toBe('forbidden');
    expect(codeOf(await maker.client.patch(`/roles/${boss.roleId}`, { name: 'Mine' }))).toBe('not_found');
    const watcher = await makePerson(server, estate, { permissions: ['can_view_all_roles', 'can_edit_roles'], in: [estate.groups.north] });
    expect(codeOf(await watcher.client.patch(`/roles/${guard}`, { name: 'Mine' }))).toBe('forbidden');
  });

  it('cannot go while somebody holds them, said with names', async () => {
    const role = dataOf<string>(await boss.client.put('/roles', body({})));
    const holder = dataOf<string>(await boss.client.put('/users', userBody({ login: 'holder', name: 'Holder', role, domains: [estate.groups.n1] })));
    const refused = await boss.client.delete(`/roles/${role}`);
    expect([codeOf(refused), dataOf(refused)]).toEqual(['in_use', [{ area: 'users', rows: [{ id: holder, name: 'Holder' }], total: 1 }]]);
    expect(dataOf(await boss.client.get(`/roles/${role}`))).toMatchObject({ users_count: 1 });
  });
});

describe('a changed role (P10, S17)', () => {
  it('is in force with the next request of whoever holds it', async () => {
    const role = dataOf<string>(await boss.client.put('/roles', body({ permissions: ['can_view_users', 'can_view_markers'] })));
    const holder = await makePerson(server, estate, { roleId: role, in: [estate.groups.n1] });
    const seen = await holder.client.get('/users');
    expect(dataOf<unknown[]>(seen).length).toBeGreaterThan(1);
    await boss.client.patch(`/roles/${role}`, { permissions: [] });
    const now = await holder.client.get('/users');
    expect(dataOf<unknown[]>(now)).toHaveLength(1);
    expect(now.headers['doorward-profile']).not.toBe(seen.headers['doorward-profile']);
  });
});
