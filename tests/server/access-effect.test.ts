import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessEffect } from '#models/access-effect.ts';
import {
  accessRuleDevices,
  accessRuleGroups,
  accessRules,
  accessRuleSchedules,
  accessRuleUsers,
  devices,
  schedules,
  userDomains,
} from '#server/db/schema/index.ts';
import { buildEstate, dataOf, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let north: Person;
let [inNorth, belowNorth, inSouth] = [] as unknown as [Person, Person, Person];
let [lobby, garage] = ['', ''];
let names = 0;
const called = (what: string): string => `${what} ${(names += 1)}`;

const rulesCodes = ['can_view_access_rules', 'can_create_access_rules', 'can_edit_access_rules', 'can_delete_access_rules'] as const;
const timeCodes = ['can_view_time_rules', 'can_edit_time_rules'] as const;
const placeCodes = ['can_edit_all_users', 'can_delete_users', 'can_edit_all_groups', 'can_delete_all_groups'] as const;
const allCodes = ['can_view_all_groups', 'can_view_all_users', 'can_view_all_devices', ...placeCodes, ...rulesCodes, ...timeCodes] as const;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  const { groups } = estate;
  boss = await makePerson(server, estate, { in: [groups.town], permissions: [...allCodes] });
  north = await makePerson(server, estate, { in: [groups.north], permissions: ['can_view_users', 'can_view_descendant_devices', ...rulesCodes] });
  [inNorth, belowNorth, inSouth] = [
    await makePerson(server, estate, { in: [groups.north] }),
    await makePerson(server, estate, { in: [groups.n2] }),
    await makePerson(server, estate, { in: [groups.s1] }),
  ];
  const rows = await server.services.db
    .insert(devices)
    .values(['Lobby', 'Garage'].map((name) => ({ ...deviceRow({ projectId: estate.here, domainId: groups.north }), name })))
    .returning();
  [lobby, garage] = [rows[0]?.id ?? '', rows[1]?.id ?? ''];
});
afterAll(() => server.close());

interface Plan {
  doors?: readonly string[];
  groups?: readonly string[];
  people?: readonly string[];
  schedules?: readonly string[];
  prohibition?: boolean;
}
const draftOf = ({ doors = [lobby], groups = [], people = [], schedules: times = [], prohibition = false }: Plan) => ({
  name: called('Rule'),
  description: null,
  devices: doors,
  time_rules: times,
  domains: groups,
  users: people,
  identifiers: [],
  prohibition,
  is_shareable: false,
});
async function ruleOf(plan: Plan): Promise<string> {
  const { db } = server.services;
  const { doors = [lobby], groups = [], people = [], schedules: times = [], prohibition = false } = plan;
  const [row] = await db
    .insert(accessRules)
    .values({ projectId: estate.here, name: called('Rule'), prohibition })
    .returning();
  const ruleId = row?.id ?? '';
  await db.insert(accessRuleDevices).values(doors.map((deviceId) => ({ ruleId, deviceId })));
  if (groups.length > 0) await db.insert(accessRuleGroups).values(groups.map((groupId) => ({ ruleId, groupId })));
  if (people.length > 0) await db.insert(accessRuleUsers).values(people.map((userId) => ({ ruleId, userId })));
  if (times.length > 0) await db.insert(accessRuleSchedules).values(times.map((scheduleId) => ({ ruleId, scheduleId })));
  return ruleId;
}
async function scheduleOf(fromHour: number, toHour: number): Promise<string> {
  const [row] = await server.services.db
    .insert(schedules)
    .values({ projectId: estate.here, name: called('Hours'), fromSeconds: fromHour * 3_600, toSeconds: toHour * 3_600 })
    .returning();
  return row?.id ?? '';
}
const noRules = async (): Promise<void> => {
  await server.services.db.delete(accessRules);
};

async function effectOf(who: Person, change: Record<string, unknown>): Promise<AccessEffect> {
  const answer = await who.client.post('/access/effect', change);
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<AccessEffect>(answer);
}
/** People by kind, and each door with its number. */
const short = (effect: AccessEffect) =>
  Object.fromEntries(
    Object.entries(effect)
      .filter(([, part]) => part.people > 0)
      .map(([kind, { people, doors }]) => [kind, { people, doors: doors.map(({ device, people: count }) => `${device.name} ${count}`) }]),
  );

