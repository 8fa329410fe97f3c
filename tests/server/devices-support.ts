import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { defaultDeviceSettings } from '#models/device-settings.ts';
import { auditEvents, deviceEvents, devices, deviceTasks } from '#server/db/schema/index.ts';
import { type Gateway, openGateway } from '#server/devices/gateway.ts';
import { type DeviceRequest, type DeviceResponse, type DeviceStatus, deviceTopics } from '#server/devices/protocol.ts';
import { seal } from '#server/devices/secrets.ts';
import { buildEstate, type Estate } from './estate.ts';
import { openTestServer, type TestServer, type TestServerOptions } from './support.ts';
import { longestWait } from '#tests/support/in-time.ts';

type NewDevice = typeof devices.$inferInsert;
export type SavedDevice = typeof devices.$inferSelect;
/** The password of every device a test makes. */
export const devicePassword = 'Panel-2026';

/** A server with its broker open on a free port, the estate of groups in it, and its clock running. */
export interface DeviceServer {
  server: TestServer;
  estate: Estate;
  gateway: Gateway;
  port: number;
  /** Puts a device straight into the database; in `town` and over MQTT unless something else is said. */
  add: (over?: Partial<NewDevice>) => Promise<SavedDevice>;
  device: (id: string) => Promise<SavedDevice>;
  tasks: (deviceId: string) => Promise<(typeof deviceTasks.$inferSelect)[]>;
  events: (deviceId: string) => Promise<(typeof deviceEvents.$inferSelect)[]>;
  /** What the trail has of refusals, by cause. */
  refusedEntries: () => Promise<string[]>;
  /** Closes the way to devices and opens it anew, as a restart does. */
  reopen: () => Promise<void>;
  close: () => Promise<void>;
}

let made = 0;
/** Opens the whole wire side for one test file. */
export async function openDeviceServer({ mqttUrl = null, ...options }: TestServerOptions & { mqttUrl?: string | null } = {}): Promise<DeviceServer> {
  const server = await openTestServer({ ...options, config: { logLevel: 'info', mqttUrl, ...options.config } });
  let shift = 0;
  Object.assign(server.services, { now: () => new Date(Date.now() + shift) });
  const { pass: turn } = server;
  server.pass = (ms) => {
    shift += ms;
    turn(ms);
  };
  const estate = await buildEstate(server.services);
  const { db } = server.services;
  const open = () => openGateway(server.services, { host: '127.0.0.1', port: 0 });
  const self: DeviceServer = {
    server,
    estate,
    gateway: await open(),
    port: 0,
    add: async (over = {}) => {
      made += 1;
      const { password: _never, ...sip } = defaultDeviceSettings.sip;
      const [device] = await db
        .insert(devices)
        .values({
          projectId: estate.here,
          domainId: estate.groups.town,
          name: `Panel ${made}`,
          type: 'panel',
          model: 'DP-200 Keypad',
          login: `DP${String(made).padStart(6, '0')}`,
          passwordCipher: seal(server.services, devicePassword),
          protocol: 'mqtt',
          // Panels of tests do not beat: one that has to would be offline after a minute without being asked anything.
          management: { heartbeat: false, realtime_logging: true },
          settings: { ...defaultDeviceSettings, sip },
          token: randomUUID(),
          ...over,
        })
        .returning();
      if (!device) throw new Error('no device');
      return device;
    },
    device: async (id) => {
      const [device] = await db.select().from(devices).where(eq(devices.id, id));
      if (!device) throw new Error('the device is gone');
      return device;
    },
    tasks: (deviceId) => db.select().from(deviceTasks).where(eq(deviceTasks.deviceId, deviceId)).orderBy(deviceTasks.createdAt),
    events: (deviceId) => db.select().from(deviceEvents).where(eq(deviceEvents.deviceId, deviceId)).orderBy(deviceEvents.createdAt),
    refusedEntries: async () => {
      const rows = await db.select().from(auditEvents).where(eq(auditEvents.action, 'refused'));
      return rows.map(({ changes }) => String(changes['cause']?.after));
    },
    reopen: async () => {
      await self.gateway.close();
      self.gateway = await open();
      self.port = self.gateway.port ?? 0;
    },
    close: async () => {
      await self.gateway.close();
      await server.close();
    },
  };
  self.port = self.gateway.port ?? 0;
  return self;
}

