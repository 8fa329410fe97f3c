import { setTimeout as pause } from 'node:timers/promises';
import { and, count, eq, gt, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { topics } from '#models/realtime.ts';
import { licenceFileKinds, scenarioNames, type SimulatorState } from '#models/simulator.ts';
import { auditEvents, deviceAlarms, deviceEvents, devices } from '#server/db/schema/index.ts';
import { demoPort } from '#server/devices/addresses.ts';
import { type Gateway, openGateway } from '#server/devices/gateway.ts';
import { Life, pauseBefore } from '#server/devices/simulator/life.ts';
import { type Scenario, scenarios, type Staged } from '#server/devices/simulator/scenarios.ts';
import { Simulator } from '#server/devices/simulator/simulator.ts';
import { publish } from '#server/realtime/publish.ts';
import { HandshakeRefused, openChannel } from './channel.ts';
import { until } from './devices-support.ts';
import { codeOf, dataOf } from './estate.ts';
import { freePort } from './process.ts';
import { type Client, openTestServer, password, type TestServer } from './support.ts';
import { upload } from './vendor.ts';
import { seededRandom } from '#server/random.ts';

let server: TestServer;
let gateway: Gateway;
let simulator: Simulator;
let admin: Client;
let manager: Client;
let resident: Client;
let url: string;

beforeAll(async () => {
  server = await openTestServer({
    demo: true,
    now: new Date(),
    config: { port: await freePort() },
    seed: async (services) => {
      services.now = () => new Date();
      simulator = new Simulator(services);
      services.simulator = simulator;
    },
  });
  url = await server.app.listen({ host: '127.0.0.1', port: 0 });
  gateway = await openGateway(server.services, { host: '127.0.0.1', port: 0 });
  await simulator.open(`mqtt://127.0.0.1:${gateway.port}`);
  [admin, manager, resident] = await Promise.all([server.signIn('admin'), server.signIn('manager'), server.signIn('resident')]);
  await until(stateOf(admin), ({ devices: all }) => all.filter(({ online }) => online).length > 45, 30_000);
});
afterAll(async () => {
  await simulator.close();
  await gateway.close();
  await server.close();
});

const stateOf = (client: Client) => async (): Promise<SimulatorState> => dataOf<SimulatorState>(await client.get('/simulator'));
const deviceNamed = async (name: string) => {
  const device = (await stateOf(admin)()).devices.find((one) => one.name === name);
  if (!device) throw new Error(`there is no ${name}`);
  return device;
};
const riverside = async (): Promise<string> => {
  const [row] = await server.services.db.select({ id: devices.projectId }).from(devices).where(eq(devices.name, 'Tower A lobby'));
  return row?.id ?? '';
};

describe('who may stage', () => {
  it('is nobody without a right to see devices; the refusal is on record', async () => {
    const lobby = await deviceNamed('Tower B lobby');
    const since = new Date();
    for (const answer of [
      await resident.get('/simulator'),
      await resident.post(`/simulator/devices/${lobby.id}`, { act: 'sos' }),
      await resident.post('/simulator/channel', { state: 'cut' }),
      await resident.post('/simulator/scenarios/sos'),
    ])
      expect([answer.statusCode, codeOf(answer)]).toEqual([403, 'forbidden']);
    const stored = await server.services.db
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.action, 'refused'), gt(auditEvents.createdAt, since)));
    expect(stored).toHaveLength(4);
    expect(simulator.channelOf(lobby.id)).toBe('whole');
  });

  it('is somebody at the devices in their sight, and there only', async () => {
    const mine = (await stateOf(manager)()).devices;
    const all = (await stateOf(admin)()).devices;
    expect(mine.length).toBeGreaterThan(5);
    expect(mine.length).toBeLessThan(all.length);
    const outside = all.find(({ id }) => mine.every((one) => one.id !== id));
    expect(codeOf(await manager.post(`/simulator/devices/${outside?.id}`, { act: 'sos' }))).toBe('not_found');
    expect(codeOf(await manager.get(`/simulator/devices/${outside?.id}/carried`))).toBe('not_found');
    // The first fitting device of the project is in Tower A; the manager's part is played in Tower B.
    await manager.post('/simulator/scenarios/card-refused');
    const run = await until(stateOf(manager), (state) => state.run?.state === 'done');
    expect(run.run?.lines[0]?.device?.name).toBe('Tower B lobby');
    await admin.post('/simulator/scenarios/card-refused');
    await until(stateOf(admin), (state) => state.run?.state === 'done');
    expect((await stateOf(manager)()).run?.lines[0]).toMatchObject({ step: 'carried_bad', device: null });
  });

  it('ends no licence without the right to manage them', async () => {
    for (const path of ['/simulator/licence', '/simulator/scenarios/licence-ends'] as const)
      expect(codeOf(await manager.post(path, path.endsWith('licence') ? { act: 'expire' } : undefined))).toBe('forbidden');
    expect((await admin.post('/simulator/licence', { act: 'restore' })).statusCode).toBe(200);
  });
});

