import { randomUUID } from 'node:crypto';
import { and, desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HistoryCall } from '#models/call-history.ts';
import { auditEvents, calls, sipNumbers } from '#server/db/schema/index.ts';
import { roleOf } from './calls-support.ts';
import { connectPanel, type DeviceServer, type SavedDevice, openDeviceServer, type Panel, until } from './devices-support.ts';
import { openChannel } from './channel.ts';
import { dataOf, makePerson, type Person } from './estate.ts';

let world: DeviceServer;
let device: SavedDevice;
let panel: Panel;
let concierge: Person;

beforeAll(async () => {
  world = await openDeviceServer();
  const { estate, server } = world;
  device = await world.add({ name: 'Main gate', domainId: estate.groups.north });
  panel = await connectPanel(`mqtt://127.0.0.1:${world.port}`, device.login);
  concierge = await makePerson(server, estate, { permissions: roleOf('concierge'), in: [estate.groups.town], name: 'Anna' });
  await server.services.db.insert(sipNumbers).values({ projectId: estate.here, number: '1001', name: 'Anna', userId: concierge.id });
  await until(
    () => world.device(device.id),
    ({ online }) => online === true,
  );
});
afterAll(async () => {
  await panel.leave();
  await world.close();
});

/** A call that the panel and Anna talk in. */
async function talking(answeredBy = '1001', calleeNumber = answeredBy): Promise<string> {
  const { server, estate } = world;
  const id = randomUUID();
  await server.services.db.insert(calls).values({
    id,
    projectId: estate.here,
    callerNumber: '2001',
    callerDeviceId: device.id,
    callerDomainId: estate.groups.north,
    calleeNumber,
    type: 'normal',
    status: 'answered',
    answeredBy,
    answeredByName: 'Anna',
    createdAt: server.services.now(),
    answeredAt: server.services.now(),
  });
  return id;
}
const row = async (id: string) => (await world.server.services.db.select().from(calls).where(eq(calls.id, id)))[0];
const lastOpening = async () =>
  (
    await world.server.services.db
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.action, 'open_door'), eq(auditEvents.userId, concierge.id)))
      .orderBy(desc(auditEvents.createdAt))
      .limit(1)
  )[0];

it('a door opened in a call by its token: trail and call name each other, once the device has confirmed it', async () => {
  const id = await talking();
  const answer = await concierge.client.post('/devices/open', { token: device.token, speech_id: id, reason: 'A parcel' });
  expect(dataOf(answer)).toEqual({ outcome: 'confirmed' });
  expect((await lastOpening())?.changes).toEqual({ via: { before: null, after: id }, reason: { before: null, after: 'A parcel' } });
  expect(await row(id)).toMatchObject({ doorOpened: true, doorDeviceName: 'Main gate', doorOpenedBy: 'Anna' });
});

it('a door that says nothing is not put down to the call', async () => {
  const id = await talking();
  panel.answer = () => null;
  const before = panel.asked.length;
  const opening = concierge.client.post('/devices/open', { token: device.token, speech_id: id });
  await until(
    () => panel.asked.length,
    (length) => length > before,
  );
  world.server.pass(5_000);
  expect(dataOf(await opening)).toEqual({ outcome: 'unconfirmed' });
  panel.answer = () => ({ ok: true });
  expect((await row(id))?.doorOpened).toBe(false);
});

it('is never put down to a call of others', async () => {
  const { server, estate } = world;
  const id = await talking('1999');
  await server.services.db.update(calls).set({ callerDomainId: estate.groups.abroad, projectId: estate.there }).where(eq(calls.id, id));
  await concierge.client.post('/devices/open', { token: device.token, speech_id: id });
  expect((await lastOpening())?.changes['via']?.after).toBe('console');
  expect((await row(id))?.doorOpened).toBe(false);
});

it('is opened for a reason that the trail and the history of the call keep', async () => {
  const id = await talking();
  expect((await concierge.client.post(`/calls/${id}/opening`, { reason: 'A parcel for flat 15' })).statusCode).toBe(200);
  expect((await lastOpening())?.changes).toEqual({ via: { before: null, after: id }, reason: { before: null, after: 'A parcel for flat 15' } });
  await world.server.services.db.update(calls).set({ status: 'destroyed', historyStatus: 'answered' }).where(eq(calls.id, id));
  const row = dataOf<HistoryCall>(await concierge.client.get(`/calls/history/${id}`));
  expect(row.door_reason).toBe('A parcel for flat 15');
  const stranger = await makePerson(world.server, world.estate, { permissions: roleOf('resident'), in: [world.estate.groups.s1] });
  expect((await stranger.client.post(`/calls/${id}/opening`, { reason: 'None of mine' })).statusCode).toBe(404);
});

it('opened by a key, it is confirmed to whoever is in the call, also to one who may read no events of devices', async () => {
  const { server, estate } = world;
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const resident = await makePerson(server, estate, { permissions: roleOf('resident'), in: [estate.groups.n1], name: 'Rita' });
  await server.services.db.insert(sipNumbers).values({ projectId: estate.here, number: '1003', name: 'Rita', userId: resident.id });
  const channel = await openChannel(url, resident.client.token);
  expect(await channel.subscribe('calls-management.1003')).toBe('Subscribed');
  expect((await resident.client.get('/device-events')).statusCode).toBe(403);
  await server.services.db.delete(calls);
  // She has answered for the flat.
  const id = await talking('1003', '15');
  const open = () => panel.say({ type: 'event', event: 'opened_remotely', at: new Date().toISOString(), data: { via: 'dtmf' } });
  await open();
  expect((await channel.wait('DoorOpened')).payload).toEqual({ call: id });
  await open();
  await until(
    () => Promise.resolve(channel.all('DoorOpened').length),
    (count) => count === 2,
  );
  channel.ws.terminate();
});

it('opened by a key, it is put down to the call the panel talks in', async () => {
  await world.server.services.db.delete(calls);
  const id = await talking();
  await panel.say({ type: 'event', event: 'opened_remotely', at: new Date().toISOString(), data: { via: 'dtmf' } });
  const marked = await until(
    () => row(id),
    (call) => call?.doorOpened === true,
  );
  expect(marked).toMatchObject({ doorDeviceName: 'Main gate', doorOpenedBy: 'Anna' });
});
