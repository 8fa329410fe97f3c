import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ElevatorEvent } from '#models/elevator-events.ts';
import { defaultDeviceSettings } from '#models/device-settings.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { auditEvents, identifiers, users } from '#server/db/schema/index.ts';
import { MqttFace } from '#server/devices/simulator/mqtt-face.ts';
import { SimulatedDevice } from '#server/devices/simulator/device.ts';
import {
  type Answer,
  connectPanel,
  devicePassword,
  type DeviceServer,
  type SavedDevice,
  openDeviceServer,
  until,
  untilPassed,
} from './devices-support.ts';
import { codeOf, dataOf, makePerson, type Person } from './estate.ts';

let side: DeviceServer;
let boss: Person;
let anna: Person;
let controller: SavedDevice;
let elevator: string;
let made = 0;

beforeAll(async () => {
  side = await openDeviceServer();
  boss = await makePerson(side.server, side.estate, { permissions: permissionCodes, in: [side.estate.groups.town], name: 'Boss' });
});
afterAll(() => side.close());

const floorMap = [1, 2, 3].map((number) => ({
  relay: number,
  floor: number - 1,
  logic_address: String(number - 1),
  is_public: number === 1,
  is_panel_floor: false,
  apartments: null,
}));
const { password: _none, ...sip } = defaultDeviceSettings.sip;
const settings = {
  ...defaultDeviceSettings,
  sip,
  lift_controller: {
    ...defaultDeviceSettings.lift_controller,
    enabled: true,
    settings: { ...defaultDeviceSettings.lift_controller.settings, lift_release_time: 60, floor_map: floorMap },
  },
};
const sent = async <T>(answer: Promise<{ statusCode: number; body: string; json: () => unknown }>): Promise<T> => {
  const got = await answer;
  if (got.statusCode >= 300) throw new Error(got.body);
  return dataOf<T>(got);
};

beforeEach(async () => {
  made += 1;
  const { groups } = side.estate;
  controller = await side.add({ domainId: groups.north, type: 'lift_controller', model: 'LC-16', settings });
  anna = await makePerson(side.server, side.estate, { in: [groups.n1], name: 'Anna' });
  elevator = await sent<string>(
    boss.client.put('/elevators', {
      name: `Car ${made}`,
      domain_id: groups.north,
      controllers: [{ device: controller.id, mode: 'access' }],
      floors: floorMap.map(({ relay, logic_address }) => ({ number: relay, name: logic_address, group: relay === 2 ? groups.n1 : null })),
    }),
  );
});

const url = () => `mqtt://127.0.0.1:${side.port}`;
const call = (body: Record<string, unknown>, who = boss) => who.client.post(`/elevators/${elevator}/call`, { direction: 'up', ...body });
const isOnline = () =>
  untilPassed(
    side,
    () => side.device(controller.id),
    ({ online }) => online === true,
  );
/** Connects the controller with a device that answers so. */
async function connected(answer: Answer = () => ({ ok: true })) {
  const panel = await connectPanel(url(), controller.login, { answer });
  await panel.say({ type: 'online', firmware: null });
  await isOnline();
  return panel;
}
const issueIn = (answer: { json: () => unknown }) => (answer.json() as { data?: { issues?: { rule: string }[] } }).data?.issues?.[0]?.rule;
const logged = async (): Promise<ElevatorEvent[]> => {
  const filters = encodeURIComponent(JSON.stringify({ match: 'match_all', items: [{ field: 'elevator', rule: 'equals', value: [elevator] }] }));
  return dataOf<ElevatorEvent[]>(await boss.client.get(`/elevator-events?sort=occurred_at&filters=${filters}`));
};

