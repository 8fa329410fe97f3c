import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Attention, HomeFigures } from '#models/home.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import type { FilterItem } from '#models/query.ts';
import { deviceAlarms, deviceEvents, devices, deviceTasks } from '#server/db/schema/index.ts';
import { buildEstate, dataOf, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { type Client, openTestServer, type TestServer } from './support.ts';

/** 9:00 in UTC; the people of the estate live two hours ahead. */
const now = new Date('2026-03-02T09:00:00Z');
const [hour, day] = [3_600_000, 86_400_000];
const ago = (ms: number): Date => new Date(now.getTime() - ms);
let server: TestServer;
let estate: Estate;
let near: string;
let away: string;
const desk: readonly PermissionCode[] = [
  'can_view_descendant_devices',
  'can_view_device_alarms',
  'can_view_device_tasks',
  'can_view_device_events',
  'can_view_device_heartbeat',
];
const person = (group: keyof Estate['groups'], permissions = desk): Promise<Person> =>
  makePerson(server, estate, { permissions, in: [estate.groups[group]] });
const attentionOf = async (client: Client): Promise<Attention> => dataOf(await client.get('/attention'));
const figuresOf = async (client: Client): Promise<HomeFigures> => dataOf(await client.get('/figures'));

async function addDevice(name: string, domainId: string, online: boolean | null, more: object = {}): Promise<string> {
  const [row] = await server.services.db
    .insert(devices)
    .values({
      ...deviceRow({ projectId: estate.here, domainId, createdBy: null }),
      name,
      online,
      createdAt: ago(30 * day),
      statusAt: ago(hour),
      ...more,
    })
    .returning({ id: devices.id });
  if (!row) throw new Error('no device');
  return row.id;
}
const addEvents = (deviceId: string, events: readonly Partial<typeof deviceEvents.$inferInsert>[]) =>
  server.services.db
    .insert(deviceEvents)
    .values(
      events.map((event) => ({ projectId: estate.here, deviceId, deviceName: 'Door', type: 'access_granted' as const, occurredAt: now, ...event })),
    );
const addAlarm = (deviceId: string, domainId: string, more: object) =>
  server.services.db.insert(deviceAlarms).values({
    projectId: estate.here,
    domainId,
    deviceId,
    deviceName: 'Door',
    sensor: 'smoke',
    state: 'enabled',
    enabledAt: now,
    ...more,
  } as typeof deviceAlarms.$inferInsert);
const addTask = (deviceId: string, status: 'error' | 'completed') =>
  server.services.db.insert(deviceTasks).values({ projectId: estate.here, deviceId, kind: 'synchronise', status });

beforeAll(async () => {
  server = await openTestServer({ now });
  estate = await buildEstate(server.services);
  near = await addDevice('North', estate.groups.n1, true);
  away = await addDevice('South', estate.groups.s1, false);
  await addDevice('Never heard', estate.groups.n1, null);
  await addAlarm(near, estate.groups.n1, {});
  await addAlarm(near, estate.groups.n1, { sensor: 'door', state: 'disabled', claimedBy: randomUUID(), claimedByName: 'Anna' });
  await addAlarm(near, estate.groups.n1, { sensor: 'gas', state: 'processed' });
  await addAlarm(away, estate.groups.s1, {});
  await addTask(near, 'error');
  await addTask(near, 'completed');
  await addTask(away, 'error');
});
afterAll(() => server.close());

describe('what needs a person', () => {
  it('is counted as the lists behind it count it, each seeing their own', async () => {
    const total = async ({ client }: Person, path: string, item: FilterItem): Promise<number> =>
      (await client.get(`${path}?filters=${encodeURIComponent(JSON.stringify({ match: 'match_all', items: [item] }))}`)).json<{
        meta: { total: number };
      }>().meta.total;
    const seen = [];
    for (const group of ['town', 'north', 'south'] as const) {
      const one = await person(group);
      const { alarms, devices_offline: offline, tasks_failed: failed } = await attentionOf(one.client);
      expect(alarms?.open).toBe(await total(one, '/device-alarms', { field: 'state', rule: 'not_equals', value: 'processed' }));
      expect(offline).toBe(await total(one, '/devices', { field: 'status', rule: 'equals', value: 'offline' }));
      expect(failed).toBe(await total(one, '/device-tasks', { field: 'status', rule: 'equals', value: 'error' }));
      seen.push([alarms?.open, alarms?.unclaimed, offline, failed]);
    }
    expect(seen).toEqual([
      [3, 2, 1, 2],
      [2, 1, 0, 1],
      [1, 1, 1, 1],
    ]);
  });

  it('is nothing to those without the rights, and there is no simulator without the demo', async () => {
    const { client } = await person('town', ['can_view_descendant_devices']);
    expect(await attentionOf(client)).toEqual({ alarms: null, devices_offline: null, tasks_failed: null, has_simulator: false });
    expect(await figuresOf(client)).toMatchObject({ passes: null, refusals: null, availability: null });
    expect((await server.as(null).get('/attention')).statusCode).toBe(401);
  });
});

describe('the figures', () => {
  it('tell the passes of today by hours of the person’s day, beside the mean of the days before', async () => {
    const { client } = await person('north');
    await addEvents(near, [
      // 7:30 where the person is; 23:50 of yesterday there is the 23rd hour of another day.
      { occurredAt: new Date('2026-03-02T05:30:00Z') },
      { occurredAt: new Date('2026-03-02T05:59:59Z') },
      { occurredAt: new Date('2026-03-01T21:50:00Z') },
      { occurredAt: new Date('2026-03-01T05:10:00Z') },
      { occurredAt: new Date('2026-02-27T05:10:00Z') },
      { occurredAt: new Date('2026-01-01T05:10:00Z') },
      { occurredAt: new Date('2026-03-02T05:31:00Z'), type: 'access_denied', reason: 'revoked' },
    ]);
    await addEvents(away, [{ occurredAt: new Date('2026-03-02T05:30:00Z') }]);
    const { passes } = await figuresOf(client);
    expect(passes?.map(({ passes: many }) => many)).toEqual(Array.from({ length: 24 }, (_, at) => (at === 7 ? 2 : 0)));
    expect(passes?.[0]?.from).toBe('2026-03-01T22:00:00.000Z');
    // Three days have passed since the first of them that counts.
    expect([passes?.[7]?.usual, passes?.[23]?.usual, passes?.[8]?.usual]).toEqual([0.7, 0.3, 0]);
  });

  it('count the hours of a zone with summer time and half hours as its clocks do', async () => {
    const summer = await openTestServer({ now: new Date('2026-03-30T09:00:00Z') });
    try {
      const place = await buildEstate(summer.services);
      const { client } = await makePerson(summer, place, { permissions: desk, in: [place.groups.north] });
      const row = deviceRow({ projectId: place.here, domainId: place.groups.n1, createdBy: null });
      const [{ id } = { id: '' }] = await summer.services.db.insert(devices).values(row).returning({ id: devices.id });
      const passed = ['2026-03-30T05:15:00Z', '2026-03-29T05:15:00Z', '2026-03-28T06:15:00Z', '2026-03-27T06:15:00Z'];
      await summer.services.db.insert(deviceEvents).values(
        passed.map((at) => ({
          projectId: place.here,
          deviceId: id,
          deviceName: 'Door',
          type: 'access_granted' as const,
          occurredAt: new Date(at),
        })),
      );
      const hoursIn = async (time_zone_name: string) => {
        await client.patch('/profile', { profile: { time_zone_name } });
        return (await figuresOf(client)).passes ?? [];
      };
      const berlin = await hoursIn('Europe/Berlin');
      expect([berlin.length, berlin[0]?.from, berlin[7]]).toEqual([
        24,
        '2026-03-29T22:00:00.000Z',
        { from: '2026-03-30T05:00:00.000Z', passes: 1, usual: 1 },
      ]);
      summer.pass(31_000);
      const kolkata = await hoursIn('Asia/Kolkata');
      expect([kolkata[0]?.from, kolkata[10]]).toEqual(['2026-03-29T18:30:00.000Z', { from: '2026-03-30T04:30:00.000Z', passes: 1, usual: 0.3 }]);
    } finally {
      await summer.close();
    }
  });
  it('have an hour more or less on the day the clocks move', async () => {
    for (const [now, hours] of [
      ['2026-03-29T12:00:00Z', 23],
      ['2026-10-25T12:00:00Z', 25],
    ] as const) {
      const moved = await openTestServer({ now: new Date(now) });
      try {
        const place = await buildEstate(moved.services);
        const { client } = await makePerson(moved, place, { permissions: desk, in: [place.groups.north] });
        await client.patch('/profile', { profile: { time_zone_name: 'Europe/Berlin' } });
        expect((await figuresOf(client)).passes).toHaveLength(hours);
      } finally {
        await moved.close();
      }
    }
  });

  it('tell the refusals of a week by reason, most frequent first', async () => {
    const { client } = await person('south');
    const denied = { type: 'access_denied' as const, reason: 'no_rule' as const };
    await addEvents(away, [
      { ...denied, occurredAt: ago(hour) },
      { ...denied, occurredAt: ago(2 * day) },
      { ...denied, reason: 'expired', occurredAt: ago(day) },
      { ...denied, occurredAt: ago(8 * day) },
    ]);
    const { refusals } = await figuresOf(client);
    expect(refusals).toEqual({
      since: ago(7 * day).toISOString(),
      reasons: [
        { reason: 'no_rule', count: 2 },
        { reason: 'expired', count: 1 },
      ],
    });
  });

  it('tell which part of a week each device could be reached', async () => {
    const group = estate.groups.n2;
    const steady = await addDevice('Steady', group, true);
    const twice = await addDevice('Twice away', group, true);
    const began = await addDevice('Began away', group, true);
    const still = await addDevice('Still away', group, false, { statusAt: ago(84 * hour) });
    const young = await addDevice('Young', group, true, { createdAt: ago(2 * day) });
    const silent = await addDevice('Silent', group, false, { statusAt: ago(20 * day) });
    const word = (type: 'online' | 'offline', ms: number) => ({ type, occurredAt: ago(ms) });
    await addEvents(twice, [word('offline', 20 * hour), word('online', 10 * hour), word('offline', 8 * hour), word('online', 1.2 * hour)]);
    await addEvents(began, [word('offline', 10 * day), word('online', 6 * day)]);
    await addEvents(still, [word('offline', 80 * hour)]);
    await addEvents(young, [word('offline', day), word('online', 12 * hour)]);
    const { client } = await makePerson(server, estate, { permissions: desk, in: [group] });
    const { availability } = await figuresOf(client);
    expect(availability?.devices).toBe(6);
    const shares = Object.fromEntries(availability?.worst.map(({ device, share }) => [device.name, Math.round(share * 1_000) / 1_000]) ?? []);
    expect(shares).toEqual({ Silent: 0, 'Still away': 0.5, Young: 0.75, 'Began away': 0.857, 'Twice away': 0.9 });
    expect([steady, silent].every((id) => availability?.worst.some(({ device }) => device.id === id))).toBe(false);
    const whole = 5 * 168 + 48;
    expect(availability?.share).toBeCloseTo(1 - (168 + 84 + 12 + 24 + 16.8) / whole, 3);
  });

  it('are kept for half a minute for each person, and not when their rights changed', async () => {
    const { client } = await person('town');
    const many = async () => (await figuresOf(client)).refusals?.reasons.find(({ reason }) => reason === 'prohibited')?.count ?? 0;
    expect(await many()).toBe(0);
    await addEvents(near, [{ type: 'access_denied', reason: 'prohibited', occurredAt: ago(60_000) }]);
    expect(await many()).toBe(0);
    server.pass(31_000);
    expect(await many()).toBe(1);
  });
});
