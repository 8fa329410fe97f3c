import fc from 'fast-check';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GeneratedGroup, GroupNode } from '#models/groups.ts';
import type { Job } from '#models/job.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { auditEvents, groups as table } from '#server/db/schema/index.ts';
import { generate, sizeOf } from '#server/modules/groups/generate.ts';
import { inTime } from '#tests/support/in-time.ts';
import { buildEstate, codeOf, dataOf, type Estate, groupBody, jobIsOver, makePerson, type Person } from './estate.ts';
import { form, pngOf } from './hostile-files.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town], name: 'Boss' });
});
afterAll(() => server.close());

const make = async (name: string, parent_id: string | null, over: Record<string, unknown> = {}): Promise<string> => {
  const answer = await boss.client.put('/groups', groupBody({ name, parent_id, ...over }));
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<string>(answer);
};
const issuesOf = (answer: { json: () => unknown }) =>
  dataOf<{ issues: { path: (string | number)[]; rule: string }[] }>(answer).issues.map(({ path, rule }) => `${path.join('.')} ${rule}`);
const move = (who: Person, id: string, parent_id: string | null) => who.client.patch(`/groups/${id}`, { parent_id });
const pathOf = async (id: string) => dataOf<{ path: string[] }>(await boss.client.get(`/groups/${id}`)).path;

/** Every path is its parent's and itself: the one law of the tree. */
async function expectWhole(): Promise<void> {
  const rows = await server.services.db.select().from(table);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of rows) expect(row.path).toEqual([...(row.parentId ? (byId.get(row.parentId)?.path ?? ['lost']) : []), row.id]);
}

describe('the tree', () => {
  it('moves with all that is below', async () => {
    const [a, b] = [await make('Hall', null), await make('Yard', null)];
    const c = await make('Wing', a);
    const d = await make('Room', c);
    expect((await move(boss, c, b)).statusCode).toBe(200);
    expect(await pathOf(d)).toEqual(['Yard', 'Wing', 'Room']);
    expect(issuesOf(await move(boss, b, d))).toEqual(['parent_id own_child']);
    expect(issuesOf(await move(boss, b, b))).toEqual(['parent_id own_child']);
    expect((await move(boss, c, null)).statusCode).toBe(200);
    expect(await pathOf(d)).toEqual(['Wing', 'Room']);
    await expectWhole();
  });

  it('closes no circle when two move at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [a, b] = [await make(`A ${round}`, null), await make(`B ${round}`, null)];
      const answers = await Promise.all([
        move(boss, a, b),
        move(boss, b, a),
        boss.client.put('/groups', groupBody({ name: `C ${round}`, parent_id: a })),
      ]);
      expect(
        answers
          .slice(0, 2)
          .map(({ statusCode }) => statusCode)
          .toSorted((a, b) => a - b),
      ).toEqual([200, 422]);
    }
    await expectWhole();
  });

  it('grows to twenty levels and no deeper (C19)', async () => {
    let at: string | null = null;
    for (let level = 1; level <= 20; level += 1) at = await make(`Level ${level}`, at);
    expect(issuesOf(await boss.client.put('/groups', groupBody({ name: 'Level 21', parent_id: at })))).toEqual(['parent_id too_deep']);
    const pair = await make('Pair', null);
    await make('Under', pair);
    const [nineteenth] = await server.services.db.select().from(table).where(eq(table.name, 'Level 19'));
    expect(issuesOf(await move(boss, pair, nineteenth?.id ?? ''))).toEqual(['parent_id too_deep']);
  });

  it('keeps one address of a type under a parent', async () => {
    const parent = await make('Street', null);
    const house = { domain_type_id: estate.types.house, logic_address: '7a' };
    await make('First', parent, house);
    const answer = await boss.client.put('/groups', groupBody({ name: 'Second', parent_id: parent, ...house, logic_address: '7A' }));
    expect([codeOf(answer), issuesOf(answer)]).toEqual(['domain_address_exists', ['logic_address domain_address_exists']]);
    await make('Flat with it', parent, { domain_type_id: estate.types.flat, logic_address: '7a' });
    await make('Elsewhere', null, house);
  });

  it('is told flat, parents first, with counts, and child by child', async () => {
    const tree = dataOf<GroupNode[]>(await boss.client.get('/groups/tree'));
    const seen = new Set<string>();
    for (const { id, parent_id } of tree) {
      expect(parent_id === null || seen.has(parent_id)).toBe(true);
      seen.add(id);
    }
    const children = dataOf<GroupNode[]>(await boss.client.get(`/groups/${estate.groups.town}/children`));
    expect(children.map(({ name }) => name)).toEqual(['north', 'south']);
    expect(tree.find(({ name }) => name === 'town')).toMatchObject({ children_count: 2, users_count: 1 });
  });

  it('is in the order people count in wherever groups are listed', async () => {
    const house = await make('Counted', null);
    const made: Record<string, string> = {};
    for (const name of ['Floor 10', 'floor 2', 'Floor 1']) made[name] = await make(name, house);
    const counted = ['Floor 1', 'floor 2', 'Floor 10'];
    const below = { filters: JSON.stringify({ match: 'match_all', items: [{ field: 'parent_id', rule: 'equals', value: house }] }) };
    const list = async (sort: string) =>
      dataOf<{ name: string }[]>(await boss.client.get(`/groups?${new URLSearchParams({ ...below, sort })}`)).map(({ name }) => name);
    expect([await list('name'), await list('-name')]).toEqual([counted, counted.toReversed()]);
    const nodes = dataOf<GroupNode[]>(await boss.client.get('/groups/tree'));
    expect(nodes.filter(({ parent_id }) => parent_id === house).map(({ name }) => name)).toEqual(counted);
    expect(
      dataOf<{ children: { name: string }[] }>(await boss.client.get(`/groups/${house}?with=children`)).children.map(({ name }) => name),
    ).toEqual(counted);
    const person = await makePerson(server, estate, { permissions: permissionCodes, in: Object.values(made) });
    expect(dataOf<{ domains: { name: string }[] }>(await person.client.get('/profile')).domains.map(({ name }) => name)).toEqual(counted);
    expect(dataOf<{ domains: { name: string }[] }>(await boss.client.get(`/users/${person.id}`)).domains.map(({ name }) => name)).toEqual(counted);
  });

  it('knows floors and apartments by its shape', async () => {
    const house = await make('Tall house', null);
    for (const floor of ['2', '10', '1']) {
      const id = await make(`Floor ${floor}`, house, { domain_type_id: estate.types.house, logic_address: floor });
      for (const flat of ['2', '10', '1']) await make(`Flat ${flat}`, id, { domain_type_id: estate.types.flat, logic_address: flat });
    }
    const floors = dataOf<{ floor: { name: string }; apartments: { name: string }[] }[]>(
      await boss.client.get(`/groups/${house}/floors-and-apartments`),
    );
    expect(floors.map(({ floor }) => floor.name)).toEqual(['Floor 1', 'Floor 2', 'Floor 10']);
    expect(floors[0]?.apartments.map(({ name }) => name)).toEqual(['Flat 1', 'Flat 2', 'Flat 10']);
  });
});

