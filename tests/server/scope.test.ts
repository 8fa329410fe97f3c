import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AreaName } from '#models/areas.ts';
import { modelOf } from '#models/index.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import { alarmCalls, auditEvents, deviceAlarms, deviceEvents, devices, groups as groupTable, markers, userMarkers } from '#server/db/schema/index.ts';
import { buildEstate, codeOf, dataOf, deviceRow, type Estate, groupBody, makePerson, makeRole, type Person, userBody } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

const keeper: PermissionCode[] = [
  'can_view_users',
  'can_create_users',
  'can_edit_all_users',
  'can_delete_users',
  'can_edit_users_role',
  'can_view_users_roles',
  'can_view_roles',
  'can_apply_markers_to_user',
  'can_view_markers',
  'can_create_markers',
  'can_edit_markers',
  'can_delete_markers',
  'can_create_descendant_group',
  'can_edit_descendant_groups',
  'can_delete_all_groups',
  'can_manage_own_group_users',
];

let server: TestServer;
let estate: Estate;
/** Keeps the north house, and nothing else. */
let north: Person;
let roomer: string;
let people: Record<'n1' | 's1' | 'town' | 'abroad', Person>;
let southMarker: string;

beforeAll(async () => {
  server = await openTestServer();
  const { services } = server;
  estate = await buildEstate(services);
  const { groups, here, there } = estate;
  roomer = await makeRole(services, here, []);
  north = await makePerson(server, estate, { permissions: keeper, in: [groups.north], available: [roomer], name: 'Keeper' });
  people = {
    n1: await makePerson(server, estate, { roleId: roomer, in: [groups.n1], name: 'In n1' }),
    s1: await makePerson(server, estate, { permissions: ['can_edit_profile'], in: [groups.s1], name: 'In s1' }),
    town: await makePerson(server, estate, { roleId: roomer, in: [groups.town, groups.n2], name: 'In both' }),
    abroad: await makePerson(server, estate, { project: there, permissions: [], in: [groups.abroad], name: 'Abroad' }),
  };
  const [made] = await services.db
    .insert(markers)
    .values({ projectId: here, name: 'South only', color: '#111111', createdBy: people.s1.id })
    .returning();
  southMarker = made?.id ?? '';
  await services.db.insert(userMarkers).values([{ userId: people.s1.id, markerId: southMarker }]);
});
afterAll(() => server.close());

const refusedEntries = (who: Person) =>
  server.services.db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.userId, who.id), eq(auditEvents.action, 'refused')));
const names = (answer: { json: () => unknown }): string[] => dataOf<{ name: string }[]>(answer).map(({ name }) => name);

describe('what is seen', () => {
  it("is one's own tree, never a parent, a sibling or another project", async () => {
    expect(names(await north.client.get('/groups'))).toEqual(['n1', 'n2', 'north']);
    expect(names(await north.client.get('/groups/tree'))).toEqual(['north', 'n1', 'n2']);
    expect(dataOf<{ parent_id: unknown }[]>(await north.client.get('/groups/tree'))[0]?.parent_id).toBeNull();
    const row = dataOf(await north.client.get(`/groups/${estate.groups.n1}`));
    expect(row).toMatchObject({ path: ['north', 'n1'], parent_id: { name: 'north', path: ['north'] } });
    expect(dataOf(await north.client.get(`/groups/${estate.groups.north}`))).toMatchObject({ path: ['north'], parent_id: null });
    expect(names(await north.client.get('/users')).toSorted()).toEqual(['In both', 'In n1', 'Keeper']);
    const both = dataOf<{ domains: unknown[] }>(await north.client.get(`/users/${people.town.id}`));
    expect(both.domains).toEqual([{ id: estate.groups.n2, name: 'n2', path: ['north', 'n2'] }]);
  });

  it('is oneself where one holds nothing', async () => {
    const { client, id } = people.s1;
    expect(dataOf<{ id: string }[]>(await client.get('/users')).map((row) => row.id)).toEqual([id]);
    expect(names(await client.get('/groups'))).toEqual(['s1']);
    expect(dataOf(await client.get('/groups/tree'))).toEqual([expect.objectContaining({ name: 's1', users_count: 1, parent_id: null })]);
    expect(dataOf(await client.get('/roles'))).toEqual([]);
    expect(dataOf<unknown[]>(await client.get(`/users/${id}`))).toMatchObject({ role: { id: people.s1.roleId } });
    expect(codeOf(await client.get('/audit-events'))).toBe('forbidden');
  });
});

