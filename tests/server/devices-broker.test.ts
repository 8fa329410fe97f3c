import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { connect as dial, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { connectAsync, type IClientOptions } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditEvents } from '#server/db/schema/index.ts';
import { Admission } from '#server/devices/admission.ts';
import { openGateway } from '#server/devices/gateway.ts';
import { deviceTopics } from '#server/devices/protocol.ts';
import { inTime } from '#tests/support/in-time.ts';
import { connectPanel, devicePassword, type DeviceServer, type SavedDevice, openDeviceServer, until, untilPassed } from './devices-support.ts';

let side: DeviceServer;
let url: string;
let panel: SavedDevice;
let other: SavedDevice;

beforeAll(async () => {
  side = await openDeviceServer();
  url = `mqtt://127.0.0.1:${side.port}`;
  panel = await side.add({ name: 'Panel A' });
  other = await side.add({ name: 'Panel B' });
});
afterAll(() => side.close());

/** Tries to sign in; answers the return code of the refusal, or null when let in. */
async function tryToSignIn(options: IClientOptions, at = url): Promise<number | string | null> {
  try {
    const client = await connectAsync(at, { reconnectPeriod: 0, connectTimeout: 30_000, ...options }, false);
    await client.endAsync(true);
    return null;
  } catch (error) {
    return (error as { code?: number | string }).code ?? (error as Error).message;
  }
}
const asPanel = ({ login }: SavedDevice): IClientOptions => ({ clientId: login, username: login, password: devicePassword });
const isOnline = async ({ id }: SavedDevice): Promise<boolean | null> => (await side.device(id)).online;
const linesAbout = (cause: string): string[] =>
  side.server
    .logged()
    .split('\n')
    .filter((line) => line.includes(`"cause":"${cause}"`));

/** A bare connection that counts what it could send and tells when the broker hung up. */
function bare(port = side.port): Promise<{ socket: Socket; closed: Promise<void>; heard: () => Buffer }> {
  return new Promise((done, fail) => {
    const parts: Buffer[] = [];
    const socket = dial(port, '127.0.0.1', () => done({ socket, closed, heard: () => Buffer.concat(parts) }));
    const closed = new Promise<void>((gone) => socket.once('close', () => gone()));
    socket.on('data', (part) => parts.push(part as Buffer));
    socket.on('error', () => fail(new Error('not connected')));
  });
}
const lengthBytes = (length: number): number[] => {
  const bytes: number[] = [];
  for (let rest = length; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 0x80);
  }
};
const field = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
};
const packet = (first: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([first, ...lengthBytes(body.length)]), body]);
};
/** CONNECT of MQTT 3.1.1, clean, with user name and password. */
const hello = ({ login }: SavedDevice): Buffer =>
  packet(0x10, field('MQTT'), Buffer.from([4, 0xc2, 0, 30]), field(login), field(login), field(devicePassword));
const residentMegabytes = (): number => process.memoryUsage().rss / 1_048_576;

