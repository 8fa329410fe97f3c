import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ConciergeDevice } from '#models/devices.ts';
import { accessRuleDevices, accessRules, accessRuleUsers, auditEvents, identifiers, sipNumbers } from '#server/db/schema/index.ts';
import { roleOf } from './calls-support.ts';
import { connectPanel, type DeviceServer, type SavedDevice, openDeviceServer, type Panel, until } from './devices-support.ts';
import { dataOf, makePerson, type Person } from './estate.ts';

let world: DeviceServer;
let door: SavedDevice;
let other: SavedDevice;
let panel: Panel;
let rita: Person;
let card: string;

beforeAll(async () => {
  world = await openDeviceServer();
  const { estate, server } = world;
  const { db } = server.services;
  // In a group that no resident sees.
  door = await world.add({ name: 'Main gate', domainId: estate.groups.town });
  other = await world.add({ name: 'Boiler room', domainId: estate.groups.town });
  panel = await connectPanel(`mqtt://127.0.0.1:${world.port}`, door.login);
  await until(
    () => world.device(door.id),
    ({ online }) => online === true,
  );
  await db.insert(sipNumbers).values({ projectId: estate.here, number: '2001', name: 'Main gate', deviceId: door.id });
  rita = await makePerson(server, estate, { permissions: roleOf('resident'), in: [estate.groups.n1], name: 'Rita' });
  const [rule] = await db.insert(accessRules).values({ projectId: estate.here, name: 'Gate', prohibition: false }).returning();
  if (!rule) throw new Error('no rule');
  await db.insert(accessRuleDevices).values({ ruleId: rule.id, deviceId: door.id });
  await db.insert(accessRuleUsers).values({ ruleId: rule.id, userId: rita.id });
  card = await give({});
});
afterAll(async () => {
  await panel.leave();
  await world.close();
});

async function give(more: Partial<typeof identifiers.$inferInsert>): Promise<string> {
  const value = randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase();
  const [row] = await world.server.services.db
    .insert(identifiers)
    .values({ projectId: world.estate.here, userId: rita.id, name: 'Card', type: 'card', value, ...more })
    .returning();
  return row?.id ?? '';
}
const change = (set: Partial<typeof identifiers.$inferInsert>) =>
  world.server.services.db.update(identifiers).set(set).where(eq(identifiers.id, card));
const doors = async () => dataOf<ConciergeDevice[]>(await rita.client.get('/concierge-devices'));
const open = (token: string) => rita.client.post('/devices/open', { token });

it('a resident has the doors that their own card opens, with what they may know of a device they may not view', async () => {
  expect((await rita.client.get(`/devices/${door.id}`)).statusCode).toBe(404);
  expect(await doors()).toEqual([
    { id: door.id, token: door.token, name: 'Main gate', type: 'panel', status: null, sip_number: null, path: [], has_camera: false },
  ]);
});

it('opens such a door, and it is on record who did', async () => {
  expect(dataOf(await open(door.token))).toEqual({ outcome: 'confirmed' });
  const rows = await world.server.services.db.select().from(auditEvents).where(eq(auditEvents.userId, rita.id));
  expect(rows.find(({ action }) => action === 'open_door')).toMatchObject({ entityId: door.id, entityName: 'Main gate' });
});

it('opens no other door, and does not say which device a token belongs to', async () => {
  expect((await open(other.token)).statusCode).toBe(404);
  const rows = await world.server.services.db.select().from(auditEvents).where(eq(auditEvents.userId, rita.id));
  expect(rows.find(({ action }) => action === 'refused')).toMatchObject({ entityId: null, entityName: null });
});

it.each([
  ['lost', { lostAt: new Date() }],
  ['switched off', { isActive: false }],
  ['revoked', { revokedAt: new Date() }],
  ['not valid any more', { periodRestrictActive: true, periodRestrictTo: new Date(Date.now() - 60_000) }],
  ['counted by passes', { passesRestrictActive: true, passesMaxCount: 3 }],
  ["somebody else's", { userId: null }],
])('has no door by a card that is %s', async (_what, set) => {
  const before = await world.server.services.db.select().from(identifiers).where(eq(identifiers.id, card));
  await change(set);
  expect(await doors()).toEqual([]);
  expect((await open(door.token)).statusCode).toBe(404);
  const [first] = before;
  if (first) await change(first);
  expect(await doors()).toHaveLength(1);
});

it('asks for the right to see own identifiers', async () => {
  const { estate, server } = world;
  const without = roleOf('resident').filter((code) => code !== 'can_view_own_identifiers');
  const person = await makePerson(server, estate, { permissions: without, in: [estate.groups.n1], name: 'Rob' });
  await server.services.db.update(identifiers).set({ userId: person.id }).where(eq(identifiers.id, card));
  expect(dataOf(await person.client.get('/concierge-devices'))).toEqual([]);
});
