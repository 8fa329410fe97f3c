import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { auditEvents, users } from '#server/db/schema/index.ts';
import { isFull } from '#tests/support/extent.ts';
import { buildEstate, codeOf, dataOf, type Estate, groupBody, isSignedIn, makePerson, makeRole, type Person, userBody } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town], login: 'boss', name: 'The Boss' });
});
afterAll(() => server.close());

const rounds = isFull ? 50 : 10;
type Body = Record<string, unknown>;
/** For each area people write: a body to create with, and a field to change. */
const areas: Record<string, { make: (tag: string) => Promise<Body> | Body; field: string; value: (round: number) => unknown }> = {
  users: {
    make: async (tag) =>
      userBody({ login: `u-${tag}`, name: `User ${tag}`, role: await makeRole(server.services, estate.here, []), domains: [estate.groups.n1] }),
    field: 'name',
    value: (round) => `Renamed ${round}`,
  },
  roles: {
    make: (tag) => ({ name: `Role ${tag}`, description: null, permissions: [], available_roles: [] }),
    field: 'description',
    value: (round) => `Described ${round}`,
  },
  groups: {
    make: (tag) => groupBody({ name: `G ${tag}`, parent_id: estate.groups.south }),
    field: 'description',
    value: (round) => `Described ${round}`,
  },
  'group-types': {
    make: (tag) => ({ name: `T ${tag}`, description: null, has_logic_address: true }),
    field: 'description',
    value: (round) => `Described ${round}`,
  },
  markers: { make: (tag) => ({ name: `M ${tag}`, color: '#aabbcc' }), field: 'color', value: (round) => `#000${String(round).padStart(3, '0')}` },
};
const tag = (): string => randomUUID().slice(0, 8);
async function create(area: string): Promise<string> {
  const answer = await boss.client.put(`/${area}`, await areas[area]?.make(tag()));
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<string>(answer);
}
const trailOf = (id: string) => server.services.db.select().from(auditEvents).where(eq(auditEvents.entityId, id)).orderBy(auditEvents.createdAt);