describe('signing in', () => {
  it('lets a device in with its serial number and its password, and knows it by then', async () => {
    const client = await connectPanel(url, panel.login);
    const known = await untilPassed(
      side,
      () => side.device(panel.id),
      ({ online }) => online === true,
    );
    expect(known.firmware).toBe('4.2.1');
    await client.leave();
    await untilPassed(
      side,
      () => isOnline(panel),
      (online) => online === false,
    );
  });

  it.each([
    ['nobody', {}],
    ['an empty password', { username: 'DP000001', clientId: 'DP000001', password: '' }],
    ['a serial number that is no device', { username: 'DP999999', clientId: 'DP999999', password: devicePassword }],
    ['another client id than the serial number', { username: 'DP000001', clientId: 'somebody', password: devicePassword }],
    ['a serial number that would break out of its topic', { username: 'DP/+/#', clientId: 'DP/+/#', password: devicePassword }],
  ])('refuses %s', async (_who, options: IClientOptions) => {
    expect(await tryToSignIn(options)).toBe(4);
  });

  it('refuses a device that is spoken to by HTTP, or only kept in the books', async () => {
    for (const protocol of ['http', 'none']) expect(await tryToSignIn(asPanel(await side.add({ protocol })))).toBe(4);
  });

  it('refuses a wrong password, says so in the log each time and in the trail once, and never which password', async () => {
    const device = await side.add();
    const before = (await side.refusedEntries()).filter((cause) => cause === 'wrong_password').length;
    for (let round = 0; round < 3; round += 1) expect(await tryToSignIn({ ...asPanel(device), password: 'guessed-Password-1' })).toBe(4);
    expect(linesAbout('wrong_password').filter((line) => line.includes(device.login))).toHaveLength(3);
    const causes = async () => (await side.refusedEntries()).filter((cause) => cause === 'wrong_password');
    expect(await until(causes, (now) => now.length > before)).toHaveLength(before + 1);
    expect(side.server.logged()).not.toContain('guessed-Password-1');
    expect(await tryToSignIn(asPanel(device))).toBeNull();
  });

  it('lets a device in that shows its password, wherever its serial number is guessed', async () => {
    const device = await side.add();
    const admission = new Admission(side.server.services);
    for (let guess = 0; guess < 200; guess += 1) await admission.admit(device.login, `guess-${guess}`, `203.0.113.${guess % 10}`);
    expect(await admission.admit(device.login, devicePassword, '198.51.100.1')).toMatchObject({ id: device.id });
    expect(await admission.admit(panel.login, devicePassword, '203.0.113.1')).toMatchObject({ id: panel.id });
    expect(await admission.admit(device.login, devicePassword, '203.0.113.1')).toBeNull();
  });

  it('lets a device in that shows its password from where it is guessed, until there were 25 guesses in a minute', async () => {
    const device = await side.add();
    for (let round = 0; round < 20; round += 1) await tryToSignIn({ ...asPanel(device), password: `guess-${round}` });
    expect(await tryToSignIn(asPanel(device))).toBeNull();
    for (let round = 0; round < 25; round += 1) await tryToSignIn({ ...asPanel(device), password: `guess-${round}` });
    expect(await tryToSignIn(asPanel(device))).toBe(4);
    side.server.pass(61_000);
    expect(await tryToSignIn(asPanel(device))).toBeNull();
  });

  it('tells in the trail, once an hour, which device is guessed at and from where', async () => {
    const device = await side.add();
    const admission = new Admission(side.server.services);
    for (let guess = 0; guess < 30; guess += 1) await admission.admit(device.login, `secret-guess-${guess}`, '203.0.113.7');
    const entries = await until(
      async () =>
        (await side.server.services.db.select().from(auditEvents).where(eq(auditEvents.entityId, device.id))).filter(
          ({ changes }) => changes['cause']?.after === 'too_many_tries',
        ),
      (rows) => rows.length > 0,
    );
    expect(entries).toMatchObject([{ area: 'devices', action: 'refused', entityName: device.name, ip: '203.0.113.7', userAgent: 'mqtt' }]);
    expect(JSON.stringify(entries)).not.toContain('secret-guess');
  });

  it('gives a connection to the device that signs in last, and it stays online meanwhile', async () => {
    const first = await connectPanel(url, panel.login);
    await untilPassed(side, () => isOnline(panel), Boolean);
    const closed = new Promise<void>((gone) => first.client.once('close', () => gone()));
    const second = await connectPanel(url, panel.login);
    await closed;
    await pause(1_500);
    expect(await isOnline(panel)).toBe(true);
    expect(second.client.connected).toBe(true);
    await second.leave();
    await untilPassed(
      side,
      () => isOnline(panel),
      (online) => online === false,
    );
  });

  it('shows a device the door that is deleted', async () => {
    const device = await side.add();
    const client = await connectPanel(url, device.login);
    await untilPassed(side, () => isOnline(device), Boolean);
    const closed = new Promise<void>((gone) => client.client.once('close', () => gone()));
    const boss = await (
      await import('./estate.ts')
    ).makePerson(side.server, side.estate, { permissions: ['can_view_all_devices', 'can_delete_devices'], in: [side.estate.groups.town] });
    expect((await boss.client.delete(`/devices/${device.id}`)).statusCode).toBe(200);
    await closed;
    expect(await tryToSignIn(asPanel(device))).toBe(4);
  });
});

