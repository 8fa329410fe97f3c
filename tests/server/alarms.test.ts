import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultRoles } from '#models/default-roles.ts';
import type { DeviceAlarm } from '#models/device-alarms.ts';
import type { UnreadNotifications } from '#models/notifications.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import { auditEvents, deviceAlarms, devices, notifications } from '#server/db/schema/index.ts';
import { clearAlarm, raiseAlarm, recordSos } from '#server/modules/device-alarms/alarms.ts';
import { buildEstate, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let near: string;
let far: string;
const at = new Date('2026-03-02T08:59:00Z');
const desk: readonly PermissionCode[] = ['can_view_descendant_devices', 'can_view_device_alarms', 'can_process_device_alarms'];

async function makeDevice(name: string, domainId: string): Promise<string> {
  const [device] = await server.services.db
    .insert(devices)
    .values({
      projectId: estate.here,
      domainId,
      name,
      type: 'panel',
      model: 'DP-110',
      login: randomUUID(),
      management: { heartbeat: true, realtime_logging: true },
      settings: {},
      token: randomUUID(),
    })
    .returning({ id: devices.id });
  if (!device) throw new Error('no device');
  return device.id;
}
const person = (more: readonly PermissionCode[] = [], groups: readonly string[] = [estate.groups.town]): Promise<Person> =>
  makePerson(server, estate, { permissions: [...desk, ...more], in: groups });
const open = async ({ client }: Person): Promise<DeviceAlarm[]> => {
  const filters = JSON.stringify({ match: 'match_all', items: [{ field: 'state', rule: 'not_equals', value: 'processed' }] });
  return (await client.get(`/device-alarms?filters=${encodeURIComponent(filters)}`)).json<{ data: DeviceAlarm[] }>().data;
};
const raised = async (sensor: DeviceAlarm['sensor'] = 'smoke', deviceId = near): Promise<string> => {
  await raiseAlarm(server.services, { deviceId, sensor, at });
  const [alarm] = await server.services.db.select({ id: deviceAlarms.id }).from(deviceAlarms).where(eq(deviceAlarms.deviceId, deviceId));
  if (!alarm) throw new Error('no alarm');
  return alarm.id;
};
const notifiedTo = async ({ id }: Person) =>
  (await server.services.db.select().from(notifications).where(eq(notifications.userId, id))).map(({ type }) => type).toSorted();

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.services.db.delete(devices);
  await server.services.db.delete(deviceAlarms);
  near = await makeDevice('Panel North', estate.groups.north);
  far = await makeDevice('Panel South', estate.groups.south);
});

describe('a sensor', () => {
  it('that trips raises one alarm, and tripping again before it was processed raises none', async () => {
    const guard = await person();
    await raised();
    await raiseAlarm(server.services, { deviceId: near, sensor: 'smoke', at });
    const alarms = await open(guard);
    expect(alarms).toHaveLength(1);
    expect(alarms[0]).toMatchObject({
      sensor: 'smoke',
      state: 'enabled',
      device_name: 'Panel North',
      device: { id: near, name: 'Panel North' },
      path: ['town', 'north'],
      enabled_at: at.toISOString(),
      claimed_by: null,
    });
    expect(await notifiedTo(guard)).toEqual(['alarm_enabled']);
  });

  it('that clears leaves the alarm open; one that flutters is told of once', async () => {
    const guard = await person();
    await raised();
    for (let round = 0; round < 3; round += 1) {
      await clearAlarm(server.services, { deviceId: near, sensor: 'smoke', at });
      await raiseAlarm(server.services, { deviceId: near, sensor: 'smoke', at });
    }
    await clearAlarm(server.services, { deviceId: near, sensor: 'smoke', at });
    expect((await open(guard)).map(({ state }) => state)).toEqual(['disabled']);
    expect(await notifiedTo(guard)).toEqual(['alarm_disabled', 'alarm_enabled']);
  });

  it('raises a new alarm once the last one was processed', async () => {
    const guard = await person();
    const id = await raised();
    await guard.client.post(`/device-alarms/${id}/process`, { comment: null });
    await raiseAlarm(server.services, { deviceId: near, sensor: 'smoke', at });
    expect((await open(guard)).map((alarm) => alarm.id === id)).toEqual([false]);
  });

  it('of a device that is gone raises nothing', async () => {
    await raiseAlarm(server.services, { deviceId: randomUUID(), sensor: 'gas', at });
    await clearAlarm(server.services, { deviceId: randomUUID(), sensor: 'gas', at });
    await recordSos(server.services, { deviceId: randomUUID(), at });
    expect(await server.services.db.select().from(deviceAlarms)).toEqual([]);
  });
});