describe.each(Object.keys(areas))('%s', (area) => {
  const plan = areas[area] ?? { field: '', value: () => null };

  it('are made, read, changed and deleted, each with one entry in the trail', async () => {
    const id = await create(area);
    const row = dataOf(await boss.client.get(`/${area}/${id}`));
    expect(row).toMatchObject({ id, version: 1 });
    const changed = dataOf(await boss.client.patch(`/${area}/${id}`, { [plan.field]: plan.value(1) }));
    expect(changed).toMatchObject({ version: 2, [plan.field]: plan.value(1) });
    const same = dataOf(await boss.client.patch(`/${area}/${id}`, { [plan.field]: plan.value(1) }));
    expect(same['version']).toBe(2);
    expect((await boss.client.delete(`/${area}/${id}`)).json()).toEqual({ data: null });
    expect(codeOf(await boss.client.get(`/${area}/${id}`))).toBe('not_found');
    const trail = await trailOf(id);
    expect(trail.map(({ action }) => action).toSorted()).toEqual(['create', 'delete', 'update']);
    const update = trail.find(({ action }) => action === 'update');
    expect(update?.changes).toEqual({ [plan.field]: { before: row[plan.field] ?? null, after: plan.value(1) } });
    expect(update).toMatchObject({ area, userId: boss.id, userName: 'The Boss', projectId: estate.here });
  });

  it('never lose an update that names its version (C1)', async () => {
    const id = await create(area);
    for (let round = 0; round < rounds; round += 1) {
      const version = Number(dataOf(await boss.client.get(`/${area}/${id}`))['version']);
      const answers = await Promise.all(
        [0, 1, 2].map((who) =>
          boss.client.patch(`/${area}/${id}`, { [plan.field]: plan.value(10 + round * 3 + who) }, { 'if-match': `"${version}"` }),
        ),
      );
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 412, 412]);
      const winner = answers.findIndex(({ statusCode }) => statusCode === 200);
      for (const answer of answers.filter(({ statusCode }) => statusCode === 412)) {
        expect(codeOf(answer)).toBe('conflict');
        expect(dataOf(answer)).toMatchObject({ id, version: version + 1, [plan.field]: plan.value(10 + round * 3 + winner) });
      }
    }
    expect(codeOf(await boss.client.delete(`/${area}/${id}`, { 'if-match': '"1"' }))).toBe('conflict');
    expect(codeOf(await boss.client.patch(`/${area}/${id}`, {}, { 'if-match': 'yesterday' }))).toBe('wrong_parameters');
    expect((await boss.client.delete(`/${area}/${id}`, { 'if-match': `"${rounds + 1}"` })).statusCode).toBe(200);
  });

  it('tell when a row is gone (C2)', async () => {
    const id = await create(area);
    await boss.client.delete(`/${area}/${id}`);
    expect(codeOf(await boss.client.patch(`/${area}/${id}`, { [plan.field]: plan.value(1) }))).toBe('not_found');
    expect(codeOf(await boss.client.delete(`/${area}/${id}`))).toBe('not_found');
    expect(codeOf(await boss.client.get(`/${area}/not-an-id`))).toBe('not_found');
  });

  it('refuse fields nobody may write (P3)', async () => {
    const id = await create(area);
    const before = dataOf(await boss.client.get(`/${area}/${id}`));
    const extra = [
      'id',
      'version',
      'created_by',
      'created_at',
      'project_id',
      'projectId',
      'path',
      'licenseInfo',
      'password',
      'passwordHash',
      'is_verified',
      'activated_at',
      'users_count',
      '__proto__x',
      'constructor',
    ];
    for (const field of extra) {
      const answer = await boss.client.patch(`/${area}/${id}`, { [field]: 'x' });
      expect(answer.statusCode, `${field}: ${answer.body}`).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode).toBeLessThan(500);
      const body = { ...(await areas[area]?.make(tag())), [field]: 'x' };
      expect((await boss.client.put(`/${area}`, body)).statusCode).toBeGreaterThanOrEqual(400);
    }
    expect(dataOf(await boss.client.get(`/${area}/${id}`))).toEqual(before);
  });

  it('let one of twenty win a value that must be unique (C6)', async () => {
    const body = await areas[area]?.make(tag());
    const unique = area === 'groups' ? { ...body, domain_type_id: estate.types.house, logic_address: `L${tag()}` } : body;
    const answers = await Promise.all(Array.from({ length: 20 }, () => boss.client.put(`/${area}`, unique)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const codes = new Set(answers.filter(({ statusCode }) => statusCode !== 200).map(codeOf));
    expect(codes).toEqual(new Set([area === 'groups' ? 'domain_address_exists' : 'not_unique']));
  });

  it('are deleted many at a time, each told of', async () => {
    const ids = [await create(area), await create(area)];
    const missing = randomUUID();
    const outcomes = dataOf<{ id: string; ok: boolean; name: string | null; problem?: { code: string } }[]>(
      await boss.client.post(`/${area}/delete`, { items: [ids[0], missing, ids[1]] }),
    );
    expect(outcomes.map(({ id, ok }) => [id, ok])).toEqual([
      [ids[0], true],
      [missing, false],
      [ids[1], true],
    ]);
    expect(outcomes[1]).toMatchObject({ name: null, problem: { code: 'not_found' } });
    for (const id of ids) expect((await trailOf(id)).filter(({ action }) => action === 'delete')).toHaveLength(1);
  });
});

