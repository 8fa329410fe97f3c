import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DeviceTaskKind, DeviceTaskStatus } from '#models/device-tasks.ts';
import { auditEvents, deviceTasks, groupNotify, mails, notifications } from '#server/db/schema/index.ts';
import { type Gateway, openGateway } from '#server/devices/gateway.ts';
import { seal } from '#server/devices/secrets.ts';
import { queueTask } from '#server/devices/queue.ts';
import { retryTask, stopTask } from '#server/devices/tasks.ts';
import { channel } from '#server/realtime/publish.ts';
import { deviceTopics } from '#server/devices/protocol.ts';
import {
  type Answer,
  connectPanel,
  devicePassword,
  type DeviceServer,
  type SavedDevice,
  openDeviceServer,
  type Panel,
  until,
  untilPassed,
} from './devices-support.ts';
import { inTime, longestWait } from '#tests/support/in-time.ts';
import { codeOf, dataOf, makePerson, type Person } from './estate.ts';

let side: DeviceServer;
let url: string;
let boss: Person;
/** Every word about the tasks that the realtime channel was told. */
const published: string[] = [];
let stop: () => Promise<void>;

beforeAll(async () => {
  side = await openDeviceServer();
  url = `mqtt://127.0.0.1:${side.port}`;
  boss = await makePerson(side.server, side.estate, {
    permissions: [
      'can_view_all_devices',
      'can_edit_devices',
      'can_create_devices',
      'can_view_device_tasks',
      'can_view_device_events',
      'can_view_device_heartbeat',
    ],
    in: [side.estate.groups.town],
    name: 'The boss',
  });
  stop = await side.server.services.listen(
    channel,
    (line) => {
      const message = JSON.parse(line) as { topic?: string; payload?: { ids?: string[] } };
      if (message.topic === 'areas.device-tasks') published.push(...(message.payload?.ids ?? []));
    },
    () => undefined,
  );
});
afterAll(async () => {
  await stop();
  await side.close();
});

const ask = (device: SavedDevice, kind: DeviceTaskKind = 'restart', payload = {}): Promise<string> =>
  side.server.services.db.transaction((tx) => queueTask(tx, { projectId: device.projectId, deviceId: device.id, kind, payload, createdBy: boss.id }));
const statusesOf = async ({ id }: SavedDevice): Promise<DeviceTaskStatus[]> => (await side.tasks(id)).map(({ status }) => status);
const task = async (id: string) => {
  const [found] = await side.server.services.db.select().from(deviceTasks).where(eq(deviceTasks.id, id));
  if (!found) throw new Error('the task is gone');
  return found;
};
const becomes = (id: string, status: DeviceTaskStatus, timeout?: number) =>
  until(
    () => task(id),
    (seen) => seen.status === status,
    timeout,
  );
const online = (device: SavedDevice) =>
  untilPassed(
    side,
    () => side.device(device.id),
    (seen) => seen.online === true,
  );