describe('the vendor', () => {
  const cloud = async () => codeOf(await admin.post('/licenses/cloud'));

  it('answers out of its cloud as it was told to, and says how', async () => {
    expect((await stateOf(admin)()).cloud).toBe('ok');
    const staged = dataOf<SimulatorState>(await admin.post('/simulator/cloud', { mode: 'instance_registered' }));
    expect([staged.cloud, await cloud()]).toEqual(['instance_registered', 'licence_instance_registered']);
    await admin.post('/simulator/cloud', { mode: 'ok' });
    expect((await admin.post('/licenses/cloud')).statusCode).toBe(200);
  });

  it('hands out files to add: a good one, and each that is refused', async () => {
    const said: Record<string, unknown> = {};
    for (const kind of licenceFileKinds) {
      const answer = await upload(admin, dataOf<string>(await admin.post('/simulator/licence-file', { kind })));
      said[kind] = answer.statusCode === 200 ? 'added' : codeOf(answer);
    }
    expect(said).toEqual({
      ok: 'added',
      bad_signature: 'licence_bad_signature',
      expired: 'licence_expired',
      wrong_project: 'licence_not_applicable',
    });
  });

  it('listens only to those who manage licences', async () => {
    expect(codeOf(await manager.post('/simulator/cloud', { mode: 'silent' }))).toBe('forbidden');
    expect(codeOf(await manager.post('/simulator/licence-file', { kind: 'ok' }))).toBe('forbidden');
  });
});

describe('what was done last', () => {
  it('stands with the device, and why it said no', async () => {
    const lobby = await deviceNamed('Tower A lobby');
    const act = async (body: object) =>
      dataOf<SimulatorState>(await admin.post(`/simulator/devices/${lobby.id}`, body)).devices.find(({ id }) => id === lobby.id);
    expect((await act({ act: 'present', type: 'card', value: '4711' }))?.last).toMatchObject({
      act: 'present',
      identifier_type: 'card',
      reason: 'unknown_identifier',
    });
    const held = await act({ act: 'hold_door' });
    expect([held?.door_open, held?.last?.act]).toEqual([true, 'hold_door']);
    expect((await act({ act: 'close_door' }))?.door_open).toBe(false);
    expect((await act({ act: 'go_offline' }))?.online).toBe(false);
    expect(codeOf(await admin.post(`/simulator/devices/${lobby.id}`, { act: 'sos' }))).toBe('device_offline');
    expect((await act({ act: 'go_online' }))?.online).toBe(true);
    expect((await deviceNamed('Tower A lobby')).last?.act).toBe('go_online');
  });
});

describe('a scenario', () => {
  it('that is stopped puts right what it staged', async () => {
    await admin.post('/simulator/scenarios/smoke-alarm');
    const running = await until(stateOf(admin), ({ run }) => run?.done === 1);
    expect(running.devices.filter(({ tripped }) => tripped.includes('smoke'))).toHaveLength(1);
    await admin.delete('/simulator/scenarios');
    const stopped = await until(stateOf(admin), ({ run }) => run?.state === 'stopped');
    expect(stopped.run?.lines.map(({ step }) => step)).toEqual(['trip', 'clear']);
    expect(stopped.devices.flatMap(({ tripped }) => tripped)).toEqual([]);
    const [alarm] = await until(
      () =>
        server.services.db
          .select()
          .from(deviceAlarms)
          .where(and(eq(deviceAlarms.sensor, 'smoke'), eq(deviceAlarms.state, 'disabled'))),
      (rows) => rows.length > 0,
    );
    expect(alarm?.deviceName).toBe('A floor 1 corridor');
  });

  it('gives way to the next', async () => {
    await admin.post('/simulator/scenarios/door-forced');
    await until(stateOf(admin), ({ run }) => run?.done === 2);
    await admin.post('/simulator/scenarios/sos');
    const after = await until(stateOf(admin), ({ run }) => run?.name === 'sos' && run.state === 'done');
    await until(stateOf(admin), ({ devices: all }) => all.every(({ tripped }) => tripped.length === 0));
    expect(after.run?.total).toBe(1);
  });

  it('leaves nothing out of order: whatever breaks something has its repair', () => {
    const repairs = { go_offline: 'go_online', trip: 'clear', hold_door: 'close_door', force_door: 'close_door' } as const;
    const repairOf = (step: Scenario['steps'][number]): string[] => {
      if ('act' in step) return step.act.act in repairs ? [`${step.at} ${repairs[step.act.act as keyof typeof repairs]}`] : [];
      if ('channel' in step) return ['channel whole'];
      return 'licence' in step ? ['licence restore'] : [];
    };
    const saidOf = (step: Staged): string => ('act' in step ? `${step.at} ${step.act.act}` : Object.entries(step).flat().join(' '));
    const unrepaired = scenarioNames.flatMap((name) => {
      const { steps, atLast } = scenarios[name];
      const last = new Set(atLast.map(saidOf));
      return steps.flatMap(repairOf).filter((repair) => !last.has(repair));
    });
    expect(unrepaired).toEqual([]);
  });
});