describe('the effect of an access rule', () => {
  it('new: opens its doors for everyone in and below its groups, and for the people it names, each counted once', async () => {
    await noRules();
    const { groups } = estate;
    const found = await effectOf(boss, {
      area: 'access-rules',
      id: null,
      draft: draftOf({ doors: [lobby, garage], groups: [groups.n2], people: [belowNorth.id, inSouth.id] }),
    });
    expect(short(found)).toEqual({ opens: { people: 2, doors: ['Garage 2', 'Lobby 2'] } });
  });

  it('changes nothing for whom another rule opens the door anyway', async () => {
    await noRules();
    await ruleOf({ people: [belowNorth.id] });
    const found = await effectOf(boss, { area: 'access-rules', id: null, draft: draftOf({ people: [belowNorth.id, inSouth.id] }) });
    expect(short(found)).toEqual({ opens: { people: 1, doors: ['Lobby 1'] } });
  });

  it('changed: closes the doors it leaves out and opens those it adds', async () => {
    await noRules();
    const id = await ruleOf({ doors: [lobby], people: [inSouth.id] });
    const found = await effectOf(boss, { area: 'access-rules', id, draft: draftOf({ doors: [garage], people: [inSouth.id] }) });
    expect(short(found)).toEqual({ opens: { people: 1, doors: ['Garage 1'] }, closes: { people: 1, doors: ['Lobby 1'] } });
  });

  it('deleted: closes what it alone opened', async () => {
    await noRules();
    const id = await ruleOf({ people: [inSouth.id, belowNorth.id] });
    await ruleOf({ people: [belowNorth.id] });
    expect(short(await effectOf(boss, { area: 'access-rules', id, draft: null }))).toEqual({ closes: { people: 1, doors: ['Lobby 1'] } });
  });

  it('as a prohibition: closes; on a schedule: changes the hours', async () => {
    await noRules();
    await ruleOf({ people: [inSouth.id] });
    const bar = (times: string[]) => ({
      area: 'access-rules',
      id: null,
      draft: draftOf({ people: [inSouth.id], prohibition: true, schedules: times }),
    });
    expect(short(await effectOf(boss, bar([])))).toEqual({ closes: { people: 1, doors: ['Lobby 1'] } });
    expect(short(await effectOf(boss, bar([await scheduleOf(9, 18)])))).toEqual({ hours: { people: 1, doors: ['Lobby 1'] } });
  });

  it('moved to another schedule: changes the hours', async () => {
    await noRules();
    const [morning, evening] = [await scheduleOf(6, 10), await scheduleOf(17, 22)];
    // Somebody else has the hours to which the rule is moved.
    await ruleOf({ people: [belowNorth.id], schedules: [evening] });
    const id = await ruleOf({ people: [inSouth.id], schedules: [morning] });
    const moved = (times: string[]) => ({ area: 'access-rules', id, draft: draftOf({ people: [inSouth.id], schedules: times }) });
    expect(short(await effectOf(boss, moved([morning])))).toEqual({});
    expect(short(await effectOf(boss, moved([evening])))).toEqual({ hours: { people: 1, doors: ['Lobby 1'] } });
    expect(short(await effectOf(boss, moved([morning, evening])))).toEqual({ hours: { people: 1, doors: ['Lobby 1'] } });
  });

  it('lists the people behind each number by name', async () => {
    await noRules();
    const change = { area: 'access-rules', id: null, draft: draftOf({ doors: [lobby, garage], people: [inSouth.id, belowNorth.id] }) };
    const answer = await boss.client.post('/access/effect/people', { change, kind: 'opens', device: lobby, page: 1 });
    const { people, total } = dataOf<{ people: { id: string }[]; total: number }>(answer);
    expect([total, people.map(({ id }) => id).toSorted()]).toEqual([2, [inSouth.id, belowNorth.id].toSorted()]);
    const none = dataOf<{ total: number }>(await boss.client.post('/access/effect/people', { change, kind: 'closes', device: null, page: 1 }));
    expect(none.total).toBe(0);
  });

  it('is told of people and doors in sight alone', async () => {
    await noRules();
    const draft = draftOf({ people: [inSouth.id, inNorth.id] });
    expect(short(await effectOf(north, { area: 'access-rules', id: null, draft }))).toEqual({ opens: { people: 1, doors: ['Lobby 1'] } });
    const names = dataOf<{ people: { id: string }[] }>(
      await north.client.post('/access/effect/people', { change: { area: 'access-rules', id: null, draft }, kind: 'opens', device: null, page: 1 }),
    );
    expect(names.people.map(({ id }) => id)).toEqual([inNorth.id]);
  });

  it('is for those who may make the change', async () => {
    const change = { area: 'access-rules', id: null, draft: draftOf({ people: [inSouth.id] }) };
    expect((await inNorth.client.post('/access/effect', change)).statusCode).toBe(403);
    expect((await north.client.post('/access/effect', { area: 'schedules', id: null, draft: null })).statusCode).toBe(403);
    expect((await boss.client.post('/access/effect', { ...change, id: inSouth.id })).statusCode).toBe(404);
  });
});

