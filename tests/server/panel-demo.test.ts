import { randomUUID } from 'node:crypto';
import { and, eq, gt } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { DialerEntry } from '#models/phone-calls.ts';
import type { SimulatedDevice, SimulatorState } from '#models/simulator.ts';
import { auditEvents, calls, deviceEvents, devices, files } from '#server/db/schema/index.ts';
import { type Gateway, openGateway } from '#server/devices/gateway.ts';
import { Simulator } from '#server/devices/simulator/simulator.ts';
import { SipAgent } from '#server/telephony/sip/agent.ts';
import type { Invite, SipLeg } from '#server/telephony/sip/leg.ts';
import { openTelephony, type Telephony } from '#server/telephony/telephony.ts';
import { Studio } from '#server/telephony/media/studio.ts';
import { inTime, longestWait } from '#tests/support/in-time.ts';
import { dataOf } from './estate.ts';
import { heardFrom, until } from './media-support.ts';
import { freePort } from './process.ts';
import { type Client, openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let gateway: Gateway;
let simulator: Simulator;
let telephony: Telephony;
let admin: Client;
const far = new Studio();
const heard = heardFrom(far);
const agents: SipAgent[] = [];

beforeAll(async () => {
  server = await openTestServer({
    demo: true,
    now: new Date(),
    config: { logLevel: 'warn', port: await freePort(), sipPort: 0 },
    seed: async (services) => {
      services.now = () => new Date();
      simulator = new Simulator(services);
      services.simulator = simulator;
    },
  });
  gateway = await openGateway(server.services, { host: '127.0.0.1', port: 0 });
  telephony = await openTelephony(server.services);
  await simulator.open(`mqtt://127.0.0.1:${gateway.port}`);
  admin = await server.signIn('admin');
});
afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.close()));
  await far.shut();
  await simulator.close();
  await telephony.close();
  await gateway.close();
  await server.close();
});

