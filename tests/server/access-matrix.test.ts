import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessMatrix } from '#models/access-matrix.ts';
import { decide } from '#server/access/decide.ts';
import { worldForQuestion } from '#server/access/load.ts';
import {
  accessRuleDevices,
  accessRuleGroups,
  accessRules,
  accessRuleSchedules,
  accessRuleUsers,
  devices,
  identifiers,
  schedules,
} from '#server/db/schema/index.ts';
import { buildEstate, dataOf, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let north: Person;
let doors: { id: string; name: string }[] = [];
const monday = '2026-11-23T10:00:00.000Z';

const everything = {
  person_id: null as string | null,
  door_id: null as string | null,
  only_reached: false,
  people_group: null,
  doors_group: null,
  person: '',
  door: '',
  at: monday,
  people_page: 1,
  doors_page: 1,
};
const matrixFor = async (who: Person, question: Partial<typeof everything> = {}): Promise<AccessMatrix> => {
  const answer = await who.client.post('/access/matrix', { ...everything, ...question });
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<AccessMatrix>(answer);
};
const cell = (matrix: AccessMatrix, person: string, door: string) =>
  matrix.cells[matrix.people.findIndex(({ name }) => name === person)]?.[matrix.doors.findIndex(({ name }) => name === door)];

async function ruleOf(name: string, plan: { doors: string[]; people?: string[]; groups?: string[]; times?: string[] }): Promise<void> {
  const { db } = server.services;
  const [row] = await db.insert(accessRules).values({ projectId: estate.here, name }).returning();
  const ruleId = row?.id ?? '';
  await db.insert(accessRuleDevices).values(plan.doors.map((deviceId) => ({ ruleId, deviceId })));
  if (plan.people) await db.insert(accessRuleUsers).values(plan.people.map((userId) => ({ ruleId, userId })));
  if (plan.groups) await db.insert(accessRuleGroups).values(plan.groups.map((groupId) => ({ ruleId, groupId })));
  if (plan.times) await db.insert(accessRuleSchedules).values(plan.times.map((scheduleId) => ({ ruleId, scheduleId })));
}

beforeAll(async () => {
  server = await openTestServer();
  const { db } = server.services;
  estate = await buildEstate(server.services);
  const { groups, here: projectId } = estate;
  const all = ['can_view_all_identifiers', 'can_view_access_rules', 'can_view_all_users', 'can_view_all_devices', 'can_view_all_groups'] as const;
  boss = await makePerson(server, estate, { name: 'Boss', in: [groups.town], permissions: [...all] });
  north = await makePerson(server, estate, {
    name: 'North',
    in: [groups.north],
    permissions: ['can_view_access_rules', 'can_view_users', 'can_view_descendant_devices'],
  });
  const [inNorth, inSouth] = [
    await makePerson(server, estate, { name: 'Nora', in: [groups.n2] }),
    await makePerson(server, estate, { name: 'Simon', in: [groups.s1] }),
  ];
  doors = await db
    .insert(devices)
    .values([
      { ...deviceRow({ projectId, domainId: groups.north }), name: 'North door' },
      { ...deviceRow({ projectId, domainId: groups.s1 }), name: 'South door' },
    ])
    .returning();
  await db.insert(identifiers).values([
    { projectId, userId: inNorth.id, type: 'card', name: 'Lost card', value: '0000000A', lostAt: new Date('2026-01-01') },
    { projectId, userId: inNorth.id, type: 'ukey', name: 'Key', value: '0000000B' },
    { projectId, userId: inSouth.id, type: 'card', name: 'Card', value: '0000000C' },
  ]);
  const [evening] = await db.insert(schedules).values({ projectId, name: 'Evening', fromSeconds: 64_800, toSeconds: 72_000 }).returning();
  await ruleOf('North', { doors: [doors[0]?.id ?? ''], groups: [groups.north] });
  await ruleOf('Evenings', { doors: [doors[0]?.id ?? ''], people: [inSouth.id], times: [evening?.id ?? ''] });
});
afterAll(() => server.close());

describe('the access matrix', () => {
  it('tells of each person and door what their best identifier does', async () => {
    const matrix = await matrixFor(boss);
    expect(cell(matrix, 'Nora', 'North door')).toMatchObject({ state: 'granted', reason: null });
    expect(cell(matrix, 'Nora', 'South door')).toMatchObject({ state: 'denied', reason: 'no_rule' });
    expect(cell(matrix, 'Simon', 'North door')).toMatchObject({ state: 'later', reason: 'outside_schedule' });
    expect(cell(matrix, 'Boss', 'North door')).toEqual({ state: 'none', reason: null, identifier: null });
  });

  it('says of every cell what the evaluator says of its identifier', async () => {
    for (const at of [monday, '2026-11-23T18:30:00.000Z', '2026-11-22T18:30:00.000Z']) {
      const matrix = await matrixFor(boss, { at });
      for (const [row, cells] of matrix.cells.entries())
        for (const [column, { state, identifier }] of cells.entries()) {
          if (identifier === null) continue;
          const [deviceId, moment] = [matrix.doors[column]?.id ?? '', new Date(at)];
          const world = await worldForQuestion(server.services, { projectId: estate.here, deviceId, credential: { id: identifier }, at: moment });
          const decision = decide(world, { credential: { id: identifier }, deviceId, at: moment.getTime() });
          const decided = decision.isGranted ? 'granted' : decision.next === null ? 'denied' : 'later';
          expect([at, matrix.people[row]?.name, state]).toEqual([at, matrix.people[row]?.name, decided]);
        }
    }
  });

  it('holds people, doors and groups in sight alone', async () => {
    const matrix = await matrixFor(north);
    expect(matrix.doors.map(({ name }) => name)).toEqual(['North door']);
    // Who may view no identifiers is told the outcome, not which it was.
    expect(cell(matrix, 'Nora', 'North door')).toEqual({ state: 'granted', reason: null, identifier: null });
    expect(matrix.people.map(({ name }) => name)).toEqual(expect.arrayContaining(['Nora', 'North']));
    expect(matrix.people.map(({ name }) => name)).not.toContain('Simon');
    expect((await north.client.post('/access/matrix/export', { ...everything, format: 'csv' })).statusCode).toBe(422);
  });

  it('finds by name and group, and goes on by pages', async () => {
    const found = await matrixFor(boss, { person: 'nor', door: 'SOUTH' });
    expect([found.people.map(({ name }) => name), found.doors.map(({ name }) => name)]).toEqual([['Nora', 'North'], ['South door']]);
    const south = await matrixFor(boss, { people_group: estate.groups.south as never, doors_group: estate.groups.north as never });
    expect([south.people.map(({ name }) => name), south.doors.map(({ name }) => name)]).toEqual([['Simon'], ['North door']]);
    const beyond = await matrixFor(boss, { people_page: 9, doors_page: 9 });
    expect([beyond.people, beyond.doors, beyond.people_total > 0]).toEqual([[], [], true]);
  });

  it('says who can open a door, and where a person can go', async () => {
    const [northDoor] = doors;
    const who = await matrixFor(boss, { door_id: northDoor?.id ?? null, only_reached: true });
    expect([who.doors.map(({ name }) => name), who.people.map(({ name }) => name)]).toEqual([['North door'], ['Nora', 'North', 'Simon']]);
    const simon = who.people.find(({ name }) => name === 'Simon');
    const where = await matrixFor(boss, { person_id: simon?.id ?? null, only_reached: true });
    expect([where.people.map(({ name }) => name), where.doors.map(({ name }) => name)]).toEqual([['Simon'], ['North door']]);
  });

  it('is for those who may view access rules', async () => {
    const nobody = await makePerson(server, estate, { in: [estate.groups.town], permissions: ['can_view_all_users', 'can_view_all_devices'] });
    expect((await nobody.client.post('/access/matrix', everything)).statusCode).toBe(403);
  });

  it('is written to a file as a job, where a name that looks like a formula stays text (C14)', async () => {
    await makePerson(server, estate, { name: '=SUM(A1)', in: [estate.groups.north] });
    const { people_page: _people, doors_page: _doors, ...question } = everything;
    const answer = await boss.client.post('/access/matrix/export', { ...question, format: 'csv' });
    expect(answer.statusCode, answer.body).toBe(202);
    const { id } = dataOf<{ id: string }>(answer);
    await expect.poll(async () => dataOf<{ state: string }>(await boss.client.get(`/jobs/${id}`)).state).toBe('completed');
    const lines = (await boss.client.get(`/jobs/${id}/file`)).body.replace('\ufeff', '').trim().split('\r\n');
    expect(lines[0]).toBe('Person,North door,South door');
    expect(lines).toContain('Nora,Opens,No access rule');
    expect(lines).toContain('Simon,Opens at other times,No access rule');
    const formulas = lines.filter((line) => line.includes('SUM(A1)')).map((line) => line.split(',')[0]);
    expect(new Set(formulas)).toEqual(new Set([`"'=SUM(A1)"`]));
  });
});
