import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, randomUUID, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PushMessage } from '#models/push-calls.ts';
import { topics } from '#models/realtime.ts';
import { calls, groups, pushSubscriptions, userDomains, users } from '#server/db/schema/index.ts';
import { notify } from '#server/modules/notifications/notify.ts';
import { encryptPush } from '#server/push/encrypt.ts';
import { announce } from '#server/realtime/publish.ts';
import { type Client, openTestServer, type TestServer } from './support.ts';
import { seedWorld } from './world.ts';
import { longestWait } from '#tests/support/in-time.ts';

const derive = (key: Uint8Array, salt: Uint8Array, info: Buffer, length: number): Buffer => Buffer.from(hkdfSync('sha256', key, salt, info, length));

/** A browser as a push service knows it; it reads what was encrypted for it (RFC 8291). */
function browser() {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  const auth = randomBytes(16);
  const path = `/${randomUUID()}`;
  return {
    path,
    keys: { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') },
    read(body: Buffer): PushMessage {
      const [salt, theirs, sealed] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
      const key = derive(ecdh.computeSecret(theirs), auth, Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), theirs]), 32);
      const decipher = createDecipheriv(
        'aes-128-gcm',
        derive(key, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
        derive(key, salt, Buffer.from('Content-Encoding: nonce\0'), 12),
      );
      decipher.setAuthTag(sealed.subarray(-16));
      const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      expect(text.at(-1)).toBe(2);
      return JSON.parse(text.subarray(0, -1).toString()) as PushMessage;
    },
  };
}

interface Got {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}
let server: TestServer;
let got: Got[] = [];
let respond: (response: ServerResponse) => void;
const created = (response: ServerResponse): void => void response.writeHead(201).end();
const service = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    got.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) });
    respond(response);
  });
});
let url = '';
const problemOf = (answer: { json: () => unknown }) => (answer.json() as { error?: { code: string } }).error?.code;
const dataOf = <T>(answer: { json: () => unknown }): T => (answer.json() as { data: T }).data;

beforeAll(async () => {
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
  url = `http://localhost:${(service.address() as AddressInfo).port}`;
  server = await openTestServer({ seed: seedWorld, config: { integrationLoopback: true } });
});
afterEach(() => {
  got = [];
  respond = created;
});
afterAll(async () => {
  await server.close();
  await new Promise((done) => service.close(done));
});
respond = created;

async function subscribed(login: string) {
  const client = await server.signIn(login);
  const own = browser();
  const answer = await client.put('/profile/push', { endpoint: url + own.path, keys: own.keys });
  expect(answer.statusCode, answer.body).toBe(200);
  return { client, ...own };
}
const personOf = async (login: string) => {
  const [person] = await server.services.db.select().from(users).where(eq(users.login, login));
  if (!person) throw new Error(`nobody is called ${login}`);
  return person;
};
async function callTheDesk(more: { sos?: boolean; callerUserId?: string } = {}) {
  const { db, now } = server.services;
  const boss = await personOf('boss');
  const [place] = await db.select({ id: userDomains.groupId }).from(userDomains).where(eq(userDomains.userId, boss.id));
  const [any] = await db.select({ id: groups.id }).from(groups).where(eq(groups.projectId, boss.projectId));
  const id = randomUUID();
  const row = { id, projectId: boss.projectId, callerNumber: '2001', calleeNumber: '1000', callerDomainId: place?.id ?? any?.id ?? null };
  await db.insert(calls).values({ ...row, type: 'awaiting', status: 'calling', createdAt: now(), ...more });
  const call = { id, type: 'awaiting', status: 'calling', answered_by: null };
  const announced = { project: boss.projectId, topic: topics.calls('1000'), name: 'CallUpdated' as const, payload: { call } };
  await announce(db, [announced, { ...announced, topic: topics.calls('2001') }]);
  return { id, again: () => announce(db, [announced]) };
}
/** All that a push service was sent by the time that what is awaited has come. */
const arrived = (count: number) => vi.waitFor(() => expect(got).toHaveLength(count), { timeout: longestWait, interval: 10 });
const gone = async ({ client }: { client: Client }) => void (await client.send('DELETE', '/profile/push'));

