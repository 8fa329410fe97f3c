import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessExplanation } from '#models/access-calls.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import {
  accessRuleDevices,
  accessRuleGroups,
  accessRules,
  accessRuleSchedules,
  deviceTasks,
  devices,
  elevatorAccessRules,
  elevatorControllers,
  elevatorRuleFloors,
  elevatorRuleUsers,
  elevators,
  groupHolidays,
  groups,
  identifiers,
  schedules,
} from '#server/db/schema/index.ts';
import { copyFor } from '#server/access/device-copy.ts';
import { worldForDevices } from '#server/access/load.ts';
import { storeCopy } from '#server/devices/copies.ts';
import { eq } from 'drizzle-orm';
import { buildEstate, codeOf, dataOf, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
/** Lives in the north, where her rule leads by working hours. */
let anna: Person;
let lobby: string;
let card: string;
let rule: string;

const seesAll: readonly PermissionCode[] = [
  'can_view_all_devices',
  'can_view_all_users',
  'can_view_all_groups',
  'can_view_all_identifiers',
  'can_view_access_rules',
  'can_view_time_rules',
];
/** A Wednesday, noon in Berlin; and the evening of the Friday after. */
const [noon, friday] = ['2026-06-17T10:00:00.000Z', '2026-06-19T20:00:00.000Z'];

const one = <Row extends { id: string }>([row]: readonly Row[]): string => {
  if (!row) throw new Error('nothing was stored');
  return row.id;
};

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  const { db } = server.services;
  const { here: projectId, groups: placed } = estate;
  boss = await makePerson(server, estate, { permissions: seesAll, in: [placed.town] });
  anna = await makePerson(server, estate, { name: 'Anna', in: [placed.n1] });
  await db.update(groups).set({ timeZoneName: 'Europe/Berlin' }).where(eq(groups.id, placed.town));
  await db.insert(groupHolidays).values({ groupId: placed.town, date: '2026-06-22', name: 'A Monday off' });
  lobby = one(
    await db
      .insert(devices)
      .values(deviceRow({ projectId, domainId: placed.n1, name: 'Lobby' }))
      .returning(),
  );
  const hours = one(await db.insert(schedules).values({ projectId, name: 'Working hours', holidayMode: 'rests' }).returning());
  rule = one(await db.insert(accessRules).values({ projectId, name: 'People of the north' }).returning());
  await db.insert(accessRuleDevices).values({ ruleId: rule, deviceId: lobby });
  await db.insert(accessRuleGroups).values({ ruleId: rule, groupId: placed.north });
  await db.insert(accessRuleSchedules).values({ ruleId: rule, scheduleId: hours });
  card = one(await db.insert(identifiers).values({ projectId, userId: anna.id, name: 'Anna’s card', type: 'card', value: '04AB12CD' }).returning());
});
afterAll(() => server.close());

const ask = (who: Person, body: Record<string, unknown>) => who.client.post('/access/explain', { device: lobby, at: noon, ...body });
async function explained(body: Record<string, unknown>, who: Person = boss): Promise<AccessExplanation> {
  const [first] = dataOf<{ explanations: AccessExplanation[] }>(await ask(who, body)).explanations;
  if (!first) throw new Error('nothing was explained');
  return first;
}

