import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessEffect } from '#models/access-effect.ts';
import type { ConciergeDevice } from '#models/devices.ts';
import { permissionCodes, type PermissionCode } from '#models/permission-catalogue.ts';
import { accessRuleDevices, accessRules, accessRuleUsers, devices, identifiers, roles, userDomains, users } from '#server/db/schema/index.ts';
import { buildEstate, dataOf, deviceRow, type Estate, makePerson, makeRole, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
/** Sees the north alone. */
let northern: Person;
let [anna, bert] = [] as unknown as [Person, Person];

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  const { groups } = estate;
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [groups.town] });
  northern = await makePerson(server, estate, { permissions: permissionCodes.filter((code) => !/_view_all_|_all$/.test(code)), in: [groups.north] });
  anna = await makePerson(server, estate, { in: [groups.n1], name: 'Anna' });
  bert = await makePerson(server, estate, { in: [groups.s1], name: 'Bert' });
});
afterAll(() => server.close());

const db = () => server.services.db;
async function device(over: Partial<typeof devices.$inferInsert>): Promise<string> {
  const [row] = await db()
    .insert(devices)
    .values(deviceRow({ projectId: estate.here, domainId: estate.groups.north, ...over }))
    .returning();
  return row?.id ?? '';
}
async function put(path: string, body: Record<string, unknown>): Promise<string> {
  const answer = await boss.client.put(path, body);
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<string>(answer);
}
async function effectOf(who: Person, change: Record<string, unknown>): Promise<AccessEffect> {
  const answer = await who.client.post('/access/effect', change);
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<AccessEffect>(answer);
}
/** People by kind, and each place with its number. */
const short = (effect: AccessEffect) =>
  Object.fromEntries(
    Object.entries(effect)
      .filter(([, part]) => part.people > 0)
      .map(([kind, { people, doors }]) => [kind, [people, ...doors.map(({ device: { name }, people: count }) => `${name}: ${count}`)]]),
  );
/** Who is behind a number, by name. */
async function namesOf(change: Record<string, unknown>, kind: string, place: { device: string; floor: number } | { device: null }) {
  const answer = await boss.client.post('/access/effect/people', { change, kind, ...place, page: 1 });
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<{ people: { name: string }[] }>(answer).people.map(({ name }) => name);
}

describe('the effect of an elevator access rule', () => {
  const area = 'elevator-access-rules';
  let [lift, controller, rule] = ['', '', ''];
  const draftOf = (people: Person[], floors: number[], elevator = lift) => ({
    name: 'Rule',
    description: null,
    users: people.map(({ id }) => id),
    elevators: [{ elevator, floors }],
  });
  beforeAll(async () => {
    controller = await device({ type: 'lift_controller', model: 'LC-16', name: 'Controller' });
    const floors = [1, 2, 3].map((number) => ({ number, name: `Level ${number}`, group: null }));
    lift = await put('/elevators', { name: 'Lift', domain_id: estate.groups.north, controllers: [{ device: controller, mode: 'access' }], floors });
    rule = await put('/elevator-access-rules', { ...draftOf([anna], [1, 2]), name: 'Anna up' });
  });

  it('new: opens its floors for the people it names who do not go there yet', async () => {
    const change = { area, id: null, draft: draftOf([anna, bert], [2, 3]) };
    expect(short(await effectOf(boss, change))).toEqual({ opens: [2, 'north · Lift · Level 2: 1', 'north · Lift · Level 3: 2'] });
    expect(await namesOf(change, 'opens', { device: lift, floor: 2 })).toEqual(['Bert']);
    expect(await namesOf(change, 'opens', { device: null })).toEqual(['Anna', 'Bert']);
  });

  it('changed: closes the floors and the people it leaves out', async () => {
    expect(short(await effectOf(boss, { area, id: rule, draft: draftOf([anna], [2, 3]) }))).toEqual({
      opens: [1, 'north · Lift · Level 3: 1'],
      closes: [1, 'north · Lift · Level 1: 1'],
    });
    expect(short(await effectOf(boss, { area, id: rule, draft: draftOf([anna], [1, 2]) }))).toEqual({});
  });

  it('deleted, or without one of its people: closes what it alone opened', async () => {
    const closed = { closes: [1, 'north · Lift · Level 1: 1', 'north · Lift · Level 2: 1'] };
    expect(short(await effectOf(boss, { area, id: rule, draft: null }))).toEqual(closed);
    expect(short(await effectOf(boss, { area: 'users', id: anna.id, draft: null }))).toEqual(closed);
  });

  it('opens nothing for somebody who may use no elevator', async () => {
    await db().update(users).set({ elevatorAccessDisabled: true }).where(eq(users.id, bert.id));
    expect(short(await effectOf(boss, { area, id: null, draft: draftOf([bert], [1]) }))).toEqual({});
    await db().update(users).set({ elevatorAccessDisabled: false }).where(eq(users.id, bert.id));
  });

  it('is that of a person who may use no elevator any more, or may again', async () => {
    const both = ['north · Lift · Level 1: 1', 'north · Lift · Level 2: 1'];
    const change = (barred?: boolean) => ({
      area: 'users',
      id: anna.id,
      draft: { domains: [estate.groups.n1], access_rules: [], ...(barred !== undefined && { elevator_access_disabled: barred }) },
    });
    expect(short(await effectOf(boss, change()))).toEqual({});
    expect(short(await effectOf(boss, change(true)))).toEqual({ closes: [1, ...both] });
    await db().update(users).set({ elevatorAccessDisabled: true }).where(eq(users.id, anna.id));
    expect(short(await effectOf(boss, change()))).toEqual({});
    expect(short(await effectOf(boss, change(false)))).toEqual({ opens: [1, ...both] });
    await db().update(users).set({ elevatorAccessDisabled: false }).where(eq(users.id, anna.id));
  });

  it('at an elevator an access rule opens nothing, and a prohibition closes its floors', async () => {
    const draft = { name: 'Bar', description: null, devices: [controller], time_rules: [], domains: [], identifiers: [], is_shareable: false };
    const change = (prohibition: boolean) => ({ area: 'access-rules', id: null, draft: { ...draft, users: [anna.id, bert.id], prohibition } });
    expect(short(await effectOf(boss, change(false)))).toEqual({});
    expect(short(await effectOf(boss, change(true)))).toEqual({ closes: [1, 'north · Lift · Level 1: 1', 'north · Lift · Level 2: 1'] });
  });

  it('tells of people and elevators in sight alone, and only those who may make the change', async () => {
    expect(short(await effectOf(northern, { area, id: null, draft: draftOf([anna, bert], [3]) }))).toEqual({
      opens: [1, 'north · Lift · Level 3: 1'],
    });
    expect((await anna.client.post('/access/effect', { area, id: null, draft: draftOf([bert], [3]) })).statusCode).toBe(403);
  });
});