describe('the realtime channel', () => {
  const stage = (state: string) => admin.post('/simulator/channel', { state });

  it('that is cut ends every connection of the project and takes no other until it is whole', async () => {
    const grants = dataOf<{ sessions: { token: string; project: { uid: string } }[] }>(
      await server.as(null).post('/login', { login: 'dealer', password }),
    );
    const [desk, elsewhere] = await Promise.all([
      openChannel(url, admin.token),
      openChannel(url, grants.sessions.find(({ project }) => project.uid === 'harbour')?.token ?? null),
    ]);
    await desk.subscribe(topics.area('markers'));
    await stage('cut');
    expect(await desk.closed).toBe(1013);
    await expect(openChannel(url, admin.token)).rejects.toMatchObject(new HandshakeRefused(503));
    expect(await elsewhere.subscribe(topics.area('markers'))).toBe('Subscribed');
    elsewhere.ws.close();
    await stage('whole');
    const again = await openChannel(url, admin.token);
    expect(await again.subscribe(topics.area('markers'))).toBe('Subscribed');
    again.ws.close();
  });

  it('that is delayed is three seconds late, in order, also for what follows when it is whole again', async () => {
    const desk = await openChannel(url, admin.token);
    await desk.subscribe(topics.area('markers'));
    const project = await riverside();
    const publishChange = (id: string) => publish(server.services.db, project, topics.area('markers'), 'RowsChanged', { area: 'markers', ids: [id] });
    await stage('delayed');
    const begun = performance.now();
    await publishChange('00000000-0000-4000-8000-000000000001');
    // The first has to be on its way, and delayed, when the second is told.
    await pause(400);
    await stage('whole');
    await publishChange('00000000-0000-4000-8000-000000000002');
    const heard = async () => desk.all('RowsChanged').flatMap(({ payload }) => payload.ids.map((id) => id.at(-1)));
    expect(await until(heard, ({ length }) => length === 2)).toEqual(['1', '2']);
    expect(performance.now() - begun).toBeGreaterThan(2_900);
    desk.ws.close();
  });
});

describe('life', () => {
  it('is busier when people come home than at night, and never faster than every 20 s', () => {
    const mean = (hour: number) => (pauseBefore(hour, 0) + pauseBefore(hour, 1)) / 2;
    expect(mean(18)).toBeLessThan(mean(14));
    expect(mean(14)).toBeLessThan(mean(3));
    for (let hour = 0; hour < 24; hour += 1)
      for (const chance of [0, 0.5, 0.999]) {
        expect(pauseBefore(hour, chance)).toBeGreaterThanOrEqual(20_000);
        expect(pauseBefore(hour, chance)).toBeLessThanOrEqual(60_000);
      }
  });

  it('brings somebody to a door', async () => {
    const passes = async (): Promise<number> => {
      const [row] = await server.services.db
        .select({ many: count() })
        .from(deviceEvents)
        .where(inArray(deviceEvents.type, ['access_granted', 'access_denied', 'exit_button']));
      return row?.many ?? 0;
    };
    const before = await passes();
    const life = new Life({ ...server.services, random: seededRandom(7) }, simulator);
    let passed = 0;
    for (let turn = 0; turn < 12; turn += 1) if (await life.passOnce()) passed += 1;
    expect(passed).toBeGreaterThan(0);
    expect(await until(passes, (many) => many === before + passed)).toBe(before + passed);
  });
});

describe('devices on this machine', () => {
  it('live on a port that goes with the server’s own, and go along when it changes', async () => {
    const { seedDemo } = await import('#server/db/demo/seed.ts');
    const ports = async () => {
      const rows = await server.services.db.select({ port: devices.port }).from(devices).where(eq(devices.protocol, 'http'));
      return [...new Set(rows.map(({ port }) => port))];
    };
    expect(await ports()).toEqual([server.services.config.port + 10]);
    expect([demoPort({ port: 8_080 }), demoPort({ port: 65_530 })]).toEqual([8_090, 65_520]);
    await seedDemo({ ...server.services, config: { ...server.services.config, port: 9_000 } });
    expect(await ports()).toEqual([9_010]);
  });
});