describe('who may do what (P5)', () => {
  it("makes groups under one's own tree only, and roots with the right to", async () => {
    const grower = await makePerson(server, estate, {
      permissions: ['can_create_descendant_group', 'can_edit_descendant_groups'],
      in: [estate.groups.north],
    });
    const id = dataOf<string>(await grower.client.put('/groups', groupBody({ name: 'New', parent_id: estate.groups.n1 })));
    expect(dataOf(await grower.client.get(`/groups/${id}`))).toMatchObject({ path: ['north', 'n1', 'New'] });
    expect(issuesOf(await grower.client.put('/groups', groupBody({ name: 'Root' })))).toEqual(['parent_id root_not_allowed']);
    expect(issuesOf(await move(grower, id, null))).toEqual(['parent_id root_not_allowed']);
    expect(codeOf(await move(grower, id, estate.groups.south))).toBe('invalid_related');
    expect((await move(grower, id, estate.groups.n2)).statusCode).toBe(200);
    expect(codeOf(await grower.client.patch(`/groups/${estate.groups.north}`, { name: 'Mine' }))).toBe('forbidden');
    const wide = await makePerson(server, estate, {
      permissions: ['can_view_all_groups', 'can_create_descendant_group', 'can_edit_descendant_groups'],
      in: [estate.groups.north],
    });
    expect(issuesOf(await move(wide, id, estate.groups.south))).toEqual(['parent_id not_allowed']);
    expect(issuesOf(await wide.client.put('/groups', groupBody({ name: 'Far', parent_id: estate.groups.s1 })))).toEqual(['parent_id not_allowed']);
    expect(codeOf(await move(wide, estate.groups.s1, estate.groups.n1))).toBe('forbidden');
  });

  it('tells chosen people of devices', async () => {
    const device_status_notify = [{ user: boss.id, device_offline: true, device_task_failed: false }];
    const row = dataOf(await boss.client.patch(`/groups/${estate.groups.n2}`, { device_status_notify }));
    expect(row['device_status_notify']).toEqual([{ user: { id: boss.id, name: 'Boss' }, device_offline: true, device_task_failed: false }]);
    expect(dataOf(await boss.client.patch(`/groups/${estate.groups.n2}`, { device_status_notify: [] }))['device_status_notify']).toEqual([]);
  });

  it('deletes those one made, with the right to', async () => {
    const builder = await makePerson(server, estate, {
      permissions: ['can_create_descendant_group', 'can_delete_own_group'],
      in: [estate.groups.north],
    });
    const id = dataOf<string>(await builder.client.put('/groups', groupBody({ name: 'Shed', parent_id: estate.groups.n2 })));
    expect(codeOf(await builder.client.delete(`/groups/${estate.groups.n2}`))).toBe('forbidden');
    expect((await builder.client.delete(`/groups/${id}`)).statusCode).toBe(200);
  });

  it('deletes a branch from the leaves up', async () => {
    const top = await make('Branch', null);
    const mid = await make('Twig', top);
    const leaf = await make('Leaf', mid);
    const outcomes = dataOf<{ id: string; ok: boolean }[]>(await boss.client.post('/groups/delete', { items: [top, mid, leaf] }));
    expect(outcomes).toEqual([top, mid, leaf].map((id) => expect.objectContaining({ id, ok: true })));
  });
});