describe('who may see an alarm', () => {
  it('is told and reads it; nobody else', async () => {
    const [all, town, north, south, blind] = await Promise.all([
      person(['can_view_all_devices'], []),
      person(),
      person([], [estate.groups.north]),
      person([], [estate.groups.south]),
      makePerson(server, estate, { permissions: ['can_view_all_devices'], in: [estate.groups.town] }),
    ]);
    await raised();
    expect(await Promise.all([all, town, north].map(notifiedTo))).toEqual([['alarm_enabled'], ['alarm_enabled'], ['alarm_enabled']]);
    expect(await Promise.all([south, blind].map(notifiedTo))).toEqual([[], []]);
    expect(await Promise.all([all, town, north, south].map(open))).toMatchObject([[{}], [{}], [{}], []]);
    expect((await blind.client.get('/device-alarms')).statusCode).toBe(403);
    expect((await north.client.get('/device-alarms')).json<{ data: DeviceAlarm[] }>().data[0]?.path).toEqual(['north']);
    const placeOf = async ({ client }: Person) =>
      (await client.get('/notifications/unread')).json<{ data: UnreadNotifications }>().data.important[0]?.data.group;
    expect(await Promise.all([town, north].map(placeOf))).toEqual(['town · north', 'north']);
  });

  it('without the right to process may neither claim nor process, and that is in the trail', async () => {
    const viewer = await makePerson(server, estate, { permissions: ['can_view_all_devices', 'can_view_device_alarms'], in: [estate.groups.town] });
    const id = await raised();
    expect((await viewer.client.post(`/device-alarms/${id}/claim`)).statusCode).toBe(403);
    expect((await viewer.client.post(`/device-alarms/${id}/process`, { comment: 'x' })).statusCode).toBe(403);
    const refused = await server.services.db.select().from(auditEvents).where(eq(auditEvents.userId, viewer.id));
    expect(refused.map(({ area, action }) => `${area} ${action}`)).toEqual(['device-alarms refused', 'device-alarms refused']);
  });

  it('finds an alarm out of sight not there', async () => {
    const south = await person([], [estate.groups.south]);
    const id = await raised();
    expect((await south.client.post(`/device-alarms/${id}/claim`)).statusCode).toBe(404);
    expect((await south.client.post(`/device-alarms/${randomUUID()}/claim`)).statusCode).toBe(404);
  });
});

describe('the default roles', () => {
  it.each(defaultRoles)('$key does with alarms what the catalogue says, wherever they are (P1)', async ({ permissions }) => {
    const principal = await makePerson(server, estate, { permissions, in: [estate.groups.north] });
    const below = await makeDevice('Panel n1', estate.groups.n1);
    const has = (...codes: PermissionCode[]): boolean => codes.every((code) => permissions.includes(code));
    const seesAll = has('can_view_all_devices');
    const places = [
      { deviceId: near, seen: seesAll || has('can_view_own_group_devices') || has('can_view_descendant_devices') },
      { deviceId: below, seen: seesAll || has('can_view_descendant_devices') },
      { deviceId: far, seen: seesAll },
    ];
    for (const { deviceId, seen } of places) {
      const id = await raised('gas', deviceId);
      const wanted = (...codes: PermissionCode[]): number => {
        if (!has(...codes)) return 403;
        return seen && has('can_view_device_alarms') ? 200 : 404;
      };
      expect((await principal.client.get(`/device-alarms/${id}`)).statusCode).toBe(wanted('can_view_device_alarms'));
      expect((await principal.client.post(`/device-alarms/${id}/claim`)).statusCode).toBe(wanted('can_process_device_alarms'));
      expect((await principal.client.post(`/device-alarms/${id}/process`, { comment: 'x' })).statusCode).toBe(wanted('can_process_device_alarms'));
      await server.services.db.update(deviceAlarms).set({ state: 'processed' }).where(eq(deviceAlarms.id, id));
      expect((await principal.client.delete(`/device-alarms/${id}`)).statusCode).toBe(wanted('can_delete_device_alarms'));
    }
    expect((await principal.client.get('/alarm-calls')).statusCode).toBe(has('can_view_device_alarms') ? 200 : 403);
  });
});