describe('the list grammar', () => {
  const wrong: [string, string][] = [
    ['size=501', 'size'],
    ['size=0', 'size'],
    ['page=-1', 'page'],
    ['page=1.5', 'page'],
    ['sort=password_hash', 'sort'],
    ['sort=name,-role_id', 'sort'],
    ['with=sessions', 'with'],
    ['filters=%5B', 'filters'],
    [`filters=${encodeURIComponent('{"items":[{"field":"password_hash","rule":"contains","value":"a"}]}')}`, 'filters'],
    [`filters=${encodeURIComponent('{"items":[{"field":"name","rule":"above","value":"a"}]}')}`, 'filters'],
    [`filters=${encodeURIComponent('{"items":[{"field":"name","rule":"contains","value":"a\\u0000b"}]}')}`, 'filters'],
    [`filters=${encodeURIComponent(JSON.stringify({ items: [{ field: 'name', rule: 'contains', value: 'x'.repeat(10_000) }] }))}`, 'filters'],
    ['colour=red', 'colour'],
    ['page=1&page=2', 'page'],
  ];
  it.each(wrong)('refuses what it does not know, naming it (%#)', async (address, parameter) => {
    const answer = await boss.client.get(`/users?${address}`);
    expect(answer.statusCode, answer.body).toBe(400);
    expect(dataOf(answer)).toMatchObject({ parameter });
  });

  it('leaves relations that are dear out of lists unless they are asked for', async () => {
    const one = async (address: string) => dataOf<Body[]>(await boss.client.get(address)).find(({ id }) => id === estate.groups.town);
    expect(await one('/groups')).toMatchObject({ users: [], users_count: 1, children_count: 2 });
    expect(await one('/groups')).not.toHaveProperty('children');
    expect(await one('/groups?with=users,children')).toMatchObject({
      users: [{ id: boss.id, name: 'The Boss' }],
      children: [{ name: 'north' }, { name: 'south' }],
    });
  });

  it('answers an item with its relations, named or not, and refuses others (spec B7)', async () => {
    const { town } = estate.groups;
    const plain = dataOf(await boss.client.get(`/groups/${town}`));
    expect(dataOf(await boss.client.get(`/groups/${town}?with=users,children`))).toEqual(plain);
    for (const wrong of ['with=sessions', 'page=1', 'with=users&with=children']) {
      const answer = await boss.client.get(`/groups/${town}?${wrong}`);
      expect([answer.statusCode, dataOf(answer)['parameter']]).toEqual([400, wrong.split('=')[0]]);
    }
  });

  it('answers the page asked for with the total', async () => {
    for (let round = 0; round < 7; round += 1) await create('markers');
    const { data, meta } = (await boss.client.get('/markers?size=3&page=2&sort=-name')).json() as { data: Body[]; meta: Body };
    expect(data).toHaveLength(3);
    expect(meta).toMatchObject({ page: 2, size: 3 });
    expect(Number(meta['total'])).toBeGreaterThanOrEqual(7);
    const beyond = (await boss.client.get('/markers?page=1000')).json() as { data: Body[]; meta: Body };
    expect(beyond).toEqual({ data: [], meta: { page: 1_000, size: 20, total: meta['total'] } });
  });

  it('puts what has no value last, whichever way it is sorted', async () => {
    await create('users');
    for (const sort of ['last_seen_at', '-last_seen_at']) {
      const { data } = (await boss.client.get(`/users?size=500&sort=${sort}`)).json() as { data: Body[] };
      const seen = data.map((user) => user['last_seen_at'] !== null);
      expect([seen[0], seen.at(-1)]).toEqual([true, false]);
      expect(seen.lastIndexOf(true)).toBeLessThan(seen.indexOf(false));
    }
  });
});

describe('text (C17)', () => {
  it.each([
    ['right to left', 'مرحبا بالعالم'],
    ['combining', 'e\u0301\u0323a\u0308'],
    ['31 code points beyond the first plane', '𝐀'.repeat(31)],
    ['quotes and signs', `O'Neill & "Co" (№ 5) / #7`],
  ])('%s comes back as it went', async (_kind, name) => {
    const id = dataOf<string>(await boss.client.put('/markers', { name, color: '#000000' }));
    expect(dataOf(await boss.client.get(`/markers/${id}`))['name']).toBe(name);
    await boss.client.delete(`/markers/${id}`);
  });
  it.each([
    ['NUL', 'a\u0000b', 'description', 'unstorable_characters'],
    ['half a pair', 'a\ud800b', 'description', 'unstorable_characters'],
    ['emoji in a name', 'Bell 🔔', 'name', 'name_characters'],
    ['32 characters', 'x'.repeat(32), 'name', 'max_length'],
    ['markup in a name', '<b>x</b>', 'name', 'name_characters'],
  ])('%s is refused at its field', async (_kind, text, field, rule) => {
    const answer = await boss.client.put('/group-types', { name: 'Fine', description: null, has_logic_address: true, [field]: text });
    expect(codeOf(answer)).toBe('invalid_data');
    expect(dataOf<{ issues: Body[] }>(answer).issues).toEqual([expect.objectContaining({ path: [field], rule })]);
  });
  it('keeps markup in plain text as text', async () => {
    const description = `<img src=x onerror=alert(1)> {{constructor}} \u202e 🔔 ${'ß'.repeat(10)}`;
    const id = dataOf<string>(await boss.client.put('/group-types', { name: `T ${tag()}`, description, has_logic_address: false }));
    expect(dataOf(await boss.client.get(`/group-types/${id}`))['description']).toBe(description);
  });
});

