import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { devices, identifiers, users } from '#server/db/schema/index.ts';
import { isFull } from '#tests/support/extent.ts';
import { buildEstate, codeOf, dataOf, deviceRow, type Estate, groupBody, makePerson, makeRole, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let resident: string;
let made = 0;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town] });
  resident = await makeRole(server.services, estate.here, []);
});
afterAll(() => server.close());

type Body = Record<string, unknown>;
const db = () => server.services.db;
const tag = (): string => `Row ${(made += 1)}`;
async function device(over: Partial<typeof devices.$inferInsert>): Promise<string> {
  const [row] = await db()
    .insert(devices)
    .values(deviceRow({ projectId: estate.here, domainId: estate.groups.town, ...over }))
    .returning();
  return row?.id ?? '';
}
async function put(area: string, body: Body): Promise<string> {
  const answer = await boss.client.put(`/${area}`, body);
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<string>(answer);
}
const scheduleBody = (): Body => ({
  name: tag(),
  description: null,
  days: { mon: true, tue: true, wed: true, thu: true, fri: true, sat: false, sun: false },
  from: 9 * 3_600,
  to: 18 * 3_600,
  valid_from: null,
  valid_to: null,
  is_all_day: false,
  repeat_mode: 'weekly',
  holiday_mode: 'rests',
  holiday_from: 0,
  holiday_to: 0,
});
const floorsAt = (groups: readonly (string | null)[]) => groups.map((group, at) => ({ number: at + 1, name: `Level ${at + 1}`, group }));

describe('what is in use (C3)', () => {
  it('is named and stays: a schedule of a rule, a controller of an elevator, a group with people', async () => {
    const [time, door, controller] = [
      await put('schedules', scheduleBody()),
      await device({}),
      await device({ type: 'lift_controller', model: 'LC-16' }),
    ];
    const rule = { name: tag(), description: null, devices: [door], time_rules: [time], domains: [], identifiers: [], prohibition: false };
    const ruleId = await put('access-rules', { ...rule, users: [boss.id], is_shareable: false });
    const lift = { name: tag(), domain_id: estate.groups.south, controllers: [{ device: controller, mode: 'access' }], floors: floorsAt([null]) };
    const liftId = await put('elevators', lift);
    for (const [address, area, id] of [
      [`schedules/${time}`, 'access-rules', ruleId],
      [`devices/${controller}`, 'elevators', liftId],
      [`groups/${estate.groups.south}`, 'elevators', liftId],
    ] as const) {
      const refused = await boss.client.delete(`/${address}`);
      expect([refused.statusCode, codeOf(refused)], address).toEqual([409, 'in_use']);
      const named = dataOf<{ area: string; rows: { id: string }[] }[]>(refused).find((one) => one.area === area);
      expect(named?.rows.map((row) => row.id)).toEqual([id]);
    }
    expect((await boss.client.delete(`/access-rules/${ruleId}`)).statusCode).toBe(200);
    expect((await boss.client.delete(`/schedules/${time}`)).statusCode).toBe(200);
  });
});

const pick = <Item>(items: readonly Item[], dice: () => number): Item | undefined => items[Math.floor(dice() * items.length)];
/** Numbers between 0 and 1 that are the same every time. */
function diceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
/** Every reference to a group, device or integration that no key of a table guards, and leads nowhere. */
async function orphans(): Promise<string[]> {
  const { rows } = await db().execute<{ what: string }>(sql`
    select 'floor of ' || name as what from elevators, jsonb_array_elements(floors) floor
      where floor ->> 'group' is not null and (floor ->> 'group')::uuid not in (select id from groups)
    union all select 'floor without its elevator: ' || rule_id from elevator_rule_floors named join elevators on id = elevator_id,
      unnest(named.floors) number where number not in (select (floor ->> 'number')::int from jsonb_array_elements(elevators.floors) floor)
    union all select 'path of ' || name from groups, unnest(path) above where above not in (select id from groups)
    union all select 'camera of ' || name from devices where settings -> 'integration_axxon' ->> 'integration' is not null
      and (settings -> 'integration_axxon' ->> 'integration')::uuid not in (select id from integrations)`);
  return rows.map(({ what }) => what);
}

