import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Group } from '#models/groups.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { devices, groupForwardNumbers, groupForwardQueues, sipNumbers, sipTrunks } from '#server/db/schema/index.ts';
import { unseal } from '#server/devices/secrets.ts';
import { buildEstate, codeOf, dataOf, deviceRow, type Estate, makePerson, makeRole, numberBody, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let admin: Person;
const numbers: string[] = [];

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  const roleId = await makeRole(server.services, estate.here, permissionCodes);
  admin = await makePerson(server, estate, { roleId, in: [estate.groups.town] });
  for (const number of ['1', '2', '3'])
    numbers.push(dataOf<string>(await admin.client.put('/sip-numbers', numberBody({ number, name: `N${number}` }))));
});
afterAll(() => server.close());

const issueOf = (answer: { json: () => unknown }): unknown => (answer.json() as { data: { issues: unknown[] } }).data.issues[0];
const queue = (over: Record<string, unknown>) => ({ delay: 10, numbers: [], phones: [], ...over });
const forward = (queues: unknown[], is_enabled = true, by = admin) =>
  by.client.patch(`/groups/${estate.groups.n1}`, { forward_settings: { is_enabled, queues } });
const groupNow = async (): Promise<Group> => dataOf<Group>(await admin.client.get(`/groups/${estate.groups.n1}`));

describe('the forward settings of a group', () => {
  it('need people, and a number in every queue', async () => {
    const empty = await forward([queue({ numbers: [numbers[0]] })]);
    expect([empty.statusCode, issueOf(empty)]).toMatchObject([422, { rule: 'forward_needs_users' }]);
    await makePerson(server, estate, { in: [estate.groups.n1], name: 'Boris' });
    expect(issueOf(await forward([]))).toMatchObject({ path: ['forward_settings', 'queues'], rule: 'forward_needs_queue' });
    expect(issueOf(await forward([queue({ numbers: [numbers[0]] }), queue({})]))).toMatchObject({ rule: 'forward_needs_queue' });
    expect((await forward([queue({})], false)).statusCode).toBe(200);
  });

  it('keep queues and what is in them in order', async () => {
    const sent = [queue({ delay: 20, numbers: [numbers[1], numbers[0]] }), queue({ delay: 60, phones: ['+49 30 200', '112'] })];
    expect((await forward(sent)).statusCode).toBe(200);
    const { forward_settings: settings, version } = await groupNow();
    expect(settings).toEqual({
      is_enabled: true,
      queues: [
        {
          delay: 20,
          numbers: [
            { id: numbers[1], name: '2 N2' },
            { id: numbers[0], name: '1 N1' },
          ],
          phones: [],
        },
        { delay: 60, numbers: [], phones: ['+4930200', '112'] },
      ],
    });
    await forward(sent.toReversed());
    expect((await groupNow()).forward_settings.queues.map(({ delay }) => delay)).toEqual([60, 20]);
    expect((await groupNow()).version).toBeGreaterThan(version);
    expect(await server.services.db.select().from(groupForwardQueues)).toHaveLength(2);
    expect(await server.services.db.select().from(groupForwardNumbers)).toHaveLength(4);
  });

  it('hold their numbers: one that rings there is not deleted, and nobody is the last to leave', async () => {
    const used = await admin.client.delete(`/sip-numbers/${numbers[0]}`);
    expect([codeOf(used), (used.json() as { data: { area: string; rows: { name: string }[] }[] }).data]).toMatchObject([
      'in_use',
      [{ area: 'groups', rows: [{ name: 'n1' }] }],
    ]);
    expect(issueOf(await admin.client.patch(`/groups/${estate.groups.n1}`, { users: [] }))).toMatchObject({ rule: 'forward_needs_users' });
  });

  it('are for holders of their own permission in one’s own group', async () => {
    const keeper = await makePerson(server, estate, {
      permissions: ['can_manage_own_group_forward_settings', 'can_manage_own_group_general', 'can_view_all_sip_numbers'],
      in: [estate.groups.n1],
    });
    const other = await makePerson(server, estate, {
      permissions: ['can_manage_own_group_general', 'can_view_all_sip_numbers'],
      in: [estate.groups.n1],
    });
    expect((await forward([queue({ delay: 30, numbers: [numbers[0]] })], true, other)).statusCode).toBe(403);
    expect((await forward([queue({ delay: 30, numbers: [numbers[0]] })], true, keeper)).statusCode).toBe(200);
    // One after the other: once the number is the group's, giving it changes nothing and nobody is asked for a right.
    const give = async ({ client }: typeof keeper) => (await client.patch(`/groups/${estate.groups.n1}`, { sip_number: numbers[2] })).statusCode;
    expect([await give(other), await give(keeper)]).toEqual([403, 200]);
    expect((await groupNow()).sip_number).toEqual({ id: numbers[2], name: '3 N3' });
  });
});