describe('uses and relations', () => {
  it('names what stands in the way of deleting (C3)', async () => {
    const role = dataOf<string>(await boss.client.put('/roles', await areas['roles']?.make(tag())));
    const user = dataOf<string>(await boss.client.put('/users', userBody({ login: tag(), name: 'Holder', role, domains: [estate.groups.s1] })));
    const expected = [{ area: 'users', rows: [{ id: user, name: 'Holder' }], total: 1 }];
    expect(dataOf(await boss.client.get(`/roles/${role}/dependants`))).toEqual(expected);
    const refused = await boss.client.delete(`/roles/${role}`);
    expect([codeOf(refused), dataOf(refused)]).toEqual(['in_use', expected]);
    expect(dataOf(await boss.client.delete(`/groups/${estate.groups.north}`))).toEqual([
      { area: 'groups', rows: [expect.objectContaining({ name: 'n1' }), expect.objectContaining({ name: 'n2' })], total: 2 },
    ]);
    expect(codeOf(await boss.client.delete(`/groups/${estate.groups.s1}`))).toBe('in_use');
    await boss.client.delete(`/users/${user}`);
    expect(dataOf(await boss.client.get(`/roles/${role}/dependants`))).toEqual([]);
    expect((await boss.client.delete(`/roles/${role}`)).statusCode).toBe(200);
  });

  it('refuses rows that are not there, and areas that are not yet', async () => {
    const ghost = randomUUID();
    const body = async (over: Body) =>
      userBody({ login: tag(), name: 'X', role: await makeRole(server.services, estate.here, []), domains: [estate.groups.n1], ...over });
    for (const over of [
      { domains: [ghost] },
      { markers: [ghost] },
      { role: ghost },
      { access_rules: [ghost] },
      { identifiers: [ghost] },
      { sip_numbers: [ghost] },
    ]) {
      const answer = await boss.client.put('/users', await body(over));
      expect([codeOf(answer), dataOf(answer)], JSON.stringify(over)).toEqual(['invalid_related', { names: [], ids: [ghost] }]);
    }
    expect(codeOf(await boss.client.put('/groups', groupBody({ devices: [ghost], parent_id: estate.groups.town })))).toBe('invalid_related');
    expect(
      codeOf(
        await boss.client.put(
          '/groups',
          groupBody({ parent_id: estate.groups.town, device_status_notify: [{ user: ghost, device_offline: true, device_task_failed: false }] }),
        ),
      ),
    ).toBe('invalid_related');
  });

  it('lets the version of both ends grow when a link changes', async () => {
    const person = await makePerson(server, estate, { in: [estate.groups.n1] });
    const versions = async () =>
      [(await boss.client.get(`/groups/${estate.groups.n2}`)).json(), (await boss.client.get(`/users/${person.id}`)).json()].map(
        (answer) => (answer as { data: { version: number } }).data.version,
      );
    const [group = 0, user = 0] = await versions();
    await boss.client.patch(`/users/${person.id}`, { domains: [estate.groups.n1, estate.groups.n2] });
    expect(await versions()).toEqual([group + 1, user + 1]);
    await boss.client.patch(`/groups/${estate.groups.n2}`, { users: [] });
    expect(await versions()).toEqual([group + 2, user + 2]);
    expect(await isSignedIn(server.services, person.id)).toBe(true);
    const [row] = await server.services.db.select().from(users).where(eq(users.id, person.id));
    expect(row?.version).toBe(user + 2);
  });
});