describe('an explanation', () => {
  it('names what opens, and until when, by the clock of the nearest group that has one', async () => {
    const { steps, ...rest } = await explained({ identifier: card });
    expect(rest).toEqual({
      identifier: { id: card, name: 'Anna’s card', type: 'card', mask: '12CD' },
      owner: { id: anna.id, name: 'Anna' },
      is_granted: true,
      reason: null,
      rule: { id: rule, name: 'People of the north' },
      schedule: { id: expect.any(String) as string, name: 'Working hours' },
      until: '2026-06-17T16:00:00.000Z',
      next: null,
      device: null,
    });
    expect(steps.map(({ step, outcome }) => [step, outcome])).toEqual([
      ['known', 'passed'],
      ['usable', 'passed'],
      ['owner', 'passed'],
      ['licence', 'skipped'],
      ['period', 'skipped'],
      ['passes', 'skipped'],
      ['prohibition', 'passed'],
      ['rule', 'passed'],
      ['schedule', 'passed'],
      ['restriction', 'skipped'],
    ]);
  });

  it('of a refusal names the schedule and the next opening, beyond a holiday', async () => {
    const answer = await explained({ identifier: card, at: friday });
    expect(answer).toMatchObject({ is_granted: false, reason: 'outside_schedule', rule: null, until: null, next: '2026-06-23T07:00:00.000Z' });
    expect(answer.steps.find(({ step }) => step === 'schedule')).toMatchObject({
      outcome: 'failed',
      rules: [{ id: rule, name: 'People of the north' }],
      schedules: [{ name: 'Working hours' }],
    });
  });

  it('is given of every identifier of a person, and of a value as readers tell it', async () => {
    const { explanations } = dataOf<{ explanations: AccessExplanation[] }>(await ask(boss, { user: anna.id }));
    expect(explanations.map(({ identifier, is_granted }) => [identifier?.id, is_granted])).toEqual([[card, true]]);
    expect(await explained({ type: 'card', value: '04:ab:12:cd' })).toMatchObject({ identifier: { id: card }, is_granted: true });
    expect(await explained({ type: 'card', value: 'FFFF0000' })).toMatchObject({
      identifier: null,
      owner: null,
      reason: 'unknown_identifier',
      next: null,
    });
    const { explanations: none } = dataOf<{ explanations: AccessExplanation[] }>(await ask(boss, { user: boss.id }));
    expect(none).toEqual([]);
  });

  it('is about one lock of the device where one is named', async () => {
    const { db } = server.services;
    await db
      .update(identifiers)
      .set({ lockNumbers: [2] })
      .where(eq(identifiers.id, card));
    const granted = async (place: Record<string, unknown>) => (await explained({ identifier: card, ...place })).is_granted;
    expect([await granted({ lock: 1 }), await granted({ lock: 2 }), await granted({})]).toEqual([false, true, true]);
    await db.update(identifiers).set({ lockNumbers: [] }).where(eq(identifiers.id, card));
  });

  it('is about now when no moment is said', async () => {
    const { at } = dataOf<{ at: string }>(await boss.client.post('/access/explain', { device: lobby, identifier: card }));
    expect(Math.abs(Date.parse(at) - server.services.now().getTime())).toBeLessThan(60_000);
  });

  it('says what the device itself would do, since when it thinks so, and whether a newer copy waits for it', async () => {
    const { db } = server.services;
    const world = await worldForDevices(server.services, { projectId: estate.here, ids: [lobby] }, new Date());
    const since = new Date(Date.now() - 60_000);
    await storeCopy(db, copyFor(world, lobby), since);
    await db.update(identifiers).set({ lostAt: new Date() }).where(eq(identifiers.id, card));
    const device = { is_granted: true, reason: null, synced_at: since.toISOString() };
    expect(await explained({ identifier: card })).toMatchObject({ is_granted: false, reason: 'blocked', device: { ...device, is_waiting: false } });
    const order = { projectId: estate.here, deviceId: lobby, kind: 'synchronise', status: 'waiting' } as const;
    const other = deviceRow({ projectId: estate.here, domainId: estate.groups.n1, name: 'Garage' });
    const garage = one(await db.insert(devices).values(other).returning());
    await db.insert(deviceTasks).values([
      { ...order, deviceId: garage },
      { ...order, kind: 'restart' },
      { ...order, status: 'completed' },
      { ...order, createdAt: new Date(since.getTime() - 1) },
    ]);
    expect((await explained({ identifier: card })).device).toEqual({ ...device, is_waiting: false });
    await db.insert(deviceTasks).values(order);
    expect((await explained({ identifier: card })).device).toEqual({ ...device, is_waiting: true });
    await db.update(identifiers).set({ lostAt: null }).where(eq(identifiers.id, card));
  });
});

describe('an explanation tells', () => {
  it('of a rule out of sight that there is one, and no more', async () => {
    const { north } = estate.groups;
    const clerk = await makePerson(server, estate, { permissions: ['can_view_all_devices', 'can_view_descendants_identifiers'], in: [north] });
    const answer = await explained({ identifier: card }, clerk);
    expect(answer).toMatchObject({ is_granted: true, owner: null, rule: { id: null, name: null }, schedule: null });
    expect(JSON.stringify(answer)).not.toContain('People of the north');
  });
  it('the name of a rule of floors to who sees it alone', async () => {
    const { db } = server.services;
    const { here: projectId, groups: placed } = estate;
    const controller = deviceRow({ projectId, domainId: placed.n1, name: 'Lift', type: 'lift_controller', model: 'LC-16' });
    const lift = one(await db.insert(devices).values(controller).returning());
    const elevatorId = one(await db.insert(elevators).values({ projectId, domainId: placed.n1, name: 'Lift' }).returning());
    await db.insert(elevatorControllers).values({ deviceId: lift, elevatorId, mode: 'access' });
    const floors = one(await db.insert(elevatorAccessRules).values({ projectId, name: 'Upper floors' }).returning());
    await db.insert(elevatorRuleFloors).values({ ruleId: floors, elevatorId, floors: [2] });
    await db.insert(elevatorRuleUsers).values({ ruleId: floors, userId: anna.id });
    const asked = { identifier: card, device: lift };
    const clerk = await makePerson(server, estate, { permissions: ['can_view_all_devices', 'can_view_descendants_identifiers'], in: [placed.north] });
    expect(await explained(asked, clerk)).toMatchObject({ is_granted: true, rule: { id: null, name: null } });
    const seer = await makePerson(server, estate, { permissions: [...seesAll, 'can_view_all_elevator_access_rules'], in: [placed.town] });
    expect(await explained(asked, seer)).toMatchObject({ is_granted: true, rule: { id: floors, name: 'Upper floors' } });
  });
  it('nothing of devices, people and identifiers out of sight', async () => {
    const { south } = estate.groups;
    const far = await makePerson(server, estate, { permissions: ['can_view_all_devices', 'can_view_descendants_identifiers'], in: [south] });
    expect(codeOf(await ask(far, { identifier: card }))).toBe('identifier_not_found');
    expect(codeOf(await ask(far, { user: anna.id }))).toBe('not_found');
    expect(await explained({ type: 'card', value: '04AB12CD' }, far)).toMatchObject({ identifier: null, reason: 'unknown_identifier' });
    const blind = await makePerson(server, estate, { permissions: ['can_view_all_identifiers'], in: [south] });
    expect(codeOf(await ask(blind, { identifier: card }))).toBe('not_found');
    const nobody = await makePerson(server, estate, { in: [south] });
    expect(codeOf(await ask(nobody, { identifier: card }))).toBe('forbidden');
  });
  it('of one thing at a time', async () => {
    expect(codeOf(await ask(boss, { identifier: card, user: anna.id }))).toBe('invalid_data');
    expect(codeOf(await ask(boss, {}))).toBe('invalid_data');
  });
});