const operations = isFull ? 10_000 : 250;

it(`leaves nothing that leads nowhere after ${operations} random changes and deletions, and answers none with an error of its own (C3)`, async () => {
  const dice = diceOf(11);
  const doors = [await device({}), await device({}), await device({})];
  const controllers = [await device({ type: 'lift_controller', model: 'LC-16' }), await device({ type: 'lift_controller', model: 'LC-16' })];
  const rows: Record<string, string[]> = {
    groups: [],
    schedules: [],
    'access-rules': [],
    users: [],
    identifiers: [],
    elevators: [],
    'elevator-access-rules': [],
  };
  const some = (area: string, count = 2): string[] => [
    ...new Set(Array.from({ length: count }, () => pick(rows[area] ?? [], dice)).flatMap((id) => id ?? [])),
  ];
  const bodies: Record<string, () => Body | null> = {
    groups: () => groupBody({ name: tag(), parent_id: pick([...(rows['groups'] ?? []), estate.groups.north], dice) }),
    schedules: scheduleBody,
    'access-rules': () => ({
      name: tag(),
      description: null,
      devices: [pick(doors, dice)],
      prohibition: dice() < 0.2,
      is_shareable: false,
      time_rules: some('schedules'),
      domains: some('groups'),
      users: [...some('users'), boss.id],
      identifiers: some('identifiers'),
    }),
    elevators: () => {
      const [controller] = controllers.splice(0, 1);
      const floors = floorsAt([...some('groups', 3), null]);
      return controller ? { name: tag(), domain_id: estate.groups.north, controllers: [{ device: controller, mode: 'access' }], floors } : null;
    },
    'elevator-access-rules': () => {
      const [elevator] = some('elevators', 1);
      return elevator ? { name: tag(), description: null, users: [...some('users'), boss.id], elevators: [{ elevator, floors: [1] }] } : null;
    },
  };
  const straight: Record<string, () => Promise<string | undefined>> = {
    users: async () => (await makePerson(server, estate, { in: some('groups', 1), roleId: resident })).id,
    identifiers: async () => {
      const owner = some('users', 1)[0] ?? null;
      const value = String(100_000 + made);
      const [row] = await db().insert(identifiers).values({ projectId: estate.here, userId: owner, name: tag(), type: 'card', value }).returning();
      return row?.id;
    },
  };
  const areas = Object.keys(rows);
  const codes = new Map<number, number>();
  const count = <Answer extends { statusCode: number }>(answer: Answer): Answer => {
    codes.set(answer.statusCode, (codes.get(answer.statusCode) ?? 0) + 1);
    return answer;
  };
  for (let at = 0; at < operations; at += 1) {
    const area = pick(areas, dice) ?? 'groups';
    const own = rows[area] ?? [];
    if (dice() < 0.6) {
      const body = bodies[area]?.() ?? null;
      const answer = body && count(await boss.client.put(`/${area}`, body));
      const id = answer?.statusCode === 200 ? dataOf<string>(answer) : await straight[area]?.();
      if (id) own.push(id);
      continue;
    }
    const doomed = pick(own, dice);
    if (!doomed) continue;
    const { statusCode } = count(await boss.client.delete(`/${area}/${doomed}`));
    if (statusCode === 200) rows[area] = own.filter((id) => id !== doomed);
  }
  // What went along with something else is not there any more, or cannot be named.
  expect([...codes.keys()].filter((code) => ![200, 404, 409, 422].includes(code))).toEqual([]);
  expect([codes.get(200) ?? 0, codes.get(409) ?? 0].every((times) => times > operations / 40)).toBe(true);
  expect(await orphans()).toEqual([]);
  expect(await db().$count(users)).toBeGreaterThan(1);
});