/** Ways to ask for a row of another tree or project, by area: none may tell it is there (P2). */
const foreign = (): [area: string, id: string][] => [
  ['users', people.s1.id],
  ['users', people.abroad.id],
  ['groups', estate.groups.s1],
  ['groups', estate.groups.town],
  ['groups', estate.groups.abroad],
  ['roles', people.s1.roleId],
  ['roles', people.abroad.roleId],
  ['markers', southMarker],
  ['markers', estate.foreignMarker],
  ['group-types', estate.foreignType],
];

describe('rows out of sight (P2)', () => {
  it('are not there: by id, to write, to delete, in bulk, and what hangs on them', async () => {
    for (const [area, id] of foreign()) {
      const ghost = randomUUID();
      const calls: ((target: string) => Promise<{ statusCode: number; body: string; json: () => unknown }>)[] = [
        (target) => north.client.get(`/${area}/${target}`),
        (target) => north.client.get(`/${area}/${target}/dependants`),
        (target) => north.client.patch(`/${area}/${target}`, { name: 'Mine now' }),
        (target) => north.client.delete(`/${area}/${target}`),
        ...(area === 'users'
          ? [
              (target: string) => north.client.post(`/users/${target}/password`, { new_password: 'Stolen-2026' }),
              (target: string) => north.client.post(`/users/${target}/registration-link`),
              (target: string) => north.client.delete(`/users/${target}/avatar`),
            ]
          : []),
        ...(area === 'groups'
          ? [
              (target: string) => north.client.get(`/groups/${target}/children`),
              (target: string) => north.client.get(`/groups/${target}/floors-and-apartments`),
              (target: string) => north.client.delete(`/groups/${target}/logo`),
            ]
          : []),
      ];
      for (const [index, call] of calls.entries()) {
        const [real, none] = [await call(id), await call(ghost)];
        expect([real.statusCode, real.body], `${area} ${index}`).toEqual([none.statusCode, none.body]);
        expect([404, 403]).toContain(real.statusCode);
      }
      const outcome = dataOf<unknown>(await north.client.post(`/${area}/delete`, { items: [id] }));
      const notThere = [{ id, name: null, ok: false, problem: { code: 'not_found', message: 'item not found' } }];
      expect(outcome ?? notThere).toEqual(notThere);
    }
  });

  it('cannot be asked about through filters, nor counted', async () => {
    const ask = async (area: string, field: string, rule: string, value: unknown) => {
      const answer = await north.client.get(`/${area}?filters=${encodeURIComponent(JSON.stringify({ items: [{ field, rule, value }] }))}`);
      return (answer.json() as { meta: { total: number } }).meta.total;
    };
    expect(await ask('users', 'domains', 'has', estate.groups.town)).toBe(0);
    expect(await ask('users', 'domains', 'has', estate.groups.n2)).toBe(1);
    expect(await ask('groups', 'users', 'has', people.s1.id)).toBe(0);
    expect(await ask('groups', 'parent_id', 'equals', estate.groups.town)).toBe(0);
    expect(await ask('groups', 'parent_id', 'is', null)).toBe(1);
    expect(await ask('users', 'markers', 'has', southMarker)).toBe(0);
    expect(await ask('users', 'name', 'contains', 'In s1')).toBe(0);
    expect(await ask('roles', 'created_by_user', 'equals', people.s1.id)).toBe(0);
  });

  it('cannot be linked to', async () => {
    const { groups } = estate;
    const body = (over: Record<string, unknown>) =>
      userBody({ login: randomUUID().slice(0, 8), name: 'New', role: roomer, domains: [groups.n1], ...over });
    for (const over of [
      { domains: [groups.s1] },
      { domains: [groups.n1, groups.town] },
      { domains: [groups.abroad] },
      { markers: [southMarker] },
      { role: people.s1.roleId },
      { role: people.abroad.roleId },
    ])
      expect(codeOf(await north.client.put('/users', body(over))), JSON.stringify(over)).toBe('invalid_related');
    for (const domains of [[groups.south], [groups.abroad], [groups.town]])
      expect(codeOf(await north.client.patch(`/users/${people.n1.id}`, { domains }))).toBe('invalid_related');
    const refused = await north.client.patch(`/groups/${groups.n1}`, { users: [people.s1.id] });
    expect([codeOf(refused), (refused.json() as { data: unknown }).data]).toEqual(['invalid_related', { names: [], ids: [people.s1.id] }]);
    expect(codeOf(await north.client.patch(`/groups/${groups.n1}`, { parent_id: groups.south }))).toBe('invalid_related');
    expect(codeOf(await north.client.put('/groups', groupBody({ name: 'x', parent_id: groups.s1 })))).toBe('invalid_related');
    expect(codeOf(await north.client.put('/groups', groupBody({ name: 'x', parent_id: groups.n1, domain_type_id: estate.foreignType })))).toBe(
      'invalid_related',
    );
  });

  it('stay linked when somebody who cannot see them edits what they can', async () => {
    const { groups } = estate;
    const before = dataOf<{ version: number }>(await north.client.get(`/users/${people.town.id}`));
    expect(before).not.toHaveProperty('password_hash');
    await north.client.patch(`/users/${people.town.id}`, { domains: [groups.n1] });
    const admin = await makePerson(server, estate, { permissions: ['can_view_all_users', 'can_view_all_groups'], in: [groups.town] });
    const seen = dataOf<{ domains: { name: string }[] }>(await admin.client.get(`/users/${people.town.id}`));
    expect(seen.domains.map(({ name }) => name)).toEqual(['n1', 'town']);
    await north.client.patch(`/users/${people.town.id}`, { domains: [groups.n2] });
  });
});