describe('topics (P14)', () => {
  const foreign: [what: string, topic: (mine: string, theirs: string) => string][] = [
    ['the status of another device', (_mine, theirs) => deviceTopics.status(theirs)],
    ['the responses of another device', (_mine, theirs) => deviceTopics.response(theirs)],
    ['the requests of another device', (_mine, theirs) => deviceTopics.request(theirs)],
    ['its own requests', (mine) => deviceTopics.request(mine)],
    ['another version of the protocol', (mine) => `device/status/v1/${mine}`],
    ['a topic below its own', (mine) => `${deviceTopics.status(mine)}/more`],
    ['the broker itself', () => '$SYS/broker'],
    ['anything else', () => 'house/light'],
  ];
  it.each(foreign)('refuses to publish to %s', async (_what, topicOf) => {
    const [mine, theirs] = [await connectPanel(url, panel.login), await connectPanel(url, other.login)];
    await untilPassed(side, () => isOnline(other), Boolean);
    const topic = topicOf(panel.login, other.login);
    const before = linesAbout('foreign_topic').length;
    const closed = new Promise<void>((gone) => mine.client.once('close', () => gone()));
    mine.client.publish(topic, JSON.stringify({ type: 'offline' }), { qos: 0, retain: true });
    await closed;
    expect(linesAbout('foreign_topic').length).toBe(before + 1);
    expect(linesAbout('foreign_topic').at(-1)).toContain(JSON.stringify(topic).slice(1, -1));
    // How devices stand is written once a second.
    if (topic.endsWith(other.login)) await pause(1_100);
    expect(await isOnline(other)).toBe(true);
    expect(theirs.asked).toEqual([]);
    await theirs.leave();
  });

  it.each(['#', '+/+/+/+', 'device/#', '$SYS/#', 'device/request/v0/+', 'device/status/v0/+'])('refuses to subscribe to %s', async (filter) => {
    const mine = await connectPanel(url, panel.login);
    const heard: string[] = [];
    mine.client.on('message', (topic) => heard.push(topic));
    await expect(mine.client.subscribeAsync(filter)).rejects.toThrow(/clos/i);
    const theirs = await connectPanel(url, other.login);
    await theirs.say({ type: 'heartbeat' });
    await pause(50);
    expect(heard).toEqual([]);
    expect(linesAbout('foreign_subscription').at(-1)).toContain(filter);
    await Promise.all([mine.leave(), theirs.leave()]);
  });

  it('refuses to hear the requests of another device', async () => {
    const mine = await connectPanel(url, panel.login);
    await expect(mine.client.subscribeAsync(deviceTopics.request(other.login))).rejects.toThrow(/clos/i);
    await mine.leave();
  });

  it('keeps nothing of a device but how it stands', async () => {
    const mine = await connectPanel(url, panel.login);
    const before = linesAbout('foreign_topic').length;
    const closed = new Promise<void>((gone) => mine.client.once('close', () => gone()));
    mine.client.publish(deviceTopics.response(panel.login), '{"id":"poison","ok":true}', { qos: 0, retain: true });
    await closed;
    expect(linesAbout('foreign_topic').length).toBe(before + 1);
  });

  it('does not publish the last will of a device in the name of another', async () => {
    const theirs = await connectPanel(url, other.login);
    await untilPassed(side, () => isOnline(other), Boolean);
    const mine = await connectPanel(url, panel.login, {
      will: { topic: deviceTopics.status(other.login), payload: Buffer.from('{"type":"offline"}'), qos: 1, retain: true },
    });
    mine.client.stream.destroy();
    await pause(1_500);
    expect(await isOnline(other)).toBe(true);
    await theirs.leave();
  });

  it('drops what cannot be read, says so, and goes on', async () => {
    const mine = await connectPanel(url, panel.login);
    for (const text of ['', 'no json', '[]', '{"type":"sing"}', '{"type":"event","event":"dance","at":"now"}'])
      await mine.client.publishAsync(deviceTopics.status(panel.login), text, { qos: 1 });
    await mine.client.publishAsync(deviceTopics.response(panel.login), '{"ok":"perhaps"}', { qos: 1 });
    await until(
      () => side.server.logged().split('"a word of a device cannot be read"').length - 1,
      (count) => count >= 5,
    );
    expect(side.server.logged()).toContain('a response cannot be read');
    expect(mine.client.connected).toBe(true);
    await mine.leave();
  });

  it('has every kind of refusal in the trail, with the device it was', async () => {
    expect(new Set(await side.refusedEntries())).toEqual(new Set(['too_many_tries', 'wrong_password', 'foreign_topic', 'foreign_subscription']));
  });
});