describe('forward rules', () => {
  it('are kept while a group follows them', async () => {
    const body = { name: 'Desk last', redirect_if_no_answer: { is_immediately: false, timeout: 10 }, redirect_if_error: true };
    const id = dataOf<string>(await admin.client.put('/forward-rules', body));
    expect(codeOf(await admin.client.put('/forward-rules', body))).toBe('not_unique');
    expect(
      codeOf(await admin.client.put('/forward-rules', { ...body, name: 'x', redirect_if_no_answer: { is_immediately: false, timeout: 0 } })),
    ).toBe('invalid_data');
    await admin.client.patch(`/groups/${estate.groups.n1}`, { forward_rules: [id] });
    expect((await groupNow()).forward_rules).toEqual([{ id, name: 'Desk last' }]);
    expect(dataOf(await admin.client.get(`/forward-rules/${id}`))).toMatchObject({ ...body, groups_count: 1 });
    expect(codeOf(await admin.client.delete(`/forward-rules/${id}`))).toBe('in_use');
  });
});

describe('a SIP trunk', () => {
  const body = { name: 'City', termination_uri: 'sip:city.example:5060', outgoing_number: '+49 30 1', login: 'u', password: 'secret', groups: [''] };
  it('serves at least one group, and tells its password to nobody', async () => {
    const put = (over: Record<string, unknown>) => admin.client.put('/sip-trunks', { ...body, groups: [estate.groups.north], ...over });
    expect(issueOf(await put({ groups: [] }))).toMatchObject({ path: ['groups'], rule: 'trunk_needs_group' });
    for (const termination_uri of ['http://x', 'sip:a b', 'sip:x\r\nVia: y', 'sip:@', '-bad'])
      expect(issueOf(await put({ termination_uri })), termination_uri).toMatchObject({ path: ['termination_uri'] });
    const id = dataOf<string>(await put({}));
    const row = await admin.client.get(`/sip-trunks/${id}`);
    expect(dataOf(row)).toMatchObject({ outgoing_number: '+49301', has_password: true, groups: [{ name: 'north' }] });
    expect(row.body).not.toContain('secret');
    const [stored] = await server.services.db.select().from(sipTrunks);
    expect(unseal(server.services, stored?.passwordCipher ?? '')).toBe('secret');
  });
  it('is given to groups within the reach of the permission only', async () => {
    const own = await makePerson(server, estate, {
      permissions: ['can_view_descendants_sip_trunks', 'can_create_domain_sip_trunks', 'can_edit_descendants_sip_trunks', 'can_view_all_groups'],
      in: [estate.groups.south],
    });
    const put = (name: string, group: string) => own.client.put('/sip-trunks', { ...body, name, groups: [group] });
    expect((await put('a', estate.groups.north)).statusCode).toBe(403);
    expect((await put('b', estate.groups.s1)).statusCode).toBe(403);
    const id = dataOf<string>(await put('c', estate.groups.south));
    expect((await own.client.patch(`/sip-trunks/${id}`, { groups: [estate.groups.south, estate.groups.s1] })).statusCode).toBe(200);
    expect((await own.client.patch(`/sip-trunks/${id}`, { groups: [estate.groups.town] })).statusCode).toBe(403);
    expect((await own.client.delete(`/sip-trunks/${id}`)).statusCode).toBe(403);
  });
  it('of one’s own group is managed with the group: made, changed, removed; of other groups it is not there', async () => {
    const keeper = await makePerson(server, estate, { permissions: ['can_manage_own_group_sip_trunks'], in: [estate.groups.south] });
    const put = (name: string, group: string) => keeper.client.put('/sip-trunks', { ...body, name, groups: [group] });
    expect((await put('Far', estate.groups.north)).statusCode).toBe(422);
    expect((await put('Below', estate.groups.s1)).statusCode).toBe(403);
    const id = dataOf<string>(await put('Near', estate.groups.south));
    const foreign = dataOf<string>(await admin.client.put('/sip-trunks', { ...body, name: 'Other', groups: [estate.groups.north] }));
    const seen = dataOf<{ id: string }[]>(await keeper.client.get('/sip-trunks')).map((row) => row.id);
    expect([seen.includes(id), seen.includes(foreign)]).toEqual([true, false]);
    expect((await keeper.client.patch(`/sip-trunks/${id}`, { name: 'South line' })).statusCode).toBe(200);
    expect((await keeper.client.patch(`/sip-trunks/${foreign}`, { name: 'Mine' })).statusCode).toBe(404);
    expect((await keeper.client.delete(`/sip-trunks/${id}`)).statusCode).toBe(200);
  });
});

it('a device’s form gives it its number', async () => {
  const { db } = server.services;
  const [device] = await db
    .insert(devices)
    .values(deviceRow({ projectId: estate.here, domainId: estate.groups.n2 }))
    .returning();
  const path = `/devices/${device?.id}`;
  expect((await admin.client.patch(path, { sip_number: numbers[1] })).statusCode).toBe(200);
  const row = dataOf<{ sip_number: unknown; device_settings: { sip: unknown } }>(await admin.client.get(path));
  expect(row).toMatchObject({ sip_number: { name: '2 N2' }, device_settings: { sip: { enabled: true, login: '2', has_password: true } } });
  expect((await admin.client.patch(path, { name: 'Same number' })).statusCode).toBe(200);
  const [held] = await db.select().from(sipNumbers).where(eq(sipNumbers.number, '2'));
  expect(held?.deviceId).toBe(device?.id);
  const clerk = await makePerson(server, estate, {
    permissions: ['can_view_all_devices', 'can_edit_devices', 'can_view_all_sip_numbers'],
    in: [estate.groups.town],
  });
  expect((await clerk.client.patch(path, { sip_number: null })).statusCode).toBe(403);
});