describe('claiming', () => {
  it('twenty at once: one wins, all others are told by name who', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => person()));
    const id = await raised();
    const answers = await Promise.all(people.map(({ client }) => client.post(`/device-alarms/${id}/claim`)));
    const won = answers.filter(({ statusCode }) => statusCode === 200);
    expect(won).toHaveLength(1);
    const { claimed_by, claimed_at } = won[0]?.json<{ data: DeviceAlarm }>().data ?? { claimed_by: null, claimed_at: null };
    expect(claimed_by?.id).toBe(people[answers.findIndex(({ statusCode }) => statusCode === 200)]?.id);
    expect(claimed_at).not.toBeNull();
    const losers = answers.filter(({ statusCode }) => statusCode !== 200);
    for (const answer of losers) {
      expect(answer.statusCode).toBe(409);
      expect(answer.json()).toMatchObject({
        message: `alarm already claimed by ${claimed_by?.name}`,
        error: { code: 'alarm_claimed' },
        data: { name: claimed_by?.name },
      });
    }
    const trail = await server.services.db.select().from(auditEvents).where(eq(auditEvents.entityId, id));
    expect(trail).toHaveLength(1);
    expect(trail[0]).toMatchObject({ area: 'device-alarms', action: 'update', userId: claimed_by?.id });
    expect(trail[0]?.changes['claimed_by']).toEqual({ before: null, after: claimed_by });
  });

  it('again by the same person changes nothing', async () => {
    const guard = await person();
    const id = await raised();
    await guard.client.post(`/device-alarms/${id}/claim`);
    const again = await guard.client.post(`/device-alarms/${id}/claim`);
    expect([again.statusCode, again.json<{ data: DeviceAlarm }>().data.version]).toEqual([200, 2]);
  });

  it('of a processed alarm is refused', async () => {
    const guard = await person();
    const id = await raised();
    await guard.client.post(`/device-alarms/${id}/process`, { comment: 'Nothing' });
    expect((await guard.client.post(`/device-alarms/${id}/claim`)).json()).toMatchObject({ message: 'alarm already processed' });
  });
});

describe('processing', () => {
  it('keeps who, when and what, takes on what nobody had, and tells the others', async () => {
    const [guard, other] = await Promise.all([person(), person()]);
    const id = await raised();
    const answer = await guard.client.post(`/device-alarms/${id}/process`, { comment: 'Toast' });
    expect(answer.json<{ data: DeviceAlarm }>().data).toMatchObject({
      alarm_id: id,
      state: 'processed',
      comment: 'Toast',
      processed_by: { id: guard.id },
      claimed_by: { id: guard.id },
    });
    expect(await notifiedTo(other)).toEqual(['alarm_enabled', 'alarm_processed']);
    const [notification] = await server.services.db
      .select()
      .from(notifications)
      .where(and(eq(notifications.userId, other.id), eq(notifications.type, 'alarm_processed')));
    expect(notification?.data).toMatchObject({ user: { id: guard.id }, lines: ['Toast'], alarm: { id, sensor: 'smoke' }, group: 'north' });
  });

  it('puts away what everybody was told of this alarm, and nothing else', async () => {
    const [guard, other] = await Promise.all([person(), person()]);
    const id = await raised();
    await clearAlarm(server.services, { deviceId: near, sensor: 'smoke', at });
    await raiseAlarm(server.services, { deviceId: far, sensor: 'gas', at });
    const important = async ({ client }: Person) => {
      const { data } = (await client.get('/notifications/unread')).json<{ data: UnreadNotifications }>();
      return [data.important_unread, ...data.important.map((notice) => notice.data.alarm?.sensor ?? '').toSorted((a, b) => a.localeCompare(b))];
    };
    expect(await Promise.all([guard, other].map(important))).toEqual([
      [3, 'gas', 'smoke', 'smoke'],
      [3, 'gas', 'smoke', 'smoke'],
    ]);
    await guard.client.post(`/device-alarms/${id}/process`, { comment: null });
    expect(await Promise.all([guard, other].map(important))).toEqual([
      [1, 'gas'],
      [1, 'gas'],
    ]);
  });

  it('may be done by a colleague of whoever claimed it', async () => {
    const [first, second] = await Promise.all([person(), person()]);
    const id = await raised();
    await first.client.post(`/device-alarms/${id}/claim`);
    const answer = await second.client.post(`/device-alarms/${id}/process`, { comment: null });
    expect(answer.json<{ data: DeviceAlarm }>().data).toMatchObject({ claimed_by: { id: first.id }, processed_by: { id: second.id } });
  });

  it('twice is an error, at the same moment too', async () => {
    const people = await Promise.all([person(), person(), person()]);
    const id = await raised();
    const answers = await Promise.all(people.map(({ client }, index) => client.post(`/device-alarms/${id}/process`, { comment: `by ${index}` })));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 409, 409]);
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({
      message: 'alarm already processed',
      error: { code: 'alarm_processed' },
    });
  });
});