/** How many requests were open at the same time, at most. */
class OpenCount {
  most = 0;
  #open = 0;
  change(by: 1 | -1): void {
    this.#open += by;
    this.most = Math.max(this.most, this.#open);
  }
}
/** Answers after a while, and keeps how many requests were open at the same time, at this device and at all. */
function slowly(ms: number, all = new OpenCount()): Answer & { most: number } {
  const own = new OpenCount();
  const answer = async () => {
    for (const count of [own, all]) count.change(1);
    await pause(ms);
    for (const count of [own, all]) count.change(-1);
    self.most = own.most;
    return { ok: true };
  };
  const self = Object.assign(answer, { most: 0 });
  return self;
}

describe('the queue', () => {
  it('gives a device one task at a time, in the order of asking, and different devices theirs side by side', async () => {
    const devices = await Promise.all(Array.from({ length: 4 }, () => side.add()));
    const all = new OpenCount();
    const answers = devices.map(() => slowly(60, all));
    const panels = await Promise.all(devices.map((device, at) => connectPanel(url, device.login, { answer: answers[at] ?? slowly(0) })));
    const ids = await Promise.all(
      devices.map(async (device) => {
        const asked: string[] = [];
        for (let at = 0; at < 5; at += 1) asked.push(await ask(device));
        return asked;
      }),
    );
    for (const device of devices)
      await until(
        () => statusesOf(device),
        (statuses) => statuses.every((status) => status === 'completed'),
      );
    expect(panels.map(({ executed }) => executed)).toEqual(ids);
    expect(answers.map(({ most }) => most)).toEqual([1, 1, 1, 1]);
    expect(all.most).toBeGreaterThan(1);
    await Promise.all(panels.map((panel) => panel.leave()));
  });

  it('keeps what a device that is away is asked for until it is back, and says at each step how it stands', async () => {
    const device = await side.add();
    const [first, second] = [await ask(device), await ask(device, 'apply_settings')];
    await becomes(first, 'waiting');
    await becomes(second, 'waiting');
    const panel = await connectPanel(url, device.login);
    await becomes(second, 'completed');
    expect(panel.executed).toEqual([first, second]);
    // Made, waiting, queued, started, done.
    for (const id of [first, second]) expect(published.filter((one) => one === id).length).toBeGreaterThanOrEqual(5);
    await panel.leave();
    await until(
      () => side.device(device.id),
      (seen) => seen.online === false,
    );
    await becomes(await ask(device), 'waiting');
  });

  it('takes what a device was told when its connection broke as unknown, tells it again, and it is done once', async () => {
    const device = await side.add();
    const silent = await connectPanel(url, device.login, { answer: () => null });
    const id = await ask(device);
    await until(
      () => silent.executed.length,
      (count) => count === 1,
    );
    silent.client.stream.destroy();
    await until(
      () => task(id),
      ({ status }) => status === 'queued' || status === 'waiting',
    );
    const panel = await connectPanel(url, device.login);
    await becomes(id, 'completed');
    expect(panel.executed).toEqual([id]);
    expect((await task(id)).attempts).toBe(2);
    await panel.leave();
  });

  it('tries three times with growing pauses what a device is too busy for, and then gives up', async () => {
    const device = await side.add();
    let asked = 0;
    const panel = await connectPanel(url, device.login);
    panel.client.removeAllListeners('message');
    panel.client.on('message', (_topic, payload) => {
      asked += 1;
      const { id } = JSON.parse(payload.toString()) as { id: string };
      panel.client.publish(`device/response/v0/${device.login}`, JSON.stringify({ id, ok: false, again: true, error: 'updating' }), { qos: 1 });
    });
    const id = await ask(device);
    for (const [tries, rest] of [
      [1, 2_000],
      [2, 8_000],
    ] as const) {
      await until(
        () => task(id),
        ({ status, attempts }) => status === 'queued' && attempts === tries,
      );
      side.server.pass(rest - 500);
      await pause(100);
      expect(asked).toBe(tries);
      side.server.pass(500);
    }
    expect(await becomes(id, 'error')).toMatchObject({ attempts: 3, error: 'updating' });
    expect(asked).toBe(3);
    await panel.leave();
  });

  it('gives up at once what a device cannot do, tells those named and the one who asked, and does it when it is tried again', async () => {
    const { db } = side.server.services;
    await db.insert(groupNotify).values({ groupId: side.estate.groups.town, userId: boss.id, deviceOffline: false, deviceTaskFailed: true });
    const device = await side.add({ name: 'Side door' });
    let fails = true;
    const panel = await connectPanel(url, device.login, { answer: () => (fails ? { ok: false, error: 'No such setting' } : { ok: true }) });
    const id = await ask(device, 'apply_settings');
    expect(await becomes(id, 'error')).toMatchObject({ attempts: 1, error: 'No such setting' });
    expect(await db.select().from(mails)).toMatchObject([{ subject: 'A task for Side door failed' }]);
    const notices = async () =>
      (await db.select().from(notifications).where(eq(notifications.userId, boss.id))).filter(({ data }) => data.device?.id === device.id);
    expect(await notices()).toMatchObject([{ type: 'device_broker_settings_sent', data: { has_error: true } }]);
    fails = false;
    const { status } = await retryTask(side.server.services, id);
    expect(status).toBe('queued');
    await becomes(id, 'completed');
    expect((await notices()).map(({ data }) => data.has_error)).toEqual([true, false]);
    expect((await side.device(device.id)).settingsAppliedAt).not.toBeNull();
    await panel.leave();
    await db.delete(groupNotify);
  });

  it('is found by why it failed, in the words of any language or in those of the device', async () => {
    const device = await side.add();
    const { db } = side.server.services;
    const failed = async (error: string) => {
      const id = await ask(device);
      await becomes(id, 'waiting');
      await db.update(deviceTasks).set({ status: 'error', error }).where(eq(deviceTasks.id, id));
      return id;
    };
    const [silent, own] = [await failed('no_answer'), await failed('Flash 100 % full')];
    const found = async (value: string) => {
      const filters = {
        match: 'match_all',
        items: [
          { field: 'error', rule: 'contains', value },
          { field: 'device', rule: 'equals', value: [device.id] },
        ],
      };
      return dataOf<{ id: string }[]>(await boss.client.get(`/device-tasks?filters=${encodeURIComponent(JSON.stringify(filters))}`)).map(
        ({ id }) => id,
      );
    };
    expect(await found('не ответило')).toEqual([silent]);
    expect(await found('DID NOT ANSWER')).toEqual([silent]);
    expect(await found('no_answer')).toEqual([silent]);
    expect(await found('100 %')).toEqual([own]);
    expect(await found('недоступно')).toEqual([]);
  });

  it('stops what is open, and refuses to stop or try again what is over', async () => {
    const device = await side.add();
    const waiting = await ask(device);
    await becomes(waiting, 'waiting');
    expect((await boss.client.post(`/device-tasks/${waiting}/stop`)).statusCode).toBe(200);
    expect((await task(waiting)).status).toBe('stopped');
    expect(codeOf(await boss.client.post(`/device-tasks/${waiting}/stop`))).toBe('prohibited');
    expect(codeOf(await boss.client.post(`/device-tasks/${waiting}/retry`))).toBe('prohibited');
    const panel = await connectPanel(url, device.login, { answer: slowly(300) });
    const started = await ask(device);
    await becomes(started, 'started');
    await stopTask(side.server.services, started);
    const next = await ask(device);
    await becomes(next, 'completed');
    // The device has done it all the same; the task stays what somebody made of it.
    await until(
      () => panel.executed.length,
      (count) => count === 2,
    );
    expect(panel.executed.toSorted()).toEqual([started, next].toSorted());
    expect((await task(started)).status).toBe('stopped');
    await panel.leave();
  });

  it('goes on after a restart where it was, and each task is done once', async () => {
    const devices = await Promise.all(Array.from({ length: 3 }, () => side.add()));
    let port = side.port;
    const panels = await Promise.all(devices.map((device) => connectPanel(`mqtt://127.0.0.1:${port}`, device.login, { answer: slowly(40) })));
    for (const device of devices) for (let at = 0; at < 6; at += 1) await ask(device);
    await until(
      () => panels.map(({ executed }) => executed.length),
      (counts) => counts.every((count) => count > 1),
    );
    await side.reopen();
    ({ port } = side);
    url = `mqtt://127.0.0.1:${port}`;
    // The same devices with the same memory: they carry on with a new connection.
    const again = await Promise.all(
      panels.map(async (before, at) => {
        const panel = await connectPanel(url, devices[at]?.login ?? '', {
          answer: (request) => (before.executed.includes(request.id) ? { ok: true } : before.answer(request)),
        });
        return panel;
      }),
    );
    for (const device of devices)
      await until(
        () => statusesOf(device),
        (all) => all.every((status) => status === 'completed'),
      );
    for (const [at, device] of devices.entries()) {
      const ids = (await side.tasks(device.id)).map(({ id }) => id);
      const done = [...(panels[at]?.executed ?? []), ...(again[at]?.executed ?? []).filter((id) => !panels[at]?.executed.includes(id))];
      expect(done.toSorted()).toEqual(ids.toSorted());
    }
    await Promise.all(again.map((panel) => panel.leave()));
  });

  it('is shared by two server processes on one database: each task goes to its device once', async () => {
    const second: Gateway = await openGateway(side.server.services, { host: '127.0.0.1', port: 0 });
    const [here, there] = [await side.add(), await side.add()];
    const panels = [
      await connectPanel(url, here.login, { answer: slowly(20) }),
      await connectPanel(`mqtt://127.0.0.1:${second.port}`, there.login, { answer: slowly(20) }),
    ];
    await Promise.all([online(here), online(there)]);
    const ids = [here, there].map(() => [] as string[]);
    for (let at = 0; at < 12; at += 1) for (const [place, device] of [here, there].entries()) ids[place]?.push(await ask(device));
    for (const device of [here, there])
      await until(
        () => statusesOf(device),
        (all) => all.every((status) => status === 'completed'),
      );
    expect(panels.map(({ asked }) => asked.map(({ id }) => id))).toEqual(ids);
    await Promise.all(panels.map((panel) => panel.leave()));
    await second.close();
  });
});

describe('a device that two server processes know', () => {
  let second: Gateway;
  const urls = () => [url, `mqtt://127.0.0.1:${second.port}`] as const;
  beforeAll(async () => {
    second = await openGateway(side.server.services, { host: '127.0.0.1', port: 0 });
  });
  afterAll(() => second.close());

  it('is asked where it is now, not where it was and nobody has noticed that it went; it stays online', async () => {
    for (const [here, there] of [[...urls()], [...urls()].toReversed()]) {
      const devices = await Promise.all(Array.from({ length: 4 }, () => side.add()));
      const left = await Promise.all(devices.map(({ login }) => connectPanel(here ?? '', login, { answer: () => null })));
      await Promise.all(devices.map(online));
      const panels = await Promise.all(devices.map(({ login }) => connectPanel(there ?? '', login)));
      const ids: string[] = [];
      for (const device of devices) ids.push(await ask(device), await ask(device));
      for (const id of ids) await becomes(id, 'completed', 12_000);
      expect(panels.flatMap(({ executed }) => executed).toSorted()).toEqual(ids.toSorted());
      for (const { client } of left)
        await until(
          () => client.connected,
          (connected) => !connected,
        );
      for (const { id } of devices) expect((await side.device(id)).online).toBe(true);
      await Promise.all(panels.map((panel) => panel.leave()));
    }
  });

  it('is told at once by the other what a server had out that has ended in order', async () => {
    const ending = await openGateway(side.server.services, { host: '127.0.0.1', port: 0 });
    const device = await side.add();
    const left = await connectPanel(`mqtt://127.0.0.1:${ending.port}`, device.login, { answer: () => null });
    await online(device);
    const ids = [await ask(device), await ask(device)];
    await until(
      () => left.asked.length,
      (count) => count === 1,
    );
    await ending.close();
    const panel = await connectPanel(url, device.login);
    for (const id of ids) await becomes(id, 'completed', 10_000);
    expect([left.asked.map(({ id }) => id), panel.executed]).toEqual([ids.slice(0, 1), ids]);
    await panel.leave();
  });

  it('goes back and forth with each restart, and each is done once', async () => {
    const device = await side.add();
    const executed: string[] = [];
    const panels: Panel[] = [];
    const arrive = async (turn: number): Promise<void> => {
      const panel = await connectPanel(urls()[turn % 2] ?? '', device.login, {
        answer: ({ id }) => {
          if (executed.includes(id)) return { ok: true };
          executed.push(id);
          // It answers and goes at once, as a device does that restarts; then it comes to the other server.
          setImmediate(() => void panel.leave().then(() => arrive(turn + 1)));
          return { ok: true };
        },
      });
      panels.push(panel);
    };
    await arrive(0);
    const ids: string[] = [];
    for (let at = 0; at < 8; at += 1) ids.push(await ask(device));
    for (const id of ids) await becomes(id, 'completed', 15_000);
    expect(executed).toEqual(ids);
    await until(
      () => panels.length,
      (count) => count === 9,
    );
    await panels.at(-1)?.leave();
  });

  it('is asked for nothing before it listens', async () => {
    const device = await side.add();
    const client = await connectAsync(url, { clientId: device.login, username: device.login, password: devicePassword, reconnectPeriod: 0 });
    const { request, response, status } = deviceTopics;
    await client.publishAsync(status(device.login), JSON.stringify({ type: 'online', firmware: '4.2.1' }), { qos: 1 });
    await online(device);
    const id = await ask(device);
    client.on('message', () => client.publish(response(device.login), JSON.stringify({ id, ok: true }), { qos: 1 }));
    await client.subscribeAsync(request(device.login), { qos: 1 });
    await becomes(id, 'completed', 12_000);
    expect((await task(id)).attempts).toBe(1);
    await client.endAsync(true);
  });
});

describe('what a device is sent', () => {
  it('are its settings with the secrets, which stand neither in the task nor in any answer', async () => {
    const { services } = side.server;
    const device = await side.add({
      devicePasswordCipher: seal(services, 'Inner-Secret-1'),
      deviceLogin: 'admin',
      sipPasswordCipher: seal(services, 'Sip-Secret-1'),
    });
    const panel = await connectPanel(url, device.login);
    const id = dataOf<string>(await boss.client.post(`/devices/${device.id}/apply-settings`));
    await becomes(id, 'completed');
    expect(panel.asked[0]).toMatchObject({
      id,
      kind: 'apply_settings',
      body: { device_password: 'Inner-Secret-1', device_settings: { sip: { password: 'Sip-Secret-1' } } },
    });
    const answers = await Promise.all(
      ['/device-tasks', `/devices/${device.id}`, `/devices/${device.id}/raw`, '/device-events', '/devices'].map((path) => boss.client.get(path)),
    );
    const seen = [...answers.map(({ body }) => body), side.server.logged(), JSON.stringify(await side.tasks(device.id))].join('\n');
    for (const secret of ['Inner-Secret-1', 'Sip-Secret-1', 'Panel-2026']) expect(seen).not.toContain(secret);
    await panel.leave();
  });

  it('are what it is to decide by, whole when somebody asks for it, and what it could not take is kept with it', async () => {
    const device = await side.add({ domainId: side.estate.groups.north });
    const errors = { identifiers: [{ id: null, name: 'In', error: 'No room' }], schedules: [] };
    const panel = await connectPanel(url, device.login, { answer: () => ({ ok: true, body: { sync_errors: errors } }) });
    const id = dataOf<string>(await boss.client.post(`/devices/${device.id}/synchronise`));
    await becomes(id, 'completed');
    expect(panel.asked.map(({ kind, body }) => [kind, Object.keys(body)])).toEqual([['synchronise', ['whole']]]);
    expect(dataOf(await boss.client.get(`/devices/${device.id}/sync-errors`))).toEqual(errors);
    expect((await side.device(device.id)).syncedAt).not.toBeNull();
    await panel.leave();
  });

  it.each(['apply-settings', 'init', 'synchronise', 'reinit', 'restart'])('is nothing where the protocol is none: %s', async (path) => {
    const device = await side.add({ protocol: 'none', passwordCipher: null });
    expect(codeOf(await boss.client.post(`/devices/${device.id}/${path}`, path === 'init' ? { erase: false } : undefined))).toBe(
      'device_protocol_none',
    );
    expect(await side.tasks(device.id)).toEqual([]);
  });
});

describe('what a device says', () => {
  it('is kept with the end of an identifier, never the whole, and with the moment the device names unless that is far off', async () => {
    const device = await side.add();
    const panel = await connectPanel(url, device.login);
    const identifier = { id: null, type: 'card' as const, value: '0099887766' };
    const at = new Date(Date.now() - 60_000).toISOString();
    await panel.say({ type: 'event', event: 'access_denied', at, reason: 'unknown_identifier', identifier });
    await panel.say({ type: 'event', event: 'tampered', at: '2001-01-01T00:00:00Z' });
    const [denied, tampered] = await until(
      () => side.events(device.id),
      (events) => events.length === 2,
    );
    expect(denied).toMatchObject({
      deviceName: device.name,
      priority: 'medium',
      reason: 'unknown_identifier',
      identifierMask: '7766',
      userName: null,
    });
    expect(denied?.occurredAt.toISOString()).toBe(at);
    expect(Date.now() - (tampered?.occurredAt.getTime() ?? 0)).toBeLessThan(30_000);
    expect(JSON.stringify([denied, side.server.logged()])).not.toContain('0099887766');
    await panel.leave();
  });
});

describe('opening a door by its token', () => {
  const opener = (over: Partial<Parameters<typeof makePerson>[2]> = {}) =>
    makePerson(side.server, side.estate, { permissions: ['can_view_descendant_devices', 'can_call_panel'], in: [side.estate.groups.north], ...over });
  const refusedEntries = async (id: string) =>
    (await side.server.services.db.select().from(auditEvents).where(eq(auditEvents.userId, id))).filter(({ action }) => action === 'refused');

  it('is confirmed by the device, and the trail and the log of events say who it was', async () => {
    const device = await side.add({ domainId: side.estate.groups.n1 });
    const resident = await opener({ name: 'Rosa Resident' });
    const panel = await connectPanel(url, device.login, {
      answer: async ({ id }) => {
        await panel.say({ type: 'event', event: 'opened_remotely', at: new Date().toISOString(), request: id, data: { relay: 1 } });
        return { ok: true };
      },
    });
    await online(device);
    const answer = await resident.client.post('/devices/open', { token: device.token });
    expect(dataOf(answer)).toEqual({ outcome: 'confirmed' });
    expect(panel.executed).toHaveLength(1);
    await until(
      () => side.events(device.id),
      (events) => events.some(({ type, userId, userName }) => type === 'opened_remotely' && userId === resident.id && userName === 'Rosa Resident'),
    );
    const trail = await side.server.services.db.select().from(auditEvents).where(eq(auditEvents.userId, resident.id));
    expect(trail.filter(({ action, entityId }) => action === 'open_door' && entityId === device.id)).toHaveLength(1);
    await panel.leave();
  });

  it('is unconfirmed after five seconds, and is not done later by a device that slept', async () => {
    const device = await side.add({ domainId: side.estate.groups.n1 });
    const resident = await opener();
    const asleep = await connectPanel(url, device.login, { answer: () => null });
    await online(device);
    const answered = vi.fn<(answer: unknown) => void>();
    void resident.client.post('/devices/open', { token: device.token }).then((answer) => answered(dataOf(answer)));
    await until(
      () => asleep.asked,
      ({ length }) => length === 1,
    );
    side.server.pass(4_500);
    await pause(100);
    expect(answered).not.toHaveBeenCalled();
    side.server.pass(500);
    await vi.waitFor(() => expect(answered).toHaveBeenCalledExactlyOnceWith({ outcome: 'unconfirmed' }), longestWait);
    asleep.client.stream.destroy();
    const awake = await connectPanel(url, device.login);
    await pause(1_500);
    expect(awake.executed).toEqual([]);
    expect(await statusesOf(device)).toEqual(['stopped']);
    await awake.leave();
  });

  it('is refused where the device is away, and it does not open when it comes back', async () => {
    const device = await side.add({ domainId: side.estate.groups.n1 });
    const resident = await opener();
    expect(codeOf(await resident.client.post('/devices/open', { token: device.token }))).toBe('device_offline');
    const panel = await connectPanel(url, device.login);
    await pause(1_300);
    expect(panel.executed).toEqual([]);
    await panel.leave();
  });

  it('does not wait behind what else the device has to do', async () => {
    const device = await side.add({ domainId: side.estate.groups.n1 });
    const resident = await opener();
    const panel = await connectPanel(url, device.login, {
      answer: async ({ kind }) => (kind === 'open_door' ? { ok: true } : pause(4_000).then(() => ({ ok: true }))),
    });
    await online(device);
    for (let at = 0; at < 3; at += 1) await ask(device, 'synchronise');
    const begun = performance.now();
    expect(dataOf(await resident.client.post('/devices/open', { token: device.token }))).toEqual({ outcome: 'confirmed' });
    expect(performance.now() - begun).toBeLessThan(inTime(1_500));
    await panel.leave();
  });

  it('sent twice under one key opens once', async () => {
    const device = await side.add({ domainId: side.estate.groups.n1 });
    const resident = await opener();
    const panel = await connectPanel(url, device.login);
    await online(device);
    for (let round = 0; round < 2; round += 1) {
      const answer = await resident.client.post('/devices/open', { token: device.token }, { 'idempotency-key': `open-${device.id}` });
      expect(dataOf(answer)).toEqual({ outcome: 'confirmed' });
    }
    expect(panel.executed).toHaveLength(1);
    await panel.leave();
  });

  it.each([
    ['of another project', async () => (await side.add({ projectId: side.estate.there, domainId: side.estate.groups.abroad })).token, 'not_found'],
    ['of a group out of sight', async () => (await side.add({ domainId: side.estate.groups.south })).token, 'not_found'],
    ['that was made up', () => Promise.resolve('made-up-made-up-made-up-made-up'), 'not_found'],
    [
      'of a device that has no door',
      async () => (await side.add({ domainId: side.estate.groups.n1, type: 'ip_camera', model: 'IC-4' })).token,
      'forbidden',
    ],
  ])('is refused for a token %s, and on record', async (_which, tokenOf, code) => {
    const resident = await opener();
    expect(codeOf(await resident.client.post('/devices/open', { token: await tokenOf() }))).toBe(code);
    expect(await refusedEntries(resident.id)).toHaveLength(1);
  });

  it('is refused to those who may see the device but open no door, and to those who were signed out', async () => {
    const device = await side.add({ domainId: side.estate.groups.n1 });
    const onlooker = await opener({ permissions: ['can_view_descendant_devices'] });
    expect(codeOf(await onlooker.client.post('/devices/open', { token: device.token }))).toBe('forbidden');
    expect(await refusedEntries(onlooker.id)).toHaveLength(1);
    expect((await side.server.as(null).post('/devices/open', { token: device.token })).statusCode).toBe(401);
    expect(await side.tasks(device.id)).toEqual([]);
  });
});