/** Waits until something holds. @throws when it does not within the timeout, with what was seen last */
export async function until<T>(
  look: () => Promise<T> | T,
  holds: (seen: T) => boolean,
  timeout = longestWait,
  every: number | (() => number) = 15,
): Promise<T> {
  const begun = performance.now();
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (performance.now() - begun > timeout) throw new Error(`it never came true; seen last: ${JSON.stringify(seen)?.slice(0, 1_500)}`);
    await pause(typeof every === 'number' ? every : every());
  }
}

/** For so long looks follow each other fast, ms. */
const haste = 4_000;

/**
 * As `until`, with a second of the server's time going by at each look; afterwards it is as late there as it was: the database has a clock of its own.
 * Sockets have none: what has not come true in haste gets more and more time for each second, until it has a real one.
 */
export async function untilPassed<T>(
  { server }: Pick<DeviceServer, 'server'>,
  look: () => Promise<T> | T,
  holds: (seen: T) => boolean,
  timeout = longestWait,
): Promise<T> {
  const begun = performance.now();
  let seconds = 0;
  let every = 30;
  const pace = (): number => (every = performance.now() - begun < haste ? every : Math.min(every * 1.1, 1_000));
  const turned = () => {
    server.pass(1_000);
    seconds += 1;
    return look();
  };
  return until(turned, holds, timeout, pace).finally(() => server.pass(-1_000 * seconds));
}

/** What a panel of a test does when it is asked for something; null says nothing. */
export type Answer = (request: DeviceRequest) => Promise<Omit<DeviceResponse, 'id'> | null> | Omit<DeviceResponse, 'id'> | null;

/** A device as a test has it: a plain MQTT client that keeps what it was asked and executes each request once. */
export interface Panel {
  client: MqttClient;
  serial: string;
  /** Requests as they came, repeats included. */
  asked: DeviceRequest[];
  /** What it began to do: told again what it has done it only answers. */
  executed: string[];
  answer: Answer;
  say: (status: DeviceStatus) => Promise<void>;
  leave: () => Promise<void>;
}

const alwaysOk: Answer = () => ({ ok: true });

/** Connects a device the way one of the field does: last will, retained status, requests by QoS 1. */
export async function connectPanel(
  url: string,
  serial: string,
  { answer = alwaysOk, password = devicePassword, ...options }: { answer?: Answer } & IClientOptions = {},
): Promise<Panel> {
  const client = await connectAsync(url, {
    clientId: serial,
    username: serial,
    password,
    reconnectPeriod: 0,
    connectTimeout: 30_000,
    will: { topic: deviceTopics.status(serial), payload: Buffer.from(JSON.stringify({ type: 'offline' })), qos: 1, retain: true },
    ...options,
  });
  client.on('error', () => undefined);
  const done = new Map<string, Promise<Omit<DeviceResponse, 'id'> | null>>();
  const panel: Panel = {
    client,
    serial,
    asked: [],
    executed: [],
    answer,
    say: async (status) =>
      void (await client.publishAsync(deviceTopics.status(serial), JSON.stringify(status), {
        qos: 1,
        retain: status.type === 'online' || status.type === 'offline',
      })),
    leave: () => client.endAsync(true),
  };
  const execute = async (request: DeviceRequest) => {
    panel.executed.push(request.id);
    return panel.answer(request);
  };
  client.on('message', (_topic, payload) => {
    const request = JSON.parse(payload.toString()) as DeviceRequest;
    panel.asked.push(request);
    const work = done.get(request.id) ?? execute(request);
    done.set(request.id, work);
    void work.then((response) => {
      if (!response?.ok) done.delete(request.id);
    });
    void work.then(
      (response) =>
        response && client.connected && client.publish(deviceTopics.response(serial), JSON.stringify({ id: request.id, ...response }), { qos: 1 }),
    );
  });
  await client.subscribeAsync(deviceTopics.request(serial), { qos: 1 });
  const greet = (): Promise<void> => panel.say({ type: 'online', firmware: '4.2.1' });
  client.on('connect', () => void greet().catch(() => undefined));
  await greet();
  return panel;
}
