import { and, eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Elevator, ElevatorFloor } from '#models/elevators.ts';
import type { ElevatorAccessRule } from '#models/elevator-access-rules.ts';
import { allLicensed, type LicenceInfo } from '#models/licence-info.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { judge } from '#server/access/decide.ts';
import { worldForDevices } from '#server/access/load.ts';
import { auditEvents, devices, deviceTasks, identifiers, users } from '#server/db/schema/index.ts';
import { buildEstate, codeOf, dataOf, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
/** Works with elevators in the north and sees nothing else. */
let northern: Person;
let anna: Person;
let card: string;
let made = 0;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town] });
  northern = await makePerson(server, estate, {
    permissions: permissionCodes.filter((code) => !/_view_all_|_all$/.test(code)),
    in: [estate.groups.north],
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  anna = await makePerson(server, estate, { in: [estate.groups.n1] });
  made += 1;
  const [row] = await db()
    .insert(identifiers)
    .values({ projectId: estate.here, userId: anna.id, name: 'Card', type: 'card', value: `CAFE${made}` })
    .returning();
  card = row?.id ?? '';
});

const db = () => server.services.db;
async function device(over: Partial<typeof devices.$inferInsert> = {}): Promise<string> {
  const [row] = await db()
    .insert(devices)
    .values(deviceRow({ projectId: estate.here, domainId: estate.groups.north, type: 'lift_controller', model: 'LC-16', ...over }))
    .returning();
  return row?.id ?? '';
}
const floors = (...numbers: number[]) => numbers.map((number) => ({ number, name: `Level ${number}`, group: null as string | null }));
const bodyOf = (controller: string, over: Record<string, unknown> = {}): Record<string, unknown> => {
  made += 1;
  return {
    name: `Elevator ${made}`,
    domain_id: estate.groups.north,
    controllers: [{ device: controller, mode: 'access' }],
    floors: floors(1, 2, 3),
    ...over,
  };
};
async function elevator(controller: string, over: Record<string, unknown> = {}): Promise<string> {
  const answer = await boss.client.put('/elevators', bodyOf(controller, over));
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<string>(answer);
}
async function rule(elevators: Record<string, unknown>[], over: Record<string, unknown> = {}): Promise<string> {
  made += 1;
  const answer = await boss.client.put('/elevator-access-rules', { name: `Rule ${made}`, users: [anna.id], elevators, ...over });
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<string>(answer);
}
const readElevator = async (id: string, who = boss): Promise<Elevator> => dataOf<Elevator>(await who.client.get(`/elevators/${id}`));
const readRule = async (id: string): Promise<ElevatorAccessRule> => dataOf<ElevatorAccessRule>(await boss.client.get(`/elevator-access-rules/${id}`));
const rulesIn = (answer: { json: () => unknown }): string[] =>
  (answer.json() as { data?: { issues?: { rule: string }[] } }).data?.issues?.map((issue) => issue.rule) ?? [];

/** How many synchronisations wait for a device; they are taken away, so that the next change queues its own. */
async function synchronisations(...ids: string[]): Promise<number> {
  const rows = await db()
    .delete(deviceTasks)
    .where(and(inArray(deviceTasks.deviceId, ids), eq(deviceTasks.kind, 'synchronise')))
    .returning();
  return rows.length;
}
/** The floors that Anna's card opens at a controller. */
async function opened(deviceId: string): Promise<number[]> {
  const at = server.services.now();
  const world = await worldForDevices(server.services, { projectId: estate.here, ids: [deviceId] }, at);
  return [1, 2, 3, 4].filter((floor) => judge(world, { credential: { id: card }, deviceId, at: at.getTime(), floor }).isGranted);
}