describe('the logo', () => {
  it('is uploaded, drawn anew and removed by those who keep the white label', async () => {
    const { body, headers } = form({}, pngOf(0, 0));
    expect(codeOf(await boss.client.send('POST', `/groups/${estate.groups.n1}/logo`, body, headers))).toBe('invalid_file');
    const { Transformer } = await import('@napi-rs/image');
    const good = await Transformer.fromRgbaPixels(Buffer.alloc(2_000 * 1_000 * 4, 90), 2_000, 1_000).png();
    const upload = form({}, good);
    const logo = dataOf<{ logo: string }>(await boss.client.send('POST', `/groups/${estate.groups.n1}/logo`, upload.body, upload.headers)).logo;
    const served = await server.app.inject({ method: 'GET', url: logo });
    expect(await new Transformer(served.rawPayload).metadata()).toMatchObject({ width: 512, height: 256 });
    expect(dataOf(await boss.client.get(`/groups/${estate.groups.n1}`))['whitelabel']).toMatchObject({ logo });
    const plain = await makePerson(server, estate, { permissions: ['can_manage_own_group_general'], in: [estate.groups.n1] });
    expect(codeOf(await plain.client.send('POST', `/groups/${estate.groups.n1}/logo`, upload.body, upload.headers))).toBe('forbidden');
    expect((await boss.client.delete(`/groups/${estate.groups.n1}/logo`)).statusCode).toBe(200);
    expect((await server.app.inject({ method: 'GET', url: logo })).statusCode).toBe(404);
  });
});

const numeration = (over: Record<string, unknown> = {}) => ({
  from: 1,
  except: [],
  is_in_youngest_num: false,
  is_start_youngest_num: false,
  ...over,
});
const level = (over: Record<string, unknown> = {}) => ({
  id: estate.types.house,
  count: 2,
  prefix: null,
  logic_number: true,
  numeration: numeration(),
  ...over,
});
const leaves = (groups: readonly GeneratedGroup[]): GeneratedGroup[] =>
  groups.flatMap((group) => (group.children.length > 0 ? leaves(group.children) : [group]));

