import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeviceTaskKind } from '#models/device-tasks.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { deviceTasks } from '#server/db/schema/index.ts';
import { Runner } from '#server/devices/runner.ts';
import { queueTask } from '#server/devices/queue.ts';
import { type DeviceServer, type SavedDevice, openDeviceServer, until } from './devices-support.ts';

let side: DeviceServer;
beforeAll(async () => {
  side = await openDeviceServer();
});
afterAll(() => side.close());

const order = (device: SavedDevice, kind: DeviceTaskKind = 'restart'): Promise<string> =>
  side.server.services.db.transaction((tx) =>
    queueTask(tx, { projectId: device.projectId, deviceId: device.id, kind, payload: {}, createdBy: null }),
  );
const statusOf = async (id: string) =>
  (await side.server.services.db.select({ status: deviceTasks.status }).from(deviceTasks).where(eq(deviceTasks.id, id)))[0]?.status;

/** The services with a database whose transactions are watched, and fail as often as is said when all connections are in use. */
function watched(): { services: Services; state: { failing: number; open: number; most: number } } {
  const state = { failing: 0, open: 0, most: 0 };
  const { services } = side.server;
  const transaction: Db['transaction'] = async (...given) => {
    if (state.failing-- > 0)
      throw new Error('Failed query', { cause: Object.assign(new Error('sorry, too many clients already'), { code: '53300' }) });
    state.open += 1;
    state.most = Math.max(state.most, state.open);
    return services.db.transaction(...given).finally(() => (state.open -= 1));
  };
  const db = new Proxy(services.db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      return name === 'transaction' ? transaction : typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const config = { ...services.config, databaseUrl: 'postgres://a-pool-of-connections' };
  return { services: { ...services, config, db }, state };
}

describe('the runner of device tasks, when the connections of the database run short', () => {
  it('writes down what a device did as soon as it can, and asks it once', async () => {
    const { services, state } = watched();
    let asked = 0;
    const runner = new Runner(services, {
      isReachable: () => true,
      ask: ({ id }) => {
        asked += 1;
        state.failing = 2;
        return Promise.resolve({ id, ok: true });
      },
    });
    await runner.open();
    const id = await order(await side.add());
    await until(
      () => statusOf(id),
      (status) => status === 'completed',
      8_000,
    );
    expect(asked).toBe(1);
    await runner.close();
  });

  it('looks after many devices with few connections', async () => {
    const { services, state } = watched();
    const devices = [];
    for (let made = 0; made < 30; made++) devices.push(await side.add());
    const tasks = await Promise.all(devices.map((device) => order(device)));
    const runner = new Runner(services, { isReachable: () => true, ask: ({ id }) => Promise.resolve({ id, ok: true }) });
    await runner.open();
    await until(
      () => Promise.all(tasks.map(statusOf)),
      (statuses) => statuses.every((status) => status === 'completed'),
    );
    expect(state.most).toBeLessThanOrEqual(6);
    await runner.close();
  });
});

it('lets a person pass before the crowd of devices that one saved card has asked for their copies', async () => {
  const { services } = side.server;
  const devices = [];
  for (let made = 0; made < 30; made++) devices.push(await side.add());
  const tasks = await Promise.all(devices.map((device) => order(device, 'synchronise')));
  let asked = 0;
  const runner = new Runner(services, {
    isReachable: () => true,
    ask: ({ id }) => {
      asked += 1;
      return Promise.resolve({ id, ok: true });
    },
  });
  const opened = runner.open();
  const between: number[] = [];
  while (asked < tasks.length) {
    const before = asked;
    await services.db.select({ id: deviceTasks.id }).from(deviceTasks).limit(1);
    between.push(asked - before);
    await new Promise(setImmediate);
  }
  await opened;
  expect(Math.max(...between)).toBeLessThanOrEqual(3);
  await until(
    () => Promise.all(tasks.map(statusOf)),
    (statuses) => statuses.every((status) => status === 'completed'),
  );
  await runner.close();
});