describe('rows in sight but not in reach', () => {
  it('are refused with 403, and the trail says so', async () => {
    const watcher = await makePerson(server, estate, {
      permissions: ['can_view_users', 'can_edit_roles', 'can_view_all_roles'],
      in: [estate.groups.north],
    });
    const before = (await refusedEntries(watcher)).length;
    expect(codeOf(await watcher.client.patch(`/users/${people.n1.id}`, { name: 'Other' }))).toBe('forbidden');
    expect(codeOf(await watcher.client.delete(`/users/${people.n1.id}`))).toBe('forbidden');
    expect(codeOf(await watcher.client.put('/users', userBody({ role: roomer, domains: [estate.groups.n1] })))).toBe('forbidden');
    expect(codeOf(await watcher.client.patch(`/roles/${roomer}`, { name: 'Mine' }))).toBe('forbidden');
    expect(codeOf(await watcher.client.patch(`/groups/${estate.groups.n1}`, { name: 'Mine' }))).toBe('forbidden');
    expect(codeOf(await watcher.client.get('/audit-events'))).toBe('forbidden');
    const entries = await refusedEntries(watcher);
    expect(entries).toHaveLength(before + 6);
    expect(new Set(entries.map(({ area }) => area))).toEqual(new Set(['users', 'roles', 'groups', 'audit-events']));
    expect(entries.some(({ entityId }) => entityId === people.n1.id)).toBe(true);
  });
});

describe("one's own rows", () => {
  it('are seen by who made them, also outside their tree, but groups are not', async () => {
    const maker = await makePerson(server, estate, { permissions: ['can_create_markers'], in: [estate.groups.s1] });
    const id = dataOf<string>(await maker.client.put('/markers', { name: 'Made by me', color: '#222222' }));
    expect(names(await maker.client.get('/markers'))).toEqual(['Made by me']);
    expect(codeOf(await people.n1.client.get(`/markers/${id}`))).toBe('not_found');
    await server.services.db.update(groupTable).set({ createdBy: maker.id }).where(eq(groupTable.id, estate.groups.n2));
    expect(codeOf(await maker.client.get(`/groups/${estate.groups.n2}`))).toBe('not_found');
  });
});

describe('events, alarms and SOS calls', () => {
  it('of devices in sight are seen; of devices that are gone, by who sees all devices', async () => {
    const { groups, here: projectId } = estate;
    const { db } = server.services;
    const rows = await db
      .insert(devices)
      .values(['n1', 's1'].map((name) => deviceRow({ projectId, domainId: groups[name as 'n1' | 's1'], name })))
      .returning();
    const places = [...rows.map(({ id, name }) => ({ projectId, deviceId: id, deviceName: name })), { projectId, deviceName: 'gone' }];
    const at = new Date();
    await db.insert(deviceEvents).values(places.map((place) => ({ ...place, type: 'access_granted' as const, occurredAt: at })));
    await db.insert(deviceAlarms).values(places.map((place) => ({ ...place, sensor: 'smoke' as const, state: 'enabled' as const, enabledAt: at })));
    await db.insert(alarmCalls).values(places.map((place) => ({ ...place, calledAt: at })));
    const logs: PermissionCode[] = ['can_view_device_events', 'can_view_access_control_events', 'can_view_device_alarms'];
    const seenBy = async (code: PermissionCode, area: AreaName): Promise<string[]> => {
      const { client } = await makePerson(server, estate, { permissions: [...logs, code], in: [groups.north] });
      return dataOf<{ device: { name: string } | null }[]>(await client.get(`/${modelOf(area).path}`))
        .map((row) => row.device?.name ?? 'gone')
        .toSorted();
    };
    for (const area of ['device-events', 'access-control-events', 'device-alarms', 'alarm-calls'] as const)
      expect([area, await seenBy('can_view_all_devices', area), await seenBy('can_view_descendant_devices', area)]).toEqual([
        area,
        ['gone', 'n1', 's1'],
        ['n1'],
      ]);
  });
});