describe('generating', () => {
  const propose = async (levels: unknown[]) => boss.client.post(`/groups/${estate.groups.s1}/generate`, { levels });
  const names = async (levels: unknown[]) => leaves(dataOf<{ groups: GeneratedGroup[] }>(await propose(levels)).groups).map(({ name }) => name);

  it("numbers upwards, leaving out, anew in each parent, on through all, or behind the parent's", async () => {
    expect(await names([level({ count: 4, prefix: 'House ', numeration: numeration({ from: 3, except: [4, 6] }) })])).toEqual([
      'House 3',
      'House 5',
      'House 7',
      'House 8',
    ]);
    expect(await names([level(), level({ count: 3 })])).toEqual(['1', '2', '3', '1', '2', '3']);
    expect(await names([level(), level({ count: 3, numeration: numeration({ is_in_youngest_num: true, except: [2] }) })])).toEqual([
      '1',
      '3',
      '4',
      '5',
      '6',
      '7',
    ]);
    expect(
      await names([
        level({ numeration: numeration({ from: 4 }) }),
        level({ prefix: 'Flat ', numeration: numeration({ is_start_youngest_num: true }) }),
      ]),
    ).toEqual(['Flat 401', 'Flat 402', 'Flat 501', 'Flat 502']);
    const { count, groups } = dataOf<{ count: number; groups: GeneratedGroup[] }>(await propose([level(), level({ logic_number: false })]));
    expect(count).toBe(6);
    expect(groups[0]).toMatchObject({ logic_address: '1', domain_type_id: estate.types.house, children: [{ logic_address: null }, {}] });
    expect(issuesOf(await propose([level({ prefix: '<b>' })]))).toEqual(['levels.0.prefix name_characters']);
    expect(codeOf(await propose([level({ id: estate.foreignType })]))).toBe('invalid_related');
  });

  it('never gives a number twice where the count runs on (property)', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 0, max: 30 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 40 })),
        (outer, inner, from, except) => {
          const levels = [
            level({ count: outer }),
            level({ count: inner, numeration: numeration({ from, except, is_in_youngest_num: true }) }),
          ] as Parameters<typeof generate>[0];
          const made = leaves(generate(levels, { logicAddress: null }, new Set())).map(({ name }) => Number(name));
          expect(sizeOf(levels)).toBe(outer + outer * inner);
          expect(new Set(made).size).toBe(outer * inner);
          expect(made.every((number, index) => number >= from && !except.includes(number) && (index === 0 || number > (made[index - 1] ?? 0)))).toBe(
            true,
          );
        },
      ),
      { numRuns: 200, seed: 7 },
    );
  });

  it('stores ten thousand in one go, all or nothing, within ten seconds (C19)', async () => {
    const refused = await propose([level({ count: 100 }), level({ count: 100 })]);
    expect([codeOf(refused), refused.json()]).toEqual([
      'limit_exceeded',
      expect.objectContaining({ message: 'limit exceeded, used 10100, max 10000' }),
    ]);
    const { groups } = dataOf<{ groups: GeneratedGroup[] }>(await propose([level({ count: 100, prefix: 'F ' }), level({ count: 99 })]));
    const started = performance.now();
    const job = await jobIsOver(boss.client, dataOf<Job>(await boss.client.post(`/groups/${estate.groups.s1}/generated`, { groups })));
    expect(performance.now() - started).toBeLessThan(inTime(10_000));
    expect(job).toMatchObject({ state: 'completed', done: 10_000, total: 10_000 });
    expect(dataOf<GroupNode[]>(await boss.client.get(`/groups/${estate.groups.s1}/children`))).toHaveLength(100);
    await expectWhole();
    const entries = await server.services.db.select().from(auditEvents).where(eq(auditEvents.action, 'generate'));
    expect(entries).toEqual([expect.objectContaining({ entityId: estate.groups.s1, changes: { groups: { before: null, after: 10_000 } } })]);
    const twice = { groups: [{ ...groups[1], name: 'New one', logic_address: 'x' }, ...groups.slice(0, 1)] };
    const again = await jobIsOver(boss.client, dataOf<Job>(await boss.client.post(`/groups/${estate.groups.s1}/generated`, twice)));
    expect(again).toMatchObject({ state: 'failed', problem: { code: 'domain_address_exists' } });
    expect(dataOf<GroupNode[]>(await boss.client.get(`/groups/${estate.groups.s1}/children`))).toHaveLength(100);
  });

  it('is for those who may make groups there, of sane depth', async () => {
    const guest = await makePerson(server, estate, { permissions: ['can_create_descendant_group'], in: [estate.groups.n1] });
    expect(codeOf(await guest.client.post(`/groups/${estate.groups.n2}/generate`, { levels: [level()] }))).toBe('not_found');
    expect((await guest.client.post(`/groups/${estate.groups.n1}/generate`, { levels: [level()] })).statusCode).toBe(200);
    let deep: GeneratedGroup = { name: 'x', domain_type_id: estate.types.house, logic_address: null, children: [] };
    for (let depth = 0; depth < 25; depth += 1) deep = { ...deep, children: [deep] };
    expect(issuesOf(await boss.client.post(`/groups/${estate.groups.n1}/generated`, { groups: [deep] }))).toEqual(['groups too_deep']);
    const nested = `{"groups":[${'{"name":"x","children":['.repeat(5_000)}${']}'.repeat(5_000)}]}`;
    const answer = await server.app.inject({
      method: 'POST',
      url: `/api/v0/groups/${estate.groups.n1}/generated`,
      payload: nested,
      headers: { authorization: `Bearer ${boss.client.token}`, 'content-type': 'application/json' },
    });
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode).toBeLessThan(500);
  });
});