it('a message is encrypted as RFC 8291 has it (section 5)', () => {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url');
  const keys = { p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4', auth: 'BTBZMqHH6r4Tts7J_aSIgg' };
  const made = { ecdh, salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url') };
  expect(encryptPush(keys, 'When I grow up, I want to be a watermelon', made).toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

describe('a call of the desk', () => {
  it('reaches who has it in sight, once, encrypted, and nobody else', async () => {
    const [boss, guest] = [await subscribed('boss'), await subscribed('guest')];
    const { id, again } = await callTheDesk({ sos: true });
    await arrived(1);
    await again();
    const second = await callTheDesk();
    await arrived(2);
    const [sos, plain] = got;
    expect(got.map(({ path }) => path)).toEqual([boss.path, boss.path]);
    expect(sos && boss.read(sos.body)).toEqual({ title: 'SOS call', body: 'Open the console to answer it.', tag: `call-${id}`, path: '/home' });
    expect(plain && boss.read(plain.body).tag).toBe(`call-${second.id}`);
    expect(sos?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high', ttl: '120' });
    await Promise.all([gone(boss), gone(guest)]);
  });

  it('is signed with the key that browsers subscribe with, for this push service alone', async () => {
    const boss = await subscribed('boss');
    const key = dataOf<{ public_key: string }>(await boss.client.get('/profile/push/key')).public_key;
    await callTheDesk();
    await arrived(1);
    const [, token = '', shown] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(String(got[0]?.headers.authorization)) ?? [];
    const [head = '', claims = '', signature = ''] = token.split('.');
    const point = Buffer.from(key, 'base64url');
    const jwk = { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') };
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
    expect(shown).toBe(key);
    expect(
      verify('sha256', Buffer.from(`${head}.${claims}`), { key: publicKey, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')),
    ).toBe(true);
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ aud: url });
    await gone(boss);
  });

  it('does not reach who calls, who has signed out, and who has turned it off', async () => {
    const [boss, left, off] = [await subscribed('boss'), await subscribed('boss'), await subscribed('boss')];
    await left.client.post('/logout');
    await gone(off);
    await callTheDesk({ callerUserId: (await personOf('boss')).id });
    await callTheDesk();
    await arrived(1);
    expect(got[0]?.path).toBe(boss.path);
    await gone(boss);
  });
});

it('an alarm that is raised reaches its reader, one that is over does not', async () => {
  const guest = await subscribed('guest');
  const person = await personOf('guest');
  const notice = { projectId: person.projectId, data: {}, at: server.services.now() };
  await notify(server.services.db, { ...notice, type: 'alarm_processed' }, [person.id]);
  await notify(server.services.db, { ...notice, type: 'alarm_enabled' }, [person.id]);
  await arrived(1);
  expect(got[0] && guest.read(got[0].body)).toMatchObject({ title: 'Alarm raised', path: '/notifications?type=alarm' });
  await gone(guest);
});

describe('an emergency alert', () => {
  const ask = async (client: Client, path: string, body?: object) => expect((await client.post(path, body)).statusCode).toBe(200);
  async function prepared(client: Client): Promise<string> {
    const boss = await personOf('boss');
    const [any] = await server.services.db
      .select({ id: groups.id })
      .from(groups)
      .where(eq(groups.projectId, boss.projectId))
      .orderBy(groups.createdAt);
    return dataOf<string>(
      await client.put('/emergency-alerts', { name: 'Fire', message: 'Leave the house \u202Eby the stairs', domains: [any?.id] }),
    );
  }

  it('reaches closed pages in its own words, once, and says when it is over', async () => {
    const boss = await subscribed('boss');
    const id = await prepared(boss.client);
    await ask(boss.client, `/emergency-alerts/${id}/start`, { is_drill: false });
    await arrived(1);
    const notices = got.map(({ body }) => boss.read(body));
    expect(notices[0]).toMatchObject({ title: 'Emergency: Fire', body: 'Leave the house \u202Eby the stairs', path: '/home' });
    expect(got[0]?.headers).toMatchObject({ urgency: 'high', ttl: '3600' });
    await ask(boss.client, `/emergency-alerts/${id}/seen`);
    await ask(boss.client, `/emergency-alerts/${id}/stop`);
    await arrived(2);
    const over = got[1] && boss.read(got[1].body);
    expect(over).toEqual({ title: 'Ended: Fire', body: 'This alert has been stopped.', tag: notices[0]?.tag, path: '/home' });
    expect(got[1]?.headers['topic']).toBe(got[0]?.headers['topic']);
    server.pass(1);
    await ask(boss.client, `/emergency-alerts/${id}/start`, { is_drill: true });
    await arrived(3);
    expect(got[2] && boss.read(got[2].body)).toMatchObject({ title: 'Drill: Fire' });
    expect(got[2] && boss.read(got[2].body).tag).not.toBe(notices[0]?.tag);
    await ask(boss.client, `/emergency-alerts/${id}/stop`);
    await arrived(4);
    await gone(boss);
  });

  it('that is over is tried no more at a browser that was not reached, and nobody hears its end who did not hear its begin', async () => {
    const boss = await subscribed('boss');
    const id = await prepared(boss.client);
    respond = (response) => void response.writeHead(503, { 'retry-after': '1' }).end();
    await ask(boss.client, `/emergency-alerts/${id}/start`, { is_drill: false });
    await arrived(1);
    respond = created;
    const late = await subscribed('boss');
    await ask(boss.client, `/emergency-alerts/${id}/stop`);
    await arrived(2);
    await callTheDesk();
    await vi.waitFor(() => expect(got.filter(({ path }) => path === late.path)).toHaveLength(1), { timeout: longestWait, interval: 10 });
    await vi.waitFor(async () => expect((await server.app.inject('/metrics')).body).toMatch(/doorward_pushes_total\{outcome="dropped"\} 1/), {
      timeout: longestWait,
    });
    expect(got.filter(({ path }) => path === boss.path).map(({ body }) => boss.read(body).title)).toEqual([
      'Emergency: Fire',
      'Ended: Fire',
      'Call waiting',
    ]);
    expect(got.filter(({ path }) => path === late.path).map(({ body }) => late.read(body).title)).toEqual(['Call waiting']);
    await Promise.all([gone(boss), gone(late)]);
  });
});

describe('a push service', () => {
  it('that knows a browser no longer is not asked again; one that is busy is', async () => {
    const boss = await subscribed('boss');
    let tries = 0;
    respond = (response) => {
      tries += 1;
      if (tries === 1) response.writeHead(429, { 'retry-after': '0' }).end();
      else if (tries === 2) response.writeHead(503, { 'retry-after': '0' }).end();
      else created(response);
    };
    await callTheDesk();
    await arrived(3);
    respond = (response) => void response.writeHead(410).end();
    await callTheDesk();
    await vi.waitFor(async () => expect(dataOf(await boss.client.get('/profile/push'))).toEqual({ endpoint: null }), { timeout: longestWait });
    expect(await server.services.db.$count(pushSubscriptions)).toBe(0);
    expect((await server.app.inject('/metrics')).body).toMatch(/doorward_pushes_total\{outcome="gone"\} 1/);
  });

  it('is none that lies in a private network, on this machine, or is reached without encryption', async () => {
    const { client, keys } = { client: await server.signIn('boss'), ...browser() };
    const refused = async (endpoint: string) => problemOf(await client.put('/profile/push', { endpoint, keys }));
    const inside = ['https://10.0.0.8/x', 'https://192.168.1.4/x', 'https://172.20.0.1/x', 'https://[fd00::1]/x', 'https://169.254.169.254/x'];
    for (const endpoint of inside) expect([endpoint, await refused(endpoint)]).toEqual([endpoint, 'invalid_data']);
    const config: { integrationLoopback: boolean } = server.services.config;
    config.integrationLoopback = false;
    for (const endpoint of ['http://push.example.org/x', 'https://127.0.0.1/x', 'https://localhost/x'])
      expect([endpoint, await refused(endpoint)]).toEqual([endpoint, 'invalid_data']);
    config.integrationLoopback = true;
    expect(problemOf(await client.put('/profile/push', { endpoint: 'https://push.example.org/x', keys: { ...keys, p256dh: 'AAAA' } }))).toBe(
      'invalid_data',
    );
  });

  it('reaches a browser for one session: that of who signed in last', async () => {
    const [boss, guest] = [await subscribed('boss'), await server.signIn('guest')];
    expect((await guest.put('/profile/push', { endpoint: url + boss.path, keys: boss.keys })).statusCode).toBe(200);
    expect(dataOf(await boss.client.get('/profile/push'))).toEqual({ endpoint: null });
  });
});