describe('the comment', () => {
  it('is changed by its author alone, and the trail has both', async () => {
    const [author, other] = await Promise.all([person(), person()]);
    const id = await raised();
    const early = await author.client.patch(`/device-alarms/${id}`, { comment: 'Too early' });
    expect(early.json()).toMatchObject({ error: { code: 'editing_prohibited' } });
    await author.client.post(`/device-alarms/${id}/process`, { comment: 'Toast' });
    const foreign = await other.client.patch(`/device-alarms/${id}`, { comment: 'Mine' });
    expect([foreign.statusCode, foreign.json<{ error: { code: string } }>().error.code]).toEqual([403, 'editing_prohibited']);
    const own = await author.client.patch(`/device-alarms/${id}`, { comment: 'Burnt toast' });
    expect(own.json<{ data: DeviceAlarm }>().data.comment).toBe('Burnt toast');
    const trail = await server.services.db.select().from(auditEvents).where(eq(auditEvents.entityId, id));
    expect(trail.map(({ action, changes }) => [action, changes['comment']])).toEqual(
      expect.arrayContaining([
        ['update', { before: null, after: 'Toast' }],
        ['update', { before: 'Toast', after: 'Burnt toast' }],
      ]),
    );
  });

  it('is the only field that may be written', async () => {
    const guard = await person();
    const id = await raised();
    await guard.client.post(`/device-alarms/${id}/process`, { comment: null });
    for (const body of [{ state: 'enabled' }, { processed_by: guard.id }, { comment: 'x'.repeat(1_001) }])
      expect((await guard.client.patch(`/device-alarms/${id}`, body)).statusCode).toBe(422);
    expect((await guard.client.put('/device-alarms', { comment: 'x' })).statusCode).toBe(403);
  });
});

describe('deleting', () => {
  it('takes processed alarms only, and needs its own right', async () => {
    const [guard, cleaner] = await Promise.all([person(), person(['can_delete_device_alarms'])]);
    const id = await raised();
    expect((await cleaner.client.delete(`/device-alarms/${id}`)).json()).toMatchObject({ error: { code: 'deleting_prohibited' } });
    await guard.client.post(`/device-alarms/${id}/process`, { comment: null });
    expect((await guard.client.delete(`/device-alarms/${id}`)).statusCode).toBe(403);
    expect((await cleaner.client.delete(`/device-alarms/${id}`)).statusCode).toBe(200);
  });
});

describe('a device that is deleted', () => {
  it('leaves its alarms to those who view all', async () => {
    const [all, town] = await Promise.all([person(['can_view_all_devices'], []), person()]);
    const id = await raised();
    await town.client.post(`/device-alarms/${id}/process`, { comment: null });
    await server.services.db.delete(devices).where(eq(devices.id, near));
    expect((await all.client.get(`/device-alarms/${id}`)).json<{ data: DeviceAlarm }>().data).toMatchObject({
      device: null,
      device_name: 'Panel North',
    });
    expect((await town.client.get(`/device-alarms/${id}`)).statusCode).toBe(404);
  });
});

describe('SOS calls', () => {
  it('are kept and read by those who see the device', async () => {
    const [north, south] = await Promise.all([person([], [estate.groups.north]), person([], [estate.groups.south])]);
    await recordSos(server.services, { deviceId: far, at });
    expect((await south.client.get('/alarm-calls')).json()).toMatchObject({
      data: [{ device_name: 'Panel South', called_at: at.toISOString(), path: ['south'] }],
    });
    expect((await north.client.get('/alarm-calls')).json()).toMatchObject({ data: [] });
  });
});
