import { setTimeout as pause } from 'node:timers/promises';
import { and, desc, eq, gt } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasDoor } from '#models/device-models.ts';
import type { DeviceEvent } from '#models/device-events.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import type { DeviceSearch, PutOutcome } from '#models/device-calls.ts';
import { type Carried, type DeviceAct, type SimulatorState, strayRange } from '#models/simulator.ts';
import { alarmCalls, deviceAlarms, deviceEvents, devices, deviceTasks, files, identifiers, notifications } from '#server/db/schema/index.ts';
import { forgetOldPictures } from '#server/devices/event-pictures.ts';
import { type Gateway, openGateway } from '#server/devices/gateway.ts';
import { askByHttp, infoByHttp } from '#server/devices/http-device.ts';
import { storeEvent } from '#server/devices/inbox.ts';
import { unseal } from '#server/devices/secrets.ts';
import { scenarios } from '#server/devices/simulator/scenarios.ts';
import { Simulator } from '#server/devices/simulator/simulator.ts';
import { until, untilPassed } from './devices-support.ts';
import { buildEstate, codeOf, dataOf, makePerson } from './estate.ts';
import { freePort } from './process.ts';
import { type Client, openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let gateway: Gateway;
let simulator: Simulator;
let admin: Client;

beforeAll(async () => {
  server = await openTestServer({
    demo: true,
    now: new Date(),
    // The devices spoken to by HTTP answer at a port that goes with the server's: one that no other demo has.
    config: { logLevel: 'warn', port: await freePort() },
    seed: async (services) => {
      services.now = () => new Date();
      simulator = new Simulator(services);
      services.simulator = simulator;
    },
  });
  // A machine so busy that all devices are written off as silent before the first of them can come to life.
  await db()
    .update(devices)
    .set({ statusAt: new Date(Date.now() - 3_600_000) })
    .where(eq(devices.online, true));
  await simulator.read();
  gateway = await openGateway(server.services, { host: '127.0.0.1', port: 0 });
  await until(
    () => db().$count(devices, eq(devices.online, true)),
    (online) => online === 0,
  );
  await simulator.open(`mqtt://127.0.0.1:${gateway.port}`);
  admin = await server.signIn('admin');
});
afterAll(async () => {
  await simulator.close();
  await gateway.close();
  await server.close();
});

const db = () => server.services.db;
const named = async (name: string) => {
  const [device] = await db().select().from(devices).where(eq(devices.name, name));
  if (!device) throw new Error(`there is no ${name}`);
  return device;
};
const act = async (name: string, what: DeviceAct): Promise<void> => {
  const answer = await admin.post(`/simulator/devices/${(await named(name)).id}`, what);
  if (answer.statusCode !== 200) throw new Error(answer.body);
};
const eventsSince = async (name: string, since: Date) =>
  db()
    .select()
    .from(deviceEvents)
    .where(and(eq(deviceEvents.deviceId, (await named(name)).id), gt(deviceEvents.createdAt, since)))
    .orderBy(deviceEvents.createdAt);
const heard = (name: string, since: Date, type: DeviceEvent['type'], timeout?: number) =>
  until(
    () => eventsSince(name, since),
    (events) => events.some((event) => event.type === type),
    timeout,
  );
/** When the devices were brought to life. */
const begun = new Date();
const now = (): Date => new Date(Date.now() - 1);

describe('the living building', () => {
  it('is there, however long the server took to begin: every device that is not away on purpose, by either protocol', async () => {
    // The books of the demo begin with devices that are online: those that are really there were heard since.
    const heardBy = (rows: (typeof devices.$inferSelect)[], way: string) =>
      rows.filter(({ online, statusAt, protocol }) => protocol === way && online && statusAt && statusAt > begun).length;
    const awayOf = (rows: (typeof devices.$inferSelect)[]) =>
      rows.filter(({ online, protocol }) => online === false && protocol !== 'none').map(({ name }) => name);
    const all = await until(
      () => db().select().from(devices),
      (rows) => heardBy(rows, 'mqtt') >= 45 && heardBy(rows, 'http') >= 7 && awayOf(rows).length <= 2,
      40_000,
    );
    expect(awayOf(all).toSorted()).toEqual(['Parking door -2', 'Parking exit plate camera']);
    expect(new Set(all.map(({ type }) => type)).size).toBe(6);
    expect(all.length).toBeGreaterThanOrEqual(55);
  });

  it('opens a door for a card it was sent, counts the pass, and tells the owner', async () => {
    const lobby = await named('Tower B lobby');
    const [card] = dataOf<Carried[]>(await admin.get(`/simulator/devices/${lobby.id}/carried`)).filter(
      ({ state, type }) => state === 'good' && type === 'card',
    );
    if (!card) throw new Error('nobody behind the lobby has a card');
    const [before] = await db().select().from(identifiers).where(eq(identifiers.id, card.id));
    const since = now();
    await act('Tower B lobby', { act: 'present', type: card.type, identifier_id: card.id });
    const events = await heard('Tower B lobby', since, 'door_opened');
    expect(events.find(({ type }) => type === 'access_granted')).toMatchObject({ userName: card.owner, identifierMask: card.mask, reason: null });
    const [after] = await db().select().from(identifiers).where(eq(identifiers.id, card.id));
    expect(after?.passesCount).toBe((before?.passesCount ?? 0) + 1);
    const reported = await db()
      .select()
      .from(notifications)
      .where(eq(notifications.userId, before?.userId ?? ''));
    expect(reported.filter(({ type }) => type === 'user_used_identifier_on_device')).toHaveLength(1);
    await heard('Tower B lobby', since, 'door_closed', 8_000);
  });

  it('shows who was there: a picture goes with an event of a device that has a camera, to those who may see the event (DEV-19)', async () => {
    const since = now();
    await act('Tower B lobby', { act: 'present', type: 'card', value: 'not-a-card' });
    const events = await heard('Tower B lobby', since, 'access_denied');
    const id = events.find(({ type }) => type === 'access_denied')?.id ?? '';
    const { image_url: address } = dataOf<DeviceEvent>(await admin.get(`/device-events/${id}`));
    const picture = await server.app.inject(address ?? '/nothing');
    expect([picture.statusCode, picture.headers['content-type'], picture.rawPayload.toString('latin1', 8, 15)]).toEqual([
      200,
      'image/webp',
      'WEBPVP8',
    ]);
    const resident = await server.signIn('resident');
    expect((await resident.get(`/device-events/${id}`)).statusCode).toBe(403);

    // What has been kept for a month goes; the event stays.
    await db()
      .update(files)
      .set({ createdAt: new Date(Date.now() - 31 * 24 * 3_600_000) })
      .where(eq(files.kind, 'event'));
    await forgetOldPictures(server.services);
    expect((await server.app.inject(address ?? '')).statusCode).toBe(404);
    expect(dataOf<DeviceEvent>(await admin.get(`/device-events/${id}`)).image_url).toBeNull();
  });

  it('keeps an event whose picture is none, without it', async () => {
    const { id, projectId, name } = await named('Tower B lobby');
    const picture = Buffer.from('<script>alert(1)</script>'.repeat(9)).toString('base64');
    const storedEvent = await storeEvent(
      server.services,
      { id, projectId, name },
      { type: 'event', event: 'call_started', at: now().toISOString(), picture },
    );
    const [row] = await db()
      .select()
      .from(deviceEvents)
      .where(eq(deviceEvents.id, storedEvent ?? ''));
    expect(row).toMatchObject({ type: 'call_started', imageFile: null });
    expect(server.logged()).toContain('a device sent something that is no picture');
  });

  it('refuses what it does not know, and what it knows to be revoked or blocked, and says which', async () => {
    const lobby = await named('Tower B lobby');
    const carried = dataOf<Carried[]>(await admin.get(`/simulator/devices/${lobby.id}/carried`));
    const revoked = carried.find(({ state }) => state === 'revoked');
    if (!revoked) throw new Error('nobody has lost a card');
    const since = now();
    await act('Tower B lobby', { act: 'present', type: 'card', value: 'FFFF0000' });
    await act('Tower B lobby', { act: 'present', type: revoked.type, identifier_id: revoked.id });
    const events = await until(
      () => eventsSince('Tower B lobby', since),
      (all) => all.length === 2,
    );
    expect(events.map(({ type, reason, userName }) => [type, reason, userName])).toEqual([
      ['access_denied', 'unknown_identifier', null],
      ['access_denied', 'revoked', revoked.owner],
    ]);
    const [owner] = await db().select().from(identifiers).where(eq(identifiers.id, revoked.id));
    const reported = await db()
      .select()
      .from(notifications)
      .where(eq(notifications.userId, owner?.userId ?? ''));
    expect(reported.map(({ type }) => type)).toContain('user_used_revoked_identifier');
  });

  it('knows a new card only once it was sent it, and somebody of elsewhere has no rule here', async () => {
    const lobby = await named('Tower B lobby');
    const [neighbour] = dataOf<Carried[]>(await admin.get(`/simulator/devices/${lobby.id}/carried`));
    const [theirs] = await db()
      .select()
      .from(identifiers)
      .where(eq(identifiers.id, neighbour?.id ?? ''));
    await db()
      .insert(identifiers)
      .values({ projectId: lobby.projectId, userId: theirs?.userId ?? null, name: 'A new card', type: 'card', value: '0BADCAFE' });
    let since = now();
    await act('Tower B lobby', { act: 'present', type: 'card', value: '0BADCAFE' });
    // The server knows whose it is, and that it was not sent yet.
    expect((await heard('Tower B lobby', since, 'access_denied')).at(-1)).toMatchObject({ reason: 'unknown_identifier', userName: neighbour?.owner });
    since = now();
    await act('Tower A lobby', { act: 'present', type: 'card', value: '0BADCAFE' });
    expect((await heard('Tower A lobby', since, 'access_denied')).at(-1)).toMatchObject({ reason: 'no_rule' });
    await admin.post(`/devices/${lobby.id}/synchronise`);
    await heard('Tower B lobby', since, 'synchronised');
    since = now();
    await act('Tower B lobby', { act: 'present', type: 'card', value: '0BADCAFE' });
    await heard('Tower B lobby', since, 'access_granted');
  });

  it('opens from the desk: the door says itself that it did', async () => {
    const since = now();
    const { token } = await named('Tower A lobby');
    expect(dataOf(await admin.post('/devices/open', { token }))).toEqual({ outcome: 'confirmed' });
    const [event] = (await heard('Tower A lobby', since, 'opened_remotely')).filter(({ type }) => type === 'opened_remotely');
    expect(event?.userName).not.toBeNull();
  });

  it('raises alarms and SOS, and clears them', async () => {
    const { id } = await named('B floor 3 corridor');
    await act('B floor 3 corridor', { act: 'trip', sensor: 'smoke' });
    const alarm = async () =>
      (
        await db()
          .select()
          .from(deviceAlarms)
          .where(and(eq(deviceAlarms.deviceId, id), gt(deviceAlarms.enabledAt, begun)))
      )[0];
    await until(alarm, (one) => one?.state === 'enabled');
    await act('B floor 3 corridor', { act: 'clear', sensor: 'smoke' });
    await until(alarm, (one) => one?.state === 'disabled');
    await act('Main gate', { act: 'sos' });
    const gate = await named('Main gate');
    const calls = await until(
      () =>
        db()
          .select()
          .from(alarmCalls)
          .where(and(eq(alarmCalls.deviceId, gate.id), gt(alarmCalls.calledAt, begun))),
      (all) => all.length === 1,
    );
    expect(calls[0]?.deviceName).toBe('Main gate');
  });

  it('fails at a task when it is told to, and does it when it is tried again', async () => {
    const device = await named('Meeting rooms');
    await act('Meeting rooms', { act: 'fail_next_task', reason: 'Flash memory is full' });
    const id = dataOf<string>(await admin.post(`/devices/${device.id}/synchronise`));
    const task = async () => (await db().select().from(deviceTasks).where(eq(deviceTasks.id, id)))[0];
    await until(task, (one) => one?.status === 'error');
    expect((await task())?.error).toBe('Flash memory is full');
    expect((await admin.post(`/device-tasks/${id}/retry`)).statusCode).toBe(200);
    await until(task, (one) => one?.status === 'completed');
  });

  it('comes back after it was unplugged, and after a restart, by either protocol', async () => {
    const of = async (name: string) => (await named(name)).online;
    await act('River gate', { act: 'go_offline' });
    await untilPassed(
      { server },
      () => of('River gate'),
      (online) => online === false,
    );
    expect(codeOf(await admin.post(`/simulator/devices/${(await named('River gate')).id}`, { act: 'sos' }))).toBe('device_offline');
    await act('River gate', { act: 'go_online' });
    await untilPassed(
      { server },
      () => of('River gate'),
      (online) => online === true,
    );
    for (const name of ['River gate', 'Gym']) {
      const since = now();
      expect((await admin.post(`/devices/${(await named(name)).id}/restart`)).statusCode).toBe(200);
      await untilPassed(
        { server },
        () => eventsSince(name, since),
        (events) => events.some(({ type }) => type === 'rebooted'),
      );
      await untilPassed(
        { server },
        () => of(name),
        (online) => online === true,
        20_000,
      );
    }
  });

  it('changes over from MQTT to HTTP and back: it is told by the old way and answers by the new one', async () => {
    const device = await named('Clubhouse entrance');
    await db().update(devices).set({ ipAddress: '127.20.1.99', port: 8_090 }).where(eq(devices.id, device.id));
    const speaks = async (protocol: string): Promise<void> => {
      const id = dataOf<string>(await admin.post(`/devices/${device.id}/protocol`, { protocol }));
      await untilPassed(
        { server },
        async () => (await db().select().from(deviceTasks).where(eq(deviceTasks.id, id)))[0],
        (task) => task?.status === 'completed',
      );
      const next = dataOf<string>(await admin.post(`/devices/${device.id}/synchronise`));
      await untilPassed(
        { server },
        async () => (await db().select().from(deviceTasks).where(eq(deviceTasks.id, next)))[0],
        (task) => task?.status === 'completed',
      );
      const heard = await untilPassed(
        { server },
        () => named('Clubhouse entrance'),
        ({ online }) => online === true,
      );
      expect(heard.protocol).toBe(protocol);
    };
    await speaks('http');
    await speaks('mqtt');
  });

  it('lets itself be controlled from afar: reads, switches a relay, takes a setting, reboots, and ends', async () => {
    const { login: serial, id: deviceId } = await named('Tower A back door');
    const begun = dataOf<{ id: string; relays: unknown[]; settings: Record<string, unknown> }>(
      await admin.put('/devices/remote-session', { serial_number: serial, login: null, password: null }),
    );
    expect(begun.relays).toMatchObject([{ number: 1, is_open: false }]);
    expect(JSON.stringify(begun.settings)).not.toContain('"password"');
    const session = `/devices/remote-session/${begun.id}`;
    const since = now();
    await admin.patch(session, { action: 'relay', number: 1 });
    expect((await heard('Tower A back door', since, 'opened_remotely')).find(({ type }) => type === 'opened_remotely')?.userName).not.toBeNull();
    expect(codeOf(await admin.patch(session, { action: 'relay', number: 60 }))).toBe('invalid_data');
    await admin.patch(session, {
      action: 'write_settings',
      settings: { face_recognition: { enabled: true, mode: '2D', similarity: 'low', autostart: false } },
    });
    const read = dataOf<{ settings: { face_recognition: { mode: string } } }>(await admin.patch(session, { action: 'read' }));
    expect(read.settings.face_recognition.mode).toBe('2D');
    const stranger = await server.signIn('manager');
    expect((await stranger.patch(session, { action: 'read' })).statusCode).toBeGreaterThanOrEqual(403);
    expect((await admin.patch(session, { action: 'end' })).statusCode).toBe(200);
    expect(codeOf(await admin.patch(session, { action: 'read' }))).toBe('not_found');
    const camera = await named('Clubhouse camera');
    expect(codeOf(await admin.put('/devices/remote-session', { serial_number: camera.login, login: null, password: null }))).toBe('device_not_mqtt');
    const away = await named('Parking door -2');
    expect(codeOf(await admin.put('/devices/remote-session', { serial_number: away.login, login: null, password: null }))).toBe('device_offline');
    expect(codeOf(await admin.put('/devices/remote-session', { serial_number: serial, login: 'admin', password: 'a guess' }))).toBe(
      'invalid_credentials',
    );
    expect(deviceId).toBeTruthy();
  });

  it('finds the devices that are in no books by a search, and what is put into a group does its tasks', async () => {
    const search = { ...strayRange, request_id: crypto.randomUUID() };
    expect((await admin.post('/devices/search', search)).statusCode).toBe(200);
    const over = await until(
      async () => dataOf<DeviceSearch>(await admin.get(`/devices/search/${search.request_id}`)),
      ({ state }) => state !== 'running',
      60_000,
      200,
    );
    expect(over).toMatchObject({ state: 'completed', done: 40, total: 40 });
    expect(over.found.map(({ ip_address: ip, is_known: known }) => [ip, known])).toEqual([
      ['127.20.9.11', false],
      ['127.20.9.12', false],
      ['127.20.9.27', false],
    ]);
    const { domainId } = await named('Clubhouse entrance');
    const [controller] = over.found.filter(({ type }) => type === 'access_controller');
    const body = { request_id: search.request_id, domain: domainId, items: [{ serial: controller?.serial, name: 'New controller' }] };
    const [put] = dataOf<PutOutcome[]>(await admin.put('/devices/found', body));
    expect(put?.problem).toBeNull();
    const id = dataOf<string>(await admin.post(`/devices/${put?.id}/synchronise`));
    await until(
      async () => (await db().select().from(deviceTasks).where(eq(deviceTasks.id, id)))[0],
      (task) => task?.status === 'completed',
      30_000,
    );
  });

  it('is refused to those who may not see a device, and to everybody without the demo', async () => {
    const { id } = await named('Pier 1 entrance');
    expect(codeOf(await admin.post(`/simulator/devices/${id}`, { act: 'sos' }))).toBe('not_found');
    const real = await openTestServer();
    const estate = await buildEstate(real.services);
    const { client: there } = await makePerson(real, estate, { permissions: permissionCodes, in: [estate.groups.town] });
    expect((await there.get('/devices')).statusCode).toBe(200);
    expect((await there.get('/simulator')).statusCode).toBe(404);
    await real.close();
  });

  it('says where each device is with the building of its floor', async () => {
    const { devices: shown } = dataOf<SimulatorState>(await admin.get('/simulator'));
    expect(shown.find(({ name }) => name === 'A floor 1 corridor')?.group).toBe('Tower A · Floor 1');
  });
});

describe('a scenario', () => {
  it.each(
    Object.entries(scenarios)
      .filter(([, { steps }]) => steps.every((step) => !('wait' in step) || step.wait < 5_000))
      .map(([name]) => name),
  )(
    'plays to its end: %s',
    async (name) => {
      expect((await admin.post(`/simulator/scenarios/${name}`)).statusCode).toBe(200);
      const run = await until(
        async () => dataOf<SimulatorState>(await admin.get('/simulator')).run,
        (seen) => seen?.state !== 'running',
        40_000,
        200,
      );
      expect(run).toMatchObject({ name, state: 'done', done: run?.total });
    },
    60_000,
  );

  it('has only parts that somebody of the demo can play', async () => {
    const all = dataOf<SimulatorState>(await admin.get('/simulator')).devices;
    for (const [name, { cast }] of Object.entries(scenarios))
      for (const role of Object.values(cast))
        expect(
          all.filter((device) => role.types.includes(device.type) && (!role.named || device.name.toLowerCase().includes(role.named))),
          name,
        ).not.toEqual([]);
    expect(all.filter(hasDoor).length).toBeGreaterThan(20);
  });

  it('leaves the trail of what it did in the log of events', async () => {
    const [latest] = await db().select().from(deviceEvents).orderBy(desc(deviceEvents.createdAt)).limit(1);
    expect(Date.now() - (latest?.createdAt.getTime() ?? 0)).toBeLessThan(120_000);
  });
});

describe('a device that was told to speak otherwise', () => {
  it('does as it was told, though nobody has read its answer and the books still have the old way', async () => {
    const [device] = await until(
      () =>
        db()
          .select()
          .from(devices)
          .where(and(eq(devices.protocol, 'http'), eq(devices.online, true))),
      (all) => all.length > 0,
    );
    if (!device?.ipAddress || !device.devicePasswordCipher) throw new Error('no device is spoken to by HTTP');
    const { ipAddress: ip, port, deviceLogin: login, devicePasswordCipher: cipher } = device;
    const order = { id: crypto.randomUUID(), kind: 'set_protocol', body: { protocol: 'mqtt' } } as const;
    const asked = askByHttp({ demo: true }, { ip, port, login, password: unseal(server.services, cipher) }, order);
    await untilPassed(
      { server },
      () => infoByHttp({ ip, port }),
      (info) => info === null,
    );
    expect(await asked).toMatchObject({ ok: true });
    // One that came back by the old way would do so at once.
    await pause(300);
    expect(await infoByHttp({ ip, port })).toBeNull();
    expect((await named(device.name)).protocol).toBe('http');
  });
});

describe('the end of a server', () => {
  it('leaves those that are plugged in as there, though nobody had heard of them again, and those that were unplugged away, and says nothing of one without a way to it', async () => {
    await simulator.act((await named('River gate')).id, { act: 'go_offline' });
    await gateway.close();
    await db().update(devices).set({ online: false });
    const { id } = await named('Pool');
    await db().update(devices).set({ protocol: 'none', online: null }).where(eq(devices.id, id));
    await simulator.close();
    const standing = await Promise.all(['Gym', 'River gate', 'Pool'].map(named));
    expect(standing.map(({ online }) => online)).toEqual([true, false, null]);
  });
});