describe('calling an elevator (ELEV-02)', () => {
  it('goes out to the controller, is told back by it, and stands in the trail', async () => {
    const panel = await connected();
    const answer = await call({ floor: 3, direction: 'down' });
    expect(dataOf(answer)).toEqual({ outcome: 'confirmed', floor: '2', direction: 'down' });
    expect(panel.asked.find(({ kind }) => kind === 'call_elevator')?.body).toEqual({ floor: 3, direction: 'down', apartment: null });
    const [entry] = await side.server.services.db.select().from(auditEvents).where(eq(auditEvents.action, 'call_elevator')).limit(1);
    expect(entry).toMatchObject({ area: 'elevators', userId: boss.id });
    await panel.leave();
  });

  it('finds the floor of an apartment by the groups that lie there', async () => {
    const panel = await connected();
    const [flat] = dataOf<{ id: string; name: string }[]>(await boss.client.get('/groups?size=500')).filter(({ id }) => id === side.estate.groups.n1);
    const answer = await call({ apartment: flat?.name });
    expect([answer.statusCode, panel.asked.at(-1)?.body['floor']]).toEqual([200, 2]);
    expect(issueIn(await call({ apartment: 'nowhere' }))).toBe('elevator_apartment_unknown');
    await panel.leave();
  });

  it('is refused with its reason: offline, an unknown floor, no floor at all, somebody who may use none, out of sight', async () => {
    expect(codeOf(await call({ floor: 1 }))).toBe('device_offline');
    const panel = await connected();
    expect([issueIn(await call({ floor: 9 })), issueIn(await call({}))]).toEqual(['elevator_floor_unknown', 'required']);
    const southern = await makePerson(side.server, side.estate, { permissions: ['can_view_elevators'], in: [side.estate.groups.south] });
    expect((await call({ floor: 1 }, southern)).statusCode).toBe(404);
    await side.server.services.db.update(users).set({ elevatorAccessDisabled: true }).where(eq(users.id, boss.id));
    const barred = await call({ floor: 1 });
    await side.server.services.db.update(users).set({ elevatorAccessDisabled: false }).where(eq(users.id, boss.id));
    expect([barred.statusCode, issueIn(barred)]).toEqual([403, 'elevator_access_disabled']);
    expect(panel.asked.filter(({ kind }) => kind === 'call_elevator')).toEqual([]);
    await panel.leave();
  });

  it('says why when the controller refuses', async () => {
    const panel = await connected(({ kind }) => (kind === 'call_elevator' ? { ok: false, error: 'motor is blocked' } : { ok: true }));
    const answer = await call({ floor: 1 });
    expect([codeOf(answer), answer.body.includes('motor is blocked')]).toEqual(['device_unavailable', true]);
    await panel.leave();
  });

  it('goes to the controller of the direction, where there is one', async () => {
    const up = await side.add({ domainId: side.estate.groups.north, type: 'lift_controller', model: 'LC-16', settings });
    const controllers = [
      { device: controller.id, mode: 'access' },
      { device: up.id, mode: 'up' },
    ];
    await sent(boss.client.patch(`/elevators/${elevator}`, { controllers }));
    const [one, other] = [await connected(), await connectPanel(url(), up.login)];
    await other.say({ type: 'online', firmware: null });
    await until(
      () => side.device(up.id),
      ({ online }) => online === true,
    );
    await call({ floor: 2, direction: 'up' });
    await call({ floor: 2, direction: 'down' });
    const directions = (panel: typeof one) => panel.asked.filter(({ kind }) => kind === 'call_elevator').map(({ body }) => body['direction']);
    expect([directions(other), directions(one)]).toEqual([['up'], ['down']]);
    await Promise.all([one.leave(), other.leave()]);
  });
});

