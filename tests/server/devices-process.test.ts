import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { DeviceTask } from '#models/device-tasks.ts';
import { loadConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/open.ts';
import { devices, groups } from '#server/db/schema/index.ts';
import { seal } from '#server/devices/secrets.ts';
import { isFull } from '#tests/support/extent.ts';
import { connectPanel, devicePassword, until } from './devices-support.ts';
import { freePort, request, setProcesses, tokenAt } from './process.ts';
import { inTime } from '#tests/support/in-time.ts';

const secret = 'the secret of a test that is long enough';
const { start, world } = setProcesses({ DOORWARD_SECRET: secret });

/** A data folder with so many devices in it, and their serial numbers. */
async function folderWithDevices(count: number): Promise<{ data: string; made: { id: string; login: string }[] }> {
  const data = await world.copy();
  const { db, close } = await openDatabase({ ...loadConfig({}), data });
  const all = await db.select().from(groups);
  const group = all.find(({ name }) => name === 'House of riverside');
  if (!group) throw new Error('no group');
  const made = Array.from({ length: count }, (_, at) => ({ id: randomUUID(), login: `AC${at}` }));
  await db.insert(devices).values(
    made.map(({ id, login }) => ({
      id,
      login,
      projectId: group.projectId,
      domainId: group.id,
      name: `Controller ${login}`,
      type: 'access_controller',
      model: 'AC-2',
      passwordCipher: seal({ config: { ...loadConfig({}), secret } }, devicePassword),
      protocol: 'mqtt',
      management: { heartbeat: false, realtime_logging: true },
      settings: {},
      token: randomUUID(),
    })),
  );
  await close();
  return { data, made };
}

/** A device that outlives the server: it comes back on its own and remembers what it has done. */
async function lastingPanel(url: string, login: string, took: number) {
  const panel = await connectPanel(url, login, {
    reconnectPeriod: 60,
    answer: async () => {
      await pause(took);
      return { ok: true };
    },
  });
  return panel;
}

const tasksAt = async (url: string, token: string): Promise<DeviceTask[]> => {
  const pages = await Promise.all([1, 2].map((page) => request(url, 'GET', `/device-tasks?page=${page}&size=100&sort=created_at`, token)));
  return pages.flatMap(({ json }) => (json as { data: DeviceTask[] }).data);
};
const rounds = isFull ? 10 : 1;

describe('a server killed in the middle of its tasks', () => {
  it.each(Array.from({ length: rounds }, (_, round) => round))(
    'ends each of 100 exactly once after it is started again (round %i)',
    async (round) => {
      const { data, made } = await folderWithDevices(10);
      const [port, mqttPort] = [await freePort(), await freePort()];
      const env = { DOORWARD_DATA: data, DOORWARD_MQTT_PORT: String(mqttPort) };
      const first = await start(env, port);
      await first.ready;
      const url = `mqtt://127.0.0.1:${mqttPort}`;
      const panels = await Promise.all(made.map(({ login }) => lastingPanel(url, login, 20 + round * 15)));
      const token = await tokenAt(first.url, 'boss');
      for (let at = 0; at < 10; at += 1) await Promise.all(made.map(({ id }) => request(first.url, 'POST', `/devices/${id}/restart`, token)));
      const executed = () => panels.flatMap((panel) => panel.executed);
      await until(executed, (all) => all.length >= 15 + round * 20);
      first.child.kill('SIGKILL');
      await first.exit;
      expect(executed().length).toBeLessThan(100);

      const second = await start(env, port);
      await second.ready;
      const over = await until(
        () => tasksAt(second.url, token),
        (tasks) => tasks.length === 100 && tasks.every(({ status }) => status === 'completed'),
        90_000,
        400,
      );
      // What a device was told when the server died it was told again; it was done once.
      expect(executed().toSorted()).toEqual(over.map(({ id }) => id).toSorted());
      expect(panels.flatMap(({ asked }) => asked).length).toBeGreaterThanOrEqual(100);
      for (const { finished_at: finishedAt, started_at: startedAt } of over) expect(finishedAt && startedAt && finishedAt >= startedAt).toBe(true);
      // Nothing moves any more.
      await pause(1_500);
      expect((await tasksAt(second.url, token)).map(({ id, version }) => [id, version])).toEqual(over.map(({ id, version }) => [id, version]));
      await Promise.all(panels.map((panel) => panel.leave()));
      second.child.kill('SIGTERM');
      expect((await second.exit).code).toBe(0);
    },
    180_000,
  );
});

describe('the broker of a real server', () => {
  it('that finds its port taken ends the start with one sentence, before it has made anything', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => taken.once('listening', done));
    const { port } = taken.address() as { port: number };
    const server = await start({ DOORWARD_DATA: world.empty(), DOORWARD_MQTT_PORT: String(port) });
    expect((await server.exit).code).toBe(1);
    const [, free] =
      /^Port \d+ is in use by another program\. Stop it, or set DOORWARD_MQTT_PORT to (\d+), which is free\.$/.exec(server.said().trim()) ?? [];
    expect(Number(free)).toBeGreaterThan(port);
    taken.close();
  });

  it('is closed in order on SIGTERM while devices are connected and one is being asked', async () => {
    const { data, made } = await folderWithDevices(3);
    const mqttPort = await freePort();
    const server = await start({ DOORWARD_DATA: data, DOORWARD_MQTT_PORT: String(mqttPort) });
    await server.ready;
    const panels = await Promise.all(made.map(({ login }) => connectPanel(`mqtt://127.0.0.1:${mqttPort}`, login, { answer: () => null })));
    const token = await tokenAt(server.url, 'boss');
    await request(server.url, 'POST', `/devices/${made[0]?.id}/restart`, token);
    await until(
      () => panels[0]?.asked.length ?? 0,
      (count) => count === 1,
    );
    const gone = panels.map(({ client }) => new Promise<void>((done) => client.once('close', () => done())));
    const begun = performance.now();
    server.child.kill('SIGTERM');
    expect((await server.exit).code).toBe(0);
    expect(performance.now() - begun).toBeLessThan(inTime(8_000));
    await Promise.all(gone);
    expect(server.said()).not.toContain('"level":50');
  });
});