describe('the effect of a role', () => {
  let role = '';
  let holders: Person[] = [];
  const doors = new Map<string, string>();

  beforeAll(async () => {
    const { groups } = estate;
    role = await makeRole(server.services, estate.here, []);
    for (const [at, group] of [groups.town, groups.north, groups.n1, groups.s1, groups.south].entries())
      holders.push(await makePerson(server, estate, { roleId: role, in: [group], name: `Holder ${at}` }));
    const [first] = holders;
    for (const [name, domainId, createdBy] of [
      ['Town gate', groups.town, null],
      ['North door', groups.north, null],
      ['Flat door', groups.n1, first?.id],
      ['South door', groups.s1, holders[2]?.id],
    ] as const)
      doors.set(await device({ name, domainId, createdBy: createdBy ?? null }), name);
    const [gate] = [...doors.keys()];
    const [rule] = await db().insert(accessRules).values({ projectId: estate.here, name: 'Gate', prohibition: false }).returning();
    await db()
      .insert(accessRuleDevices)
      .values({ ruleId: rule?.id ?? '', deviceId: gate ?? '' });
    // Both are named by the rule; only the first has a card.
    await db()
      .insert(accessRuleUsers)
      .values(holders.slice(3).map(({ id }) => ({ ruleId: rule?.id ?? '', userId: id })));
    const value = randomUUID().slice(0, 8).toUpperCase();
    await db()
      .insert(identifiers)
      .values({ projectId: estate.here, userId: holders[3]?.id ?? null, name: 'Card', type: 'card', value });
  });

  const give = (permissions: readonly PermissionCode[]) =>
    db()
      .update(roles)
      .set({ permissions: [...permissions] })
      .where(eq(roles.id, role));
  /** Every holder with every door that the console opens to them. */
  async function opened(): Promise<Set<string>> {
    const found = new Set<string>();
    for (const { id, client } of holders) {
      const answer = await client.get('/concierge-devices');
      if (answer.statusCode === 403) continue;
      for (const one of dataOf<ConciergeDevice[]>(answer)) found.add(`${id} ${one.name}`);
    }
    return found;
  }
  const without = (all: Set<string>, less: Set<string>): string[] => [...all].filter((one) => !less.has(one)).toSorted();
  /** Doors by name with how many holders each is lost or gained for. */
  const counted = (pairs: readonly string[]): string[] => {
    const names = pairs.map((pair) => pair.slice(37));
    return [...new Set(names)].map((name) => `${name}: ${names.filter((other) => other === name).length}`).toSorted();
  };
  const peopleIn = (pairs: readonly string[]): number => new Set(pairs.map((pair) => pair.slice(0, 36))).size;

  const desk = ['can_receive_call_as_concierge', 'can_call_panel'] as const;
  const sets: readonly (readonly PermissionCode[])[] = [
    [],
    ['can_view_all_devices'],
    [desk[0]],
    [desk[0], 'can_view_all_devices'],
    [desk[1], 'can_view_own_group_devices'],
    [desk[1], 'can_view_descendant_devices'],
    ['can_view_own_identifiers'],
    ['can_view_own_identifiers', desk[0], 'can_view_own_group_devices'],
    ['can_edit_devices', 'can_view_all_devices', 'can_view_own_identifiers'],
  ];

  it('says of every change between nine sets of permissions which doors the console then opens or does not open any more, for whom', async () => {
    const known: Set<string>[] = [];
    for (const permissions of sets) {
      await give(permissions);
      known.push(await opened());
    }
    expect(known.map(({ size }) => size)).toEqual([0, 0, 2, 20, 6, 10, 1, 7, 20]);
    for (const [at, permissions] of sets.entries()) {
      await give(permissions);
      for (const [to, draft] of sets.entries()) {
        const { opens, closes, hours } = await effectOf(boss, { area: 'roles', id: role, draft: { permissions: draft } });
        const [before, after] = [known[at] ?? new Set<string>(), known[to] ?? new Set<string>()];
        for (const [part, pairs] of [
          [opens, without(after, before)],
          [closes, without(before, after)],
        ] as const) {
          const reach = part.doors.map(({ device: { name }, people }) => `${name}: ${people}`).toSorted();
          expect([part.people, reach], `${permissions.join()} to ${draft.join()}`).toEqual([peopleIn(pairs), counted(pairs)]);
        }
        expect(hours.people).toBe(0);
      }
    }
  });

  it('says of another role of somebody, moved along with it or not, what the console then opens to them, and what no longer', async () => {
    const names = (part: AccessEffect['opens']): string[] => part.doors.map(({ device: { name } }) => name).toSorted();
    const other = await makeRole(server.services, estate.here, []);
    const { north, s1 } = estate.groups;
    const home = [north, s1];
    for (const [at, held] of [
      [1, []],
      [3, [desk[0], 'can_view_all_devices']],
      [3, ['can_view_own_identifiers', desk[0], 'can_view_own_group_devices']],
    ] as const) {
      const { id } = holders[at] as Person;
      await give(held);
      const before = await opened();
      for (const wanted of sets)
        for (const group of home) {
          await db()
            .update(roles)
            .set({ permissions: [...wanted] })
            .where(eq(roles.id, other));
          const rules = (await db().select().from(accessRuleUsers).where(eq(accessRuleUsers.userId, id))).map(({ ruleId }) => ruleId);
          const reach = await effectOf(boss, { area: 'user-roles', id, draft: { role: other, domains: [group], access_rules: rules } });
          const was = await db().select().from(userDomains).where(eq(userDomains.userId, id));
          const move = async (roleId: string, groupIds: readonly string[]): Promise<void> => {
            await db().update(users).set({ roleId }).where(eq(users.id, id));
            await db().delete(userDomains).where(eq(userDomains.userId, id));
            await db()
              .insert(userDomains)
              .values(groupIds.map((groupId) => ({ userId: id, groupId })));
          };
          await move(other, [group]);
          const after = await opened();
          await move(
            role,
            was.map(({ groupId }) => groupId),
          );
          expect([names(reach.opens), names(reach.closes), reach.hours.people], `${held.join()} to ${wanted.join()}`).toEqual([
            without(after, before).map((pair) => pair.slice(37)),
            without(before, after).map((pair) => pair.slice(37)),
            0,
          ]);
        }
    }
    const draft = { role: other, domains: [north], access_rules: [] };
    expect((await anna.client.post('/access/effect', { area: 'user-roles', id: anna.id, draft })).statusCode).toBe(403);
    // Whoever edits everybody gives no roles by that.
    const editor = await makePerson(server, estate, {
      permissions: permissionCodes.filter((code) => code !== 'can_edit_users_role'),
      in: [estate.groups.town],
    });
    expect((await editor.client.post('/access/effect', { area: 'user-roles', id: anna.id, draft })).statusCode).toBe(403);
    expect((await boss.client.post('/access/effect', { area: 'user-roles', id: anna.id, draft: { ...draft, role: randomUUID() } })).statusCode).toBe(
      404,
    );
  });

  it('is not asked about a role that whoever asks does not see, or may not change', async () => {
    const change = { area: 'roles', id: role, draft: { permissions: [] } };
    expect((await anna.client.post('/access/effect', change)).statusCode).toBe(403);
    expect((await boss.client.post('/access/effect', { ...change, id: randomUUID() })).statusCode).toBe(404);
  });
});
