import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deviceTopics } from '#server/devices/protocol.ts';
import { queueTask } from '#server/devices/queue.ts';
import { connectPanel, devicePassword, type DeviceServer, openDeviceServer, until } from './devices-support.ts';
import { freePort } from './process.ts';

const deploy = join(import.meta.dirname, '..', '..', 'deploy', 'mosquitto');
const isThere = spawnSync('mosquitto', ['-h']).error === undefined;
const serials = ['DPM1', 'DPM2'];

/** mosquitto with the settings that deploy/ recommends, on a port and in a folder of its own. */
function makeMosquitto(port: number) {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-mosquitto-'));
  const accounts = join(folder, 'accounts');
  writeFileSync(accounts, [`doorward:Server-2026`, ...serials.map((serial) => `${serial}:${devicePassword}`), ''].join('\n'));
  spawnSync('mosquitto_passwd', ['-U', accounts]);
  const settings = readFileSync(join(deploy, 'mosquitto.conf'), 'utf8')
    .replace('listener 1883', `listener ${port} 127.0.0.1`)
    .replace('/mosquitto/config/accounts', accounts)
    .replace('/mosquitto/config/topics.acl', join(deploy, 'topics.acl'))
    .replace('/mosquitto/data/', `${folder}/`);
  // Otherwise it changes to an account of its own, which may not read the folder.
  writeFileSync(join(folder, 'mosquitto.conf'), `${settings}user root\n`);
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    child = spawn('mosquitto', ['-c', join(folder, 'mosquitto.conf')], { stdio: 'ignore' });
    await pause(400);
  };
  const stop = async (): Promise<void> => {
    const gone = new Promise((done) => child?.once('exit', done));
    child?.kill('SIGKILL');
    await gone;
  };
  return { start, stop, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

// Where there is none, the embedded broker's tests say the same of the protocol; this is about the program of others.
describe.runIf(isThere)('mosquitto as the broker', () => {
  let side: DeviceServer;
  let broker: ReturnType<typeof makeMosquitto>;
  let url: string;
  beforeAll(async () => {
    const port = await freePort();
    url = `mqtt://127.0.0.1:${port}`;
    broker = makeMosquitto(port);
    await broker.start();
    side = await openDeviceServer({ mqttUrl: `mqtt://doorward:Server-2026@127.0.0.1:${port}` });
  });
  afterAll(async () => {
    await side.close();
    await broker.stop();
    broker.remove();
  });
  const ask = (device: { id: string; projectId: string }) =>
    side.server.services.db.transaction((tx) =>
      queueTask(tx, { projectId: device.projectId, deviceId: device.id, kind: 'restart', createdBy: null }),
    );

  it('carries status, tasks, events and the last will; none of our own broker is open', async () => {
    expect(side.gateway.port).toBeNull();
    const device = await side.add({ login: 'DPM1' });
    const waits = await ask(device);
    const panel = await connectPanel(url, device.login);
    await until(
      () => side.device(device.id),
      ({ online }) => online === true,
    );
    await until(
      () => side.tasks(device.id),
      ([task]) => task?.status === 'completed',
    );
    expect(panel.executed).toEqual([waits]);
    await panel.say({ type: 'event', event: 'tampered', at: new Date().toISOString() });
    await until(
      () => side.events(device.id),
      (events) => events.some(({ type }) => type === 'tampered'),
    );
    panel.client.stream.destroy();
    await until(
      () => side.device(device.id),
      ({ online }) => online === false,
    );
  });

  it('keeps devices to their own topics by the rules that are recommended', async () => {
    const [one, two] = [await side.device((await side.server.services.db.query.devices.findFirst())?.id ?? ''), await side.add({ login: 'DPM2' })];
    const [mine, theirs] = [await connectPanel(url, one.login), await connectPanel(url, two.login)];
    await until(
      () => side.device(two.id),
      ({ online }) => online === true,
    );
    mine.client.publish(deviceTopics.status(two.login), '{"type":"offline"}', { qos: 1, retain: true });
    mine.client.publish(deviceTopics.request(two.login), '{"id":"x","kind":"open_door","body":{}}', { qos: 1 });
    const heard: string[] = [];
    mine.client.on('message', (topic) => heard.push(topic));
    mine.client.subscribe(['#', deviceTopics.request(two.login)]);
    await ask(two);
    await until(
      () => theirs.executed.length,
      (count) => count === 1,
    );
    await pause(1_300);
    expect((await side.device(two.id)).online).toBe(true);
    expect(theirs.asked.map(({ id }) => id)).not.toContain('x');
    expect(heard.filter((topic) => topic.includes(two.login))).toEqual([]);
    await Promise.all([mine.leave(), theirs.leave()]);
  });

  it('may go away and come back: devices and tasks go on by themselves', async () => {
    const { db } = side.server.services;
    const device = (await db.query.devices.findMany()).find(({ login }) => login === 'DPM2');
    if (!device) throw new Error('no device');
    const panel = await connectPanel(url, device.login, { reconnectPeriod: 200 });
    await until(
      () => side.device(device.id),
      ({ online }) => online === true,
    );
    await broker.stop();
    const id = await ask(device);
    await pause(500);
    await broker.start();
    await until(
      () => side.tasks(device.id),
      (tasks) => tasks.find((task) => task.id === id)?.status === 'completed',
      40_000,
    );
    expect(panel.executed.filter((one) => one === id)).toHaveLength(1);
    await panel.leave();
  });

  it('is not reached with a wrong password, and the log says so without it', async () => {
    const other = await openDeviceServer({ mqttUrl: url.replace('mqtt://', 'mqtt://doorward:Wrong-Password-1@') });
    await until(
      () => other.server.logged(),
      (text) => text.includes('the broker is not reached'),
    );
    expect(other.server.logged()).not.toContain('Wrong-Password-1');
    await other.close();
  });
});