describe('the simulated elevator', () => {
  it('frees the floors of a card for its owner, drives where one is called, and the log tells all of it', async () => {
    const [card] = await side.server.services.db
      .insert(identifiers)
      .values({ projectId: side.estate.here, userId: anna.id, name: 'Card', type: 'card', value: `BEEF${made}` })
      .returning();
    await sent(boss.client.put('/elevator-access-rules', { name: `Floor two ${made}`, users: [anna.id], elevators: [{ elevator, floors: [2] }] }));
    const plan = {
      id: controller.id,
      name: 'Car',
      settings,
      copy: null,
      pictures: [],
      serial: controller.login,
      type: 'lift_controller',
      model: 'LC-16',
    } as const;
    const { timers } = side.server.services;
    const device: SimulatedDevice = new SimulatedDevice(plan, devicePassword, { say: (said) => face.say(said), random: Math.random, timers });
    const face: MqttFace = new MqttFace(() => device, url());
    face.goOnline();
    await isOnline();
    await until(
      () => device.identifiers,
      (count) => count === 1,
    );
    expect(await device.present('card', 'FFFF')).toBe('unknown_identifier');
    // The log is ordered by milliseconds: what follows at once may stand on either side.
    const refusedAt = Date.now();
    await until(
      () => Date.now(),
      (now) => now > refusedAt,
    );
    expect(await device.present('card', card?.value ?? '')).toBeNull();
    const free = () => device.elevator?.floors.filter(({ is_free }) => is_free).map(({ number }) => number);
    expect(free()).toEqual([2]);
    device.chooseFloor(3);
    expect(device.elevator?.state).toBe('standing');
    device.chooseFloor(2);
    await untilPassed(
      side,
      () => device.elevator,
      (shown) => shown?.at === 2 && shown.state === 'open',
    );
    expect((await call({ floor: 1, apartment: '12', direction: 'up' })).statusCode).toBe(200);
    await untilPassed(
      side,
      () => device.elevator,
      (shown) => shown?.at === 1 && shown.state === 'open',
    );
    const events = await until(logged, (rows) => rows.length === 5);
    const listed = events.map(({ type, floor, direction, apartment, user, reason, rule }) => [
      type,
      floor,
      direction,
      apartment,
      user?.name ?? null,
      reason,
      rule,
    ]);
    expect(listed).toEqual([
      ['access_denied', null, null, null, null, 'unknown_identifier', null],
      ['access_granted', '1', null, null, 'Anna', null, `Floor two ${made}`],
      ['elevator_arrived', '1', null, null, null, null, null],
      ['elevator_called', '0', 'up', '12', 'Boss', null, null],
      ['elevator_arrived', '0', null, null, null, null, null],
    ]);
    // In the log of devices, too, the rule is named only to who may view rules of elevators.
    const reader = await makePerson(side.server, side.estate, {
      permissions: ['can_view_device_events', 'can_view_all_devices', 'can_view_access_rules'],
      in: [side.estate.groups.town],
    });
    const bodies = await Promise.all([boss, reader].map(async ({ client }) => (await client.get('/device-events?size=100')).body));
    expect(bodies.map((body) => body.includes(`Floor two ${made}`))).toEqual([true, false]);
    await face.close();
    device.close();
  });
});

describe('the log of elevators', () => {
  it('is for who sees the elevator, and is downloaded with filters and order as a file (ELEV-06)', async () => {
    const panel = await connected();
    for (const [event, floor] of [
      ['elevator_called', 1],
      ['elevator_arrived', 1],
      ['elevator_arrived', 3],
    ] as const)
      await panel.say({ type: 'event', event, at: new Date(side.server.services.now().getTime() + made).toISOString(), data: { floor } });
    await until(logged, (rows) => rows.length === 3);
    const southern = await makePerson(side.server, side.estate, { permissions: ['can_view_elevators'], in: [side.estate.groups.south] });
    expect(dataOf(await southern.client.get('/elevator-events'))).toEqual([]);
    const items = [
      { field: 'elevator', rule: 'equals', value: [elevator] },
      { field: 'type', rule: 'equals', value: ['elevator_arrived'] },
      { field: 'floor', rule: 'equals', value: '2' },
    ];
    const job = await sent<{ id: string }>(
      boss.client.post('/elevator-events/export', {
        export_format: 'csv',
        filters: { match: 'match_all', items },
        sort: ['-occurred_at'],
        columns: ['type', 'floor'],
      }),
    );
    await until(
      async () => dataOf<{ state: string }>(await boss.client.get(`/jobs/${job.id}`)),
      ({ state }) => state === 'completed',
    );
    const file = await boss.client.get(`/jobs/${job.id}/file`);
    expect(String(file.headers['content-disposition'])).toMatch(/\.csv/);
    expect(file.body.replace('\ufeff', '').trim().split(/\r?\n/)).toEqual(['type,floor', 'elevator_arrived,2']);
    await panel.leave();
  });
});
