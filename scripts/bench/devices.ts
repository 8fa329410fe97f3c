import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connectAsync, type MqttClient } from 'mqtt';
import { defaultDeviceSettings } from '#models/device-settings.ts';
import { loadConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/open.ts';
import { devices, groups, projects } from '#server/db/schema/index.ts';
import { deviceTopics } from '#server/devices/protocol.ts';
import { seal } from '#server/devices/secrets.ts';
import { freePort, type RunningServer, startServer } from '#tests/e2e/support/server.ts';
import { type Figure, median, percentile } from './figures.ts';
import { residentMegabytes } from './processes.ts';

const count = 1_000;
const perSecond = 2_000;
/** BENCH_SHORT=1 looks for an order of magnitude only. */
const seconds = process.env['BENCH_SHORT'] ? 6 : 30;
const secret = 'the secret of a bench that is long enough';
const password = 'Panel-2026';
const serials = Array.from({ length: count }, (_, at) => `AC${String(at).padStart(6, '0')}`);

/** A data folder with one project, one house and its thousand controllers. */
async function makeFolder(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'doorward-bench-'));
  const config = { ...loadConfig({}), data, secret };
  const { db, close } = await openDatabase(config);
  const [projectId, groupId] = [randomUUID(), randomUUID()];
  await db.insert(projects).values({ id: projectId, uid: 'bench', name: 'Bench' });
  const blocks = { guestLimits: { max_passes_count: null, max_period_days: null }, whitelabel: {}, appleWallet: {}, licence: {} };
  await db.insert(groups).values({ id: groupId, projectId, name: 'House', path: [groupId], ...blocks });
  const { password: _never, ...sip } = defaultDeviceSettings.sip;
  const common = { projectId, domainId: groupId, type: 'access_controller', model: 'AC-2', protocol: 'mqtt' };
  const sealed = seal({ config }, password);
  for (let at = 0; at < count; at += 200)
    await db.insert(devices).values(
      serials.slice(at, at + 200).map((login) => ({
        ...common,
        login,
        name: login,
        passwordCipher: sealed,
        management: { heartbeat: true, realtime_logging: true },
        settings: { ...defaultDeviceSettings, sip },
        token: randomUUID(),
      })),
    );
  await close();
  return data;
}

async function connectAll(url: string): Promise<MqttClient[]> {
  const clients: MqttClient[] = [];
  for (let at = 0; at < count; at += 50) {
    const portion = serials
      .slice(at, at + 50)
      .map((serial) => connectAsync(url, { clientId: serial, username: serial, password, reconnectPeriod: 0, connectTimeout: 60_000 }));
    clients.push(...(await Promise.all(portion)));
  }
  return clients;
}

/** Beats evenly for so long; what the server weighed each second, and how long a question took it meanwhile (ms). */
async function beat(
  server: RunningServer,
  clients: readonly MqttClient[],
  time: number,
): Promise<{ weights: number[]; answers: number[]; sent: number }> {
  const weights: number[] = [];
  const answers: number[] = [];
  const asked: Promise<void>[] = [];
  const begun = performance.now();
  let sent = 0;
  const ask = async (): Promise<void> => {
    const at = performance.now();
    // A kept connection may be closed in the very moment it is used again; that is no answer of the server's.
    await fetch(`${server.url}/readyz`, { headers: { connection: 'close' } });
    answers.push(performance.now() - at);
  };
  for (let tick = 0; performance.now() - begun < time * 1_000; tick += 1) {
    const due = Math.floor(((performance.now() - begun) / 1_000) * perSecond);
    for (; sent < due; sent += 1) {
      const at = sent % count;
      clients[at]?.publish(deviceTopics.status(serials[at] ?? ''), '{"type":"heartbeat"}', { qos: 0 });
    }
    if (tick % 20 === 0) asked.push(ask());
    if ((performance.now() - begun) / 1_000 > weights.length) weights.push(residentMegabytes(server.process.pid ?? 0));
    await wait(10);
  }
  await Promise.all(asked);
  return { weights, answers, sent };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** What signs of life cost: 2,000 a second from a thousand devices. */
export async function benchDevices(): Promise<Figure[]> {
  const data = await makeFolder();
  const mqttPort = await freePort();
  const server = await startServer({
    data,
    env: { DOORWARD_DEMO: 'off', DOORWARD_LOG: 'error', DOORWARD_SECRET: secret, DOORWARD_MQTT_PORT: String(mqttPort), DOORWARD_SIP_PORT: '0' },
  });
  try {
    const resting = residentMegabytes(server.process.pid ?? 0);
    const begun = performance.now();
    const clients = await connectAll(`mqtt://127.0.0.1:${mqttPort}`);
    const connected = performance.now() - begun;
    // What is compiled and allocated once is no growth.
    await beat(server, clients, seconds / 6);
    const { weights, answers, sent } = await beat(server, clients, seconds);
    const part = Math.max(1, Math.floor(weights.length / 5));
    const lost = clients.filter((client) => !client.connected).length;
    for (const client of clients) client.end(true);
    return [
      { what: `${count} devices sign in one after the other, 50 at a time`, unit: 'ms', ours: connected },
      {
        what: `signs of life a second for ${seconds} s, as many as were to be sent`,
        unit: '',
        ours: sent / seconds,
        baseline: { what: 'wanted', value: perSecond },
      },
      {
        what: 'memory after the last fifth less after the first',
        unit: 'MB',
        ours: Math.max(0, mean(weights.slice(-part)) - mean(weights.slice(0, part))),
        atMost: 15,
      },
      { what: 'resident meanwhile, median', unit: 'MB', ours: median(weights), baseline: { what: 'without devices', value: resting }, atMost: 600 },
      { what: 'a question (/readyz) meanwhile, p99', unit: 'ms', ours: percentile(answers, 0.99), atMost: 150 },
      { what: 'connections lost', unit: '', ours: lost, atMost: 0 },
    ];
  } finally {
    await server.discard();
    await rm(data, { recursive: true, force: true });
  }
}