/** mosquitto's own programs where they are installed; otherwise a client of ours does the same. */
const hasMosquitto = spawnSync('mosquitto_pub', ['--help']).error === undefined;
async function publishAs(device: SavedDevice, topic: string, message: string): Promise<void> {
  if (!hasMosquitto) {
    const client = await connectAsync(url, { ...asPanel(device), reconnectPeriod: 0 });
    client.publish(topic, message, { qos: 1, retain: true });
    await pause(300);
    return client.endAsync(true);
  }
  const args = [
    '-h',
    '127.0.0.1',
    '-p',
    String(side.port),
    '-i',
    device.login,
    '-u',
    device.login,
    '-P',
    devicePassword,
    '-t',
    topic,
    '-m',
    message,
    '-r',
    '-q',
    '1',
  ];
  await new Promise<void>((done) => spawn('mosquitto_pub', args, { stdio: 'ignore' }).once('exit', () => done()));
}
async function listenAs(device: SavedDevice, filter: string): Promise<() => string> {
  let heard = '';
  if (hasMosquitto) {
    const args = [
      '-h',
      '127.0.0.1',
      '-p',
      String(side.port),
      '-i',
      device.login,
      '-u',
      device.login,
      '-P',
      devicePassword,
      '-t',
      filter,
      '-v',
      '-W',
      '2',
    ];
    spawn('mosquitto_sub', args, { stdio: ['ignore', 'pipe', 'ignore'] }).stdout.on('data', (part: Buffer) => (heard += part.toString()));
    await pause(300);
    return () => heard;
  }
  const client = await connectAsync(url, { ...asPanel(device), reconnectPeriod: 0 });
  client.on('message', (topic, payload) => (heard += `${topic} ${payload.toString()}`));
  client.subscribe(filter);
  return () => heard;
}

describe('another client of the field', () => {
  it('gets nowhere with the topics of another device, # and $SYS (P14)', async () => {
    const theirs = await connectPanel(url, other.login);
    await untilPassed(side, () => isOnline(other), Boolean);
    await publishAs(panel, deviceTopics.status(other.login), '{"type":"offline"}');
    await publishAs(panel, deviceTopics.request(other.login), '{"id":"1","kind":"open_door","body":{}}');
    for (const filter of ['#', '$SYS/#', deviceTopics.request(other.login)]) {
      const heard = await listenAs(panel, filter);
      await theirs.say({ type: 'heartbeat' });
      await pause(200);
      expect(heard()).toBe('');
    }
    await pause(900);
    expect(await isOnline(other)).toBe(true);
    expect(theirs.asked).toEqual([]);
    await theirs.leave();
  });
});

describe('the end of the broker', () => {
  it('does not wait for a connection that has not said who it is', async () => {
    const gateway = await openGateway(side.server.services, { host: '127.0.0.1', port: 0 });
    const { closed } = await bare(gateway.port ?? 0);
    const begun = performance.now();
    await gateway.close();
    await closed;
    expect(performance.now() - begun).toBeLessThan(inTime(3_000));
  });
});