describe('the effect of a schedule', () => {
  it('changes the hours of the people whom its rules reach, and closes where it holds no more', async () => {
    await noRules();
    const id = await scheduleOf(9, 18);
    await ruleOf({ people: [inSouth.id], schedules: [id] });
    const stored = dataOf<Record<string, unknown>>(await boss.client.get(`/schedules/${id}`));
    const { id: _id, version: _version, created_at: _made, updated_at: _changed, rules_count: _count, created_by: _by, ...draft } = stored;
    expect(short(await effectOf(boss, { area: 'schedules', id, draft: { ...draft, to: 20 * 3_600 } }))).toEqual({
      hours: { people: 1, doors: ['Lobby 1'] },
    });
    expect(short(await effectOf(boss, { area: 'schedules', id, draft: { ...draft, valid_to: '2020-01-01' } }))).toEqual({
      closes: { people: 1, doors: ['Lobby 1'] },
    });
  });
});

describe('the effect of a person’s groups and rules', () => {
  it('opens the doors of the groups somebody comes to, and closes those of the groups they leave', async () => {
    await noRules();
    const { groups } = estate;
    await ruleOf({ doors: [lobby], groups: [groups.north] });
    await ruleOf({ doors: [garage], groups: [groups.s1] });
    const move = (domains: string[]) => ({ area: 'users', id: inSouth.id, draft: { domains, access_rules: [] } });
    expect(short(await effectOf(boss, move([groups.n1])))).toEqual({
      opens: { people: 1, doors: ['Lobby 1'] },
      closes: { people: 1, doors: ['Garage 1'] },
    });
    expect(short(await effectOf(boss, move([groups.s1, groups.n1])))).toEqual({ opens: { people: 1, doors: ['Lobby 1'] } });
    expect(short(await effectOf(boss, move([groups.s1])))).toEqual({});
    expect(short(await effectOf(boss, { area: 'users', id: inSouth.id, draft: null }))).toEqual({ closes: { people: 1, doors: ['Garage 1'] } });
  });

  it('counts the rules given to them, and leaves alone what whoever asks does not see', async () => {
    await noRules();
    const { groups } = estate;
    const byName = await ruleOf({ doors: [lobby], people: [inSouth.id] });
    expect(short(await effectOf(boss, { area: 'users', id: inSouth.id, draft: { domains: [groups.s1], access_rules: [] } }))).toEqual({
      closes: { people: 1, doors: ['Lobby 1'] },
    });
    expect(short(await effectOf(boss, { area: 'users', id: inSouth.id, draft: { domains: [groups.s1], access_rules: [byName] } }))).toEqual({});
    const limited = await makePerson(server, estate, {
      in: [groups.south],
      permissions: ['can_view_users', 'can_edit_all_users', 'can_view_all_devices'],
    });
    // The rule is out of their sight: saving the form would not take it away.
    expect(short(await effectOf(limited, { area: 'users', id: inSouth.id, draft: { domains: [groups.s1], access_rules: [] } }))).toEqual({});
    expect((await limited.client.post('/access/effect', { area: 'users', id: inNorth.id, draft: null })).statusCode).toBe(403);
    expect(
      (await limited.client.post('/access/effect', { area: 'users', id: inNorth.id, draft: { domains: [], access_rules: [] } })).statusCode,
    ).toBe(404);
  });
});

describe('the effect of a group', () => {
  it('moved: everyone below loses what stands above its old place and gains what stands above its new one', async () => {
    await noRules();
    const { groups } = estate;
    await ruleOf({ doors: [lobby], groups: [groups.north] });
    await ruleOf({ doors: [garage], groups: [groups.south] });
    const [row] = await server.services.db.select().from(userDomains).where(eq(userDomains.userId, belowNorth.id));
    expect(row?.groupId).toBe(groups.n2);
    const draft = { parent_id: groups.south, users: [belowNorth.id], access_rules: [] };
    expect(short(await effectOf(boss, { area: 'groups', id: groups.n2, draft }))).toEqual({
      opens: { people: 1, doors: ['Garage 1'] },
      closes: { people: 1, doors: ['Lobby 1'] },
    });
    expect(short(await effectOf(boss, { area: 'groups', id: groups.n2, draft: { ...draft, parent_id: groups.north } }))).toEqual({});
  });

  it('with other people and other rules, and without it', async () => {
    await noRules();
    const { groups } = estate;
    const own = await ruleOf({ doors: [lobby], groups: [groups.n2] });
    const other = await ruleOf({ doors: [garage] });
    const draft = { parent_id: groups.north, users: [belowNorth.id, inSouth.id], access_rules: [own] };
    expect(short(await effectOf(boss, { area: 'groups', id: groups.n2, draft }))).toEqual({ opens: { people: 1, doors: ['Lobby 1'] } });
    expect(
      short(await effectOf(boss, { area: 'groups', id: groups.n2, draft: { ...draft, users: [belowNorth.id], access_rules: [other] } })),
    ).toEqual({
      opens: { people: 1, doors: ['Garage 1'] },
      closes: { people: 1, doors: ['Lobby 1'] },
    });
    expect(short(await effectOf(boss, { area: 'groups', id: groups.n2, draft: null }))).toEqual({ closes: { people: 1, doors: ['Lobby 1'] } });
  });
});