describe('an elevator', () => {
  it('needs a group, a controller and floors (VALID-38 to 40)', async () => {
    const answer = await boss.client.put('/elevators', { name: 'Bare', domain_id: null, controllers: [], floors: [] });
    expect(answer.statusCode).toBe(422);
    expect(rulesIn(answer).toSorted()).toEqual(['elevator_needs_controller', 'elevator_needs_floors', 'elevator_needs_group']);
  });

  it('has controllers of its own: one of another elevator is refused (ERR-030)', async () => {
    const shared = await device();
    await elevator(shared);
    const answer = await boss.client.put('/elevators', bodyOf(shared));
    expect([answer.statusCode, codeOf(answer), rulesIn(answer)]).toEqual([409, 'controller_linked', ['controller_linked']]);
    expect((answer.json() as { message: string }).message).toBe('controller already linked to another elevator');
  });

  it('is controlled by elevator controllers only, each once, a relay for each floor', async () => {
    const lift = await device();
    expect(rulesIn(await boss.client.put('/elevators', bodyOf(await device({ type: 'panel', model: 'DP-140' }))))).toEqual([
      'not_elevator_controller',
    ]);
    const twice = [lift, lift].map((one) => ({ device: one, mode: 'up' }));
    expect(rulesIn(await boss.client.put('/elevators', bodyOf(lift, { controllers: twice, floors: floors(1, 1) })))).toEqual(['unique', 'unique']);
  });

  it('frees floors if a controller is there for access, and is found by that and by its group', async () => {
    const [one, other] = [await elevator(await device()), await elevator(await device(), { controllers: [{ device: await device(), mode: 'up' }] })];
    expect([(await readElevator(one)).hasAccessModeController, (await readElevator(other)).hasAccessModeController]).toEqual([true, false]);
    const items = [
      { field: 'hasAccessModeController', rule: 'is', value: true },
      { field: 'domain_id', rule: 'equals', value: [estate.groups.north] },
    ];
    const filters = encodeURIComponent(JSON.stringify({ match: 'match_all', items }));
    const found = dataOf<Elevator[]>(await boss.client.get(`/elevators?size=500&filters=${filters}`)).map(({ id }) => id);
    expect([found.includes(one), found.includes(other)]).toEqual([true, false]);
  });

  it('answers its floors, by mode only where a controller works in it (ELEV-03)', async () => {
    const id = await elevator(await device(), { controllers: [{ device: await device(), mode: 'up_and_down' }] });
    const asked = async (query: string) =>
      dataOf<ElevatorFloor[]>(await boss.client.get(`/elevators/${id}/floors${query}`)).map(({ number }) => number);
    expect([await asked(''), await asked('?mode=access'), await asked('?mode=up_and_down')]).toEqual([[1, 2, 3], [], [1, 2, 3]]);
    expect((await boss.client.get(`/elevators/${id}/floors?mode=sideways`)).statusCode).toBe(400);
  });

  it('keeps controllers and groups of floors that its editor does not see', async () => {
    const [seen, hidden] = [await device(), await device({ domainId: estate.groups.s1 })];
    const id = await elevator(seen, {
      controllers: [seen, hidden].map((one) => ({ device: one, mode: 'access' })),
      floors: [{ number: 1, name: 'South', group: estate.groups.s1 }],
    });
    const shown = await readElevator(id, northern);
    expect([shown.controllers.map(({ device: { id: one } }) => one), shown.floors]).toEqual([[seen], [{ number: 1, name: 'South', group: null }]]);
    const other = await device();
    const answer = await northern.client.patch(`/elevators/${id}`, {
      controllers: [{ device: other, mode: 'up' }],
      floors: [...floors(2), { number: 1, name: 'Renamed', group: null }],
    });
    expect(answer.statusCode, answer.body).toBe(200);
    const now = await readElevator(id);
    expect(now.controllers.map(({ device: { id: one } }) => one).toSorted()).toEqual([other, hidden].toSorted());
    expect(now.floors.map(({ name, group }) => [name, group?.id ?? null])).toEqual([
      ['Level 2', null],
      ['Renamed', estate.groups.s1],
    ]);
  });

  it('stands in the way of deleting its controllers and its group', async () => {
    const controller = await device();
    const id = await elevator(controller);
    for (const path of [`/devices/${controller}`, `/groups/${estate.groups.north}`]) {
      const answer = await boss.client.delete(path);
      expect([path, codeOf(answer)]).toEqual([path, 'in_use']);
      expect(answer.body).toContain('elevators');
    }
    expect((await boss.client.delete(`/elevators/${id}`)).statusCode).toBe(200);
    expect((await boss.client.delete(`/devices/${controller}`)).statusCode).toBe(200);
  });

  it('is brought into a group by the group’s form, and not let go by it', async () => {
    const id = await elevator(await device());
    const group = dataOf<{ elevators: { id: string }[] }>(await boss.client.get(`/groups/${estate.groups.n2}`));
    expect(group.elevators).toEqual([]);
    expect((await boss.client.patch(`/groups/${estate.groups.n2}`, { elevators: [id] })).statusCode).toBe(200);
    expect((await readElevator(id)).domain_id?.id).toBe(estate.groups.n2);
    expect(rulesIn(await boss.client.patch(`/groups/${estate.groups.n2}`, { elevators: [] }))).toEqual(['elevator_needs_group']);
    const limited = await makePerson(server, estate, {
      permissions: ['can_edit_all_groups', 'can_view_all_groups', 'can_view_all_elevators'],
      in: [estate.groups.town],
    });
    expect((await limited.client.patch(`/groups/${estate.groups.n1}`, { elevators: [id] })).statusCode).toBe(403);
  });

  it('is there only where elevators are licensed', async () => {
    const without: LicenceInfo = { ...allLicensed, elevator: { is_enabled: false } };
    await db().update(users).set({ licenseInfo: without }).where(eq(users.id, northern.id));
    const answers = [await northern.client.get('/elevators'), await northern.client.get('/elevator-access-rules')];
    await db().update(users).set({ licenseInfo: allLicensed }).where(eq(users.id, northern.id));
    expect(answers.map(codeOf)).toEqual(['licence_restricted', 'licence_restricted']);
  });

  it('leaves its making, changing and going in the trail', async () => {
    const id = await elevator(await device());
    await boss.client.patch(`/elevators/${id}`, { description: 'Left of the stairs' });
    await boss.client.delete(`/elevators/${id}`);
    const rows = await db().select().from(auditEvents).where(eq(auditEvents.entityId, id)).orderBy(auditEvents.createdAt);
    expect(rows.map(({ area, action }) => `${area} ${action}`)).toEqual(['elevators create', 'elevators update', 'elevators delete']);
  });
});