describe('malice (V18)', () => {
  it('ends a connection that announces a large CONNECT before it has been sent, and keeps none of it', async () => {
    const before = residentMegabytes();
    const { socket, closed } = await bare();
    let sent = 0;
    socket.write(Buffer.from([0x10, ...lengthBytes(64 * 1_048_576)]));
    const chunk = Buffer.alloc(65_536, 1);
    const pour = setInterval(() => {
      if (!socket.writable || sent > 64 * 1_048_576) return;
      sent += chunk.length;
      socket.write(chunk);
    }, 1);
    await closed;
    clearInterval(pour);
    expect(sent).toBeLessThan(4 * 1_048_576);
    expect(residentMegabytes() - before).toBeLessThan(20);
    await until(
      () => linesAbout('too_large').length,
      (count) => count > 0,
    );
  });

  it('ends the connection of a device that sends a megabyte, before anybody hears of it', async () => {
    const mine = await connectPanel(url, panel.login);
    const before = linesAbout('too_large').length;
    const closed = new Promise<void>((gone) => mine.client.once('close', () => gone()));
    mine.client.publish(deviceTopics.status(panel.login), Buffer.alloc(1_048_576, 'x'), { qos: 0 });
    await closed;
    // The connection ends first; what is written of it follows.
    const lines = await until(
      () => linesAbout('too_large'),
      (all) => all.length > before,
    );
    expect(lines).toHaveLength(before + 1);
    expect(lines.at(-1)).toContain(panel.login);
    await until(
      () => side.refusedEntries(),
      (causes) => causes.includes('too_large'),
    );
  });

  it('gives a connection that says nothing, or only begins to, five seconds', async () => {
    const begun = performance.now();
    const silent = await bare();
    const slow = await bare();
    const whole = hello(panel);
    let at = 0;
    const drip = setInterval(() => slow.socket.writable && slow.socket.write(whole.subarray(at, (at += 1))), 700);
    await Promise.all([silent.closed, slow.closed]);
    clearInterval(drip);
    expect(performance.now() - begun).toBeGreaterThan(4_500);
    expect(performance.now() - begun).toBeLessThan(inTime(9_000));
  });

  it('outlives 300 connections of random bytes, and serves others meanwhile', async () => {
    const mine = await connectPanel(url, panel.login);
    const before = residentMegabytes();
    await Promise.all(
      Array.from({ length: 300 }, async (_, at) => {
        await pause(at * 3);
        const { socket, closed } = await bare();
        const bytes = randomBytes(1 + (at % 900));
        // Half of them look like a packet of MQTT at first.
        if (at % 2 === 0) bytes[0] = ((at % 15) + 1) << 4;
        socket.write(bytes);
        setTimeout(() => socket.destroy(), 400);
        await closed;
      }),
    );
    await mine.say({ type: 'heartbeat' });
    expect(mine.client.connected).toBe(true);
    expect(residentMegabytes() - before).toBeLessThan(300);
    await mine.leave();
  });

  it('outlives random bytes of a device that has signed in', async () => {
    for (let round = 0; round < 60; round += 1) {
      const { socket, closed } = await bare();
      socket.write(hello(panel));
      await pause(5);
      socket.write(randomBytes(1 + round * 7));
      setTimeout(() => socket.destroy(), 150);
      await closed;
    }
    const mine = await connectPanel(url, panel.login);
    expect(mine.client.connected).toBe(true);
    await mine.leave();
  });

  it('ends the connection of a device that hoards messages of QoS 2', async () => {
    const { socket, closed, heard } = await bare();
    socket.write(hello(panel));
    await until(
      () => heard().length,
      (length) => length >= 4,
    );
    // PUBREC of each message that was taken in: its first byte is 0x50, its length 2.
    const acknowledged = (): number => Array.from(heard()).filter((byte, at, all) => byte === 0x50 && all[at + 1] === 2).length;
    for (let id = 1; id <= 200 && socket.writable; id += 1) {
      socket.write(packet(0x34, field(deviceTopics.status(panel.login)), Buffer.from([id >> 8, id & 255]), Buffer.from('{"type":"heartbeat"}')));
      await pause(1);
    }
    await closed;
    expect(acknowledged()).toBeLessThanOrEqual(20);
  });

  it('takes no more connections from one address than it may have, and serves those that are open', async () => {
    const gateway = await openGateway(side.server.services, { host: '127.0.0.1', port: 0, perAddress: 8 });
    const mine = await connectPanel(`mqtt://127.0.0.1:${gateway.port}`, panel.login);
    const sockets = await Promise.all(Array.from({ length: 20 }, () => bare(gateway.port ?? 0)));
    const refused = (): number => side.server.logged().split('too many connections from its address').length - 1;
    await until(refused, (count) => count >= 13);
    expect(refused()).toBe(13);
    await mine.say({ type: 'heartbeat' });
    for (const { socket } of sockets) socket.destroy();
    // Whoever left has left a place.
    const late = await until(
      () => tryToSignIn(asPanel(other), `mqtt://127.0.0.1:${gateway.port}`),
      (outcome) => outcome === null,
    );
    expect([late, mine.client.connected]).toEqual([null, true]);
    await mine.leave();
    await gateway.close();
  });
});