/** The phone in somebody's console: registered with what their profile says. */
async function console(
  login: string,
): Promise<{ number: string; rings: () => { leg: SipLeg; sdp: string; header: Invite['header'] }[]; take: (at?: number) => Promise<SipLeg> }> {
  const { profile } = dataOf<{ profile: { sip_number: { number: string; name: string; password: string } } }>(
    await (await server.signIn(login)).get('/profile'),
  );
  const { number, name, password } = profile.sip_number;
  const log = { debug: () => undefined, warn: () => undefined };
  const agent = new SipAgent({ url: `ws://127.0.0.1:${telephony.sip.ports.ws}`, number, name, password, instance: `urn:uuid:${randomUUID()}`, log });
  agents.push(agent);
  const rings: { leg: SipLeg; sdp: string; header: Invite['header'] }[] = [];
  agent.onInvite((leg, { sdp, header }) => {
    rings.push({ leg, sdp: sdp ?? '', header });
    leg.ring();
  });
  agent.open();
  await until(() => agent.state === 'registered');
  return {
    number,
    rings: () => rings,
    take: async (at = rings.length - 1) => {
      const ring = rings[at];
      if (!ring) throw new Error('nobody calls');
      ring.leg.listen((event) => {
        if (event.type === 'offered') void far.answer(ring.leg.id, event.sdp).then(event.accept);
      });
      ring.leg.accept(await far.answer(ring.leg.id, ring.sdp));
      await until(() => ring.leg.state === 'confirmed');
      return ring.leg;
    },
  };
}
const shown = async (name: string): Promise<SimulatedDevice> => {
  const state = dataOf<SimulatorState>(await admin.get('/simulator'));
  const device = state.devices.find((one) => one.name === name);
  if (!device) throw new Error(`there is no ${name}`);
  return device;
};
const act = async (name: string, body: object) => {
  const answer = await admin.post(`/simulator/devices/${(await shown(name)).id}`, body);
  if (answer.statusCode !== 200) throw new Error(answer.body);
};
const phoneOf = async (name: string) => (await shown(name)).phone;
async function stands(name: string, state: string): Promise<void> {
  const end = Date.now() + inTime(10_000);
  while ((await phoneOf(name))?.state !== state) {
    if (Date.now() > end) throw new Error(`${name} is ${(await phoneOf(name))?.state}, not ${state}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
async function eventsOf(name: string, since: Date): Promise<string[]> {
  const [device] = await server.services.db.select().from(devices).where(eq(devices.name, name));
  const rows = await server.services.db
    .select()
    .from(deviceEvents)
    .where(and(eq(deviceEvents.deviceId, device?.id ?? ''), gt(deviceEvents.createdAt, since)))
    .orderBy(deviceEvents.occurredAt);
  return rows.map(({ type }) => type);
}
async function heardEvent(name: string, since: Date, type: string): Promise<void> {
  const end = Date.now() + inTime(10_000);
  while (!(await eventsOf(name, since)).includes(type)) {
    if (Date.now() > end) throw new Error(`${type} did not come from ${name}: ${(await eventsOf(name, since)).join()}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
/** Waits until somebody sees who calls: nothing is shown until the camera's path is found. */
const hasPicture = (client: Client, call: string) =>
  vi.waitFor(
    async () => {
      const seen = await client.get(`/calls/${call}/picture`);
      expect([seen.statusCode, seen.headers['content-type']]).toEqual([200, 'image/webp']);
    },
    { timeout: longestWait, interval: 50 },
  );

it('panels and monitors register with what they were sent; those without power do not', async () => {
  await stands('Tower A lobby', 'ready');
  const state = dataOf<SimulatorState>(await admin.get('/simulator'));
  const phones = state.devices.filter(({ phone }) => phone !== null);
  expect(phones.length).toBeGreaterThan(10);
  await until(() => phones.every(({ phone, online }) => !online || telephony.sip.bindings(phone?.number ?? '').length === 1));
  await act('River gate', { act: 'go_offline' });
  const number = (await phoneOf('River gate'))?.number ?? '';
  await until(() => telephony.sip.bindings(number).length === 0);
  await act('River gate', { act: 'go_online' });
  await stands('River gate', 'ready');
});

it('the call button rings the desk; whoever takes it hears the panel, and # opens its door', async () => {
  const since = new Date();
  const desk = await console('concierge');
  await act('Tower A lobby', { act: 'call' });
  expect(await phoneOf('Tower A lobby')).toMatchObject({ state: 'calling', with: '700', button: '700' });
  await until(() => desk.rings().length === 1);
  const [waiting] = dataOf<{ id: string }[]>(await admin.get('/calls/waiting'));
  const chart = dataOf<SimulatorState>(await admin.get('/simulator')).calls.find(({ id }) => id === waiting?.id);
  expect(chart?.moves.at(-1)?.states.join()).toContain('waiting');
  const resident = await server.signIn('resident');
  expect((await resident.get('/simulator')).statusCode).toBe(403);
  await hasPicture(admin, waiting?.id ?? '');
  const pictureOf = async () =>
    (
      await server.services.db
        .select()
        .from(calls)
        .where(eq(calls.id, waiting?.id ?? ''))
    )[0]?.imageFile;
  // The project keeps who rings by itself; what somebody keeps takes its place.
  await vi.waitFor(async () => expect(await pictureOf()).toEqual(expect.any(String)), { timeout: longestWait, interval: 50 });
  const savePicture = (client: typeof admin) => client.post(`/calls/${waiting?.id}/picture`);
  expect([(await savePicture(resident)).statusCode, (await savePicture(admin)).statusCode]).toEqual([404, 200]);
  const first = await pictureOf();
  expect((await savePicture(admin)).statusCode).toBe(200);
  const pictures = await server.services.db.select().from(files).where(eq(files.kind, 'call'));
  expect([pictures.map(({ id }) => id), first === pictures[0]?.id]).toEqual([[await pictureOf()], false]);
  const trail = await server.services.db
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.entityId, waiting?.id ?? ''))
    .orderBy(auditEvents.createdAt);
  expect(trail.filter(({ action }) => action === 'update').map(({ changes }) => changes)).toEqual([
    { image_url: { before: true, after: true } },
    { image_url: { before: true, after: true } },
  ]);
  const leg = await desk.take();
  await stands('Tower A lobby', 'talking');
  await until(() => heard.of(leg.id, 'connected').length === 1);
  expect(await far.sendDtmf(leg.id, '#', 160)).toBe(true);
  await heardEvent('Tower A lobby', since, 'door_opened');
  expect((await shown('Tower A lobby')).door_open).toBe(true);
  expect(heard.of(leg.id, 'silent')).toEqual([]);
  leg.end();
  await act('Tower A lobby', { act: 'hang_up' });
  await stands('Tower A lobby', 'ready');
  await heardEvent('Tower A lobby', since, 'call_ended');
  expect(await eventsOf('Tower A lobby', since)).toEqual(['call_started', 'call_answered', 'opened_remotely', 'door_opened', 'call_ended']);
  const rows = await server.services.db.select().from(calls).where(gt(calls.createdAt, since));
  expect(rows).toHaveLength(1);
});

it('whoever is rung at home sees who stands at the door before the answer; a missed call has its picture among the recent ones', async () => {
  const flat = await console('resident');
  const resident = await server.signIn('resident');
  await act('Tower A lobby', { act: 'call', number: flat.number });
  await until(() => flat.rings().length === 1);
  const id = flat.rings()[0]?.header('X-Speech-Id') ?? '';
  await hasPicture(resident, id);
  const latest = async () => dataOf<DialerEntry[]>(await resident.get(`/calls/history/dialer/${flat.number}?page=1&size=1`))[0];
  await vi.waitFor(
    async () => expect((await server.services.db.select().from(calls).where(eq(calls.id, id)))[0]?.imageFile).toEqual(expect.any(String)),
    { timeout: longestWait, interval: 50 },
  );
  await act('Tower A lobby', { act: 'hang_up' });
  await stands('Tower A lobby', 'ready');
  await vi.waitFor(async () => expect((await latest())?.id).toBe(id), { timeout: longestWait, interval: 50 });
  expect(await latest()).toMatchObject({ status: 'cancel', image_url: expect.stringMatching(/\/files\/.+\?/) as string });
});

it('SOS during a call comes to the desk as such, the call goes on, and the device tells of it too', async () => {
  const since = new Date();
  const desk = await console('concierge2');
  await act('Tower A lobby', { act: 'call' });
  await until(() => desk.rings().length === 1);
  expect(desk.rings()[0]?.header('X-SOS-Call')).toBeNull();
  await desk.take(0);
  await stands('Tower A lobby', 'talking');
  await act('Tower A back door', { act: 'sos' });
  await until(() => desk.rings().length === 2);
  expect(desk.rings()[1]?.header('X-SOS-Call')).toBe('1');
  expect(await phoneOf('Tower A lobby')).toMatchObject({ state: 'talking' });
  await heardEvent('Tower A back door', since, 'sos');
  for (const name of ['Tower A back door', 'Tower A lobby']) {
    await act(name, { act: 'hang_up' });
    await stands(name, 'ready');
  }
});

it('a number that nobody has is refused, and the call was missed', async () => {
  const since = new Date();
  await act('Tower B lobby', { act: 'call', number: '999999' });
  await heardEvent('Tower B lobby', since, 'call_missed');
  expect(await eventsOf('Tower B lobby', since)).toEqual(['call_started', 'call_missed']);
  for (const number of ['abc', '1'.repeat(40), 'sip:1001@evil', '1001\r\nX: 1'])
    expect((await admin.post(`/simulator/devices/${(await shown('Tower B lobby')).id}`, { act: 'call', number })).statusCode).toBe(422);
});

it('the scene in which everybody calls: each phone is in a call of its own, and none is left', async () => {
  await admin.post('/simulator/scenarios/many-callers');
  const list = async () => dataOf<SimulatorState>(await admin.get('/simulator')).devices.filter(({ phone, online }) => phone && online);
  const all = (await list()).length;
  const end = Date.now() + 15_000;
  while ((await list()).filter(({ phone }) => phone?.state !== 'ready').length < all && Date.now() < end)
    await new Promise((done) => setTimeout(done, 100));
  expect((await list()).map(({ phone }) => phone?.with)).toEqual(Array.from({ length: all }, () => expect.stringMatching(/^[78]00$/)));
  await admin.delete('/simulator/scenarios');
  while ((await list()).some(({ phone }) => phone?.state !== 'ready') && Date.now() < end + 10_000)
    await new Promise((done) => setTimeout(done, 100));
  expect((await list()).map(({ phone }) => phone?.state)).toEqual(Array.from({ length: all }, () => 'ready'));
});