describe('an elevator access rule', () => {
  it('needs people, elevators and floors (VALID-42 to 44)', async () => {
    const id = await elevator(await device());
    const refused = async (over: Record<string, unknown>) =>
      rulesIn(
        await boss.client.put('/elevator-access-rules', {
          name: `Rule ${(made += 1)}`,
          users: [anna.id],
          elevators: [{ elevator: id, floors: [1] }],
          ...over,
        }),
      );
    expect(await refused({ users: [] })).toEqual(['elevator_rule_needs_user']);
    expect(await refused({ elevators: [] })).toEqual(['elevator_rule_needs_elevator']);
    expect(await refused({ elevators: [{ elevator: id, floors: [] }] })).toEqual(['elevator_rule_needs_floor']);
    expect(await refused({ elevators: [{ elevator: id, floors: [9] }] })).toEqual(['elevator_floor_unknown']);
  });

  it('ignores elevators without floors (ELEV-08, DATA-07)', async () => {
    const [one, other] = [await elevator(await device()), await elevator(await device())];
    const id = await rule([
      { elevator: one, floors: [] },
      { elevator: other, floors: [3, 1, 3] },
    ]);
    expect((await readRule(id)).elevators.map(({ elevator: { id: named }, floors: numbers }) => [named, numbers])).toEqual([[other, [1, 3]]]);
  });

  it('opens its floors for its people and no others, and the controllers are told of each change', async () => {
    const [controller, another] = [await device(), await device()];
    const [here, there] = [await elevator(controller), await elevator(another)];
    await synchronisations(controller, another);
    const id = await rule([{ elevator: here, floors: [1, 3] }]);
    expect([await synchronisations(controller), await synchronisations(another), await opened(controller)]).toEqual([1, 0, [1, 3]]);
    await boss.client.patch(`/elevator-access-rules/${id}`, { elevators: [{ elevator: there, floors: [2] }] });
    expect([await synchronisations(controller), await synchronisations(another), await opened(controller), await opened(another)]).toEqual([
      1,
      1,
      [],
      [2],
    ]);
    await boss.client.patch(`/elevator-access-rules/${id}`, { name: 'Renamed' });
    expect(await synchronisations(controller, another)).toBe(0);
    await boss.client.delete(`/elevator-access-rules/${id}`);
    expect([await synchronisations(another), await opened(another)]).toEqual([1, []]);
  });

  it('opens no floor for somebody who may use no elevators', async () => {
    const controller = await device();
    await rule([{ elevator: await elevator(controller), floors: [1] }]);
    await synchronisations(controller);
    expect((await boss.client.patch(`/users/${anna.id}`, { elevator_access_disabled: true })).statusCode).toBe(200);
    expect([await synchronisations(controller), await opened(controller)]).toEqual([1, []]);
  });

  it('no longer opens floors that the elevator has lost, nor any of one that is gone', async () => {
    const controller = await device();
    const at = await elevator(controller);
    const [id, gone] = [await rule([{ elevator: at, floors: [1, 2] }]), await rule([{ elevator: at, floors: [3] }])];
    await synchronisations(controller);
    await boss.client.patch(`/elevators/${at}`, { floors: floors(1) });
    expect([(await readRule(id)).elevators[0]?.floors, (await readRule(gone)).elevators]).toEqual([[1], []]);
    expect([await synchronisations(controller), await opened(controller)]).toEqual([1, [1]]);
    await boss.client.delete(`/elevators/${at}`);
    expect([await synchronisations(controller), (await readRule(id)).elevators]).toEqual([1, []]);
  });

  it('that reaches beyond one’s groups is changed and deleted only by those who see all of it', async () => {
    const south = await makePerson(server, estate, { in: [estate.groups.s1] });
    const at = await elevator(await device());
    const [wide, own] = [await rule([{ elevator: at, floors: [1] }], { users: [anna.id, south.id] }), await rule([{ elevator: at, floors: [1] }])];
    const tried = async (id: string) => (await northern.client.patch(`/elevator-access-rules/${id}`, { description: 'x' })).statusCode;
    expect([await tried(wide), (await northern.client.delete(`/elevator-access-rules/${wide}`)).statusCode]).toEqual([403, 403]);
    expect([await tried(own), (await northern.client.delete(`/elevator-access-rules/${own}`)).statusCode]).toEqual([200, 200]);
  });
});
