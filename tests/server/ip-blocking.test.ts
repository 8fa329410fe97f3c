import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { IpBlocking } from '#models/ip-blocking.ts';
import { blocksOf } from '#server/blocks.ts';
import { auditEvents, ipWhitelist, users } from '#server/db/schema/index.ts';
import { Admission } from '#server/devices/admission.ts';
import { buildEstate, dataOf, type Estate, makePerson, type Person } from './estate.ts';
import { SipClient } from './sip-client.ts';
import { openTestSip, type TestSip } from './sip-support.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let sip: TestSip;
let estate: Estate;
let boss: Person;

beforeAll(async () => {
  server = await openTestServer({ config: { signInTries: 3, signInTriesPerIp: 20, trustedProxies: 'loopback' } });
  const { services } = server;
  await server.app.ready();
  estate = await buildEstate(services);
  boss = await makePerson(server, estate, {
    permissions: ['can_view_system_info', 'can_change_project_settings', 'can_view_all_users'],
    in: [estate.groups.town],
  });
  sip = await openTestSip({
    config: {
      host: '127.0.0.1',
      tls: null,
      publicUrl: 'http://localhost:8080',
      socketsPerIp: 1_000,
      trustedProxies: 'loopback',
      sipPort: 0,
      sipUdp: { host: '127.0.0.1', port: 0 },
    },
    now: services.now,
    limiter: (limits, now) => blocksOf(services).limiter('sip_ws', limits, now),
  });
});
afterAll(async () => {
  await sip.close();
  await server.close();
});
afterEach(async () => {
  await server.services.db.delete(ipWhitelist);
  await blocksOf(server.services).read(server.services.db);
  blocksOf(server.services).forgive(null);
});

const overview = async () => dataOf<IpBlocking>(await boss.client.get('/ip-blocking'));
const from = (ip: string) => ({ 'x-forwarded-for': ip });
const signIn = (ip: string, login: string, word = 'wrong') => server.as(null).post('/login', { login, password: word }, from(ip));
/** So many registrations that fail, each over a connection of its own. */
async function wrongRegistrations(ip: string, numbers: readonly string[]): Promise<(number | null)[]> {
  const answers: (number | null)[] = [];
  for (const number of numbers) {
    const phone = await SipClient.open(sip.options(number, { headers: from(ip), password: 'wrong' }));
    answers.push((await phone.register()).status);
    phone.close();
  }
  return answers;
}
const registers = async (ip: string, number: string): Promise<number | null> => {
  const phone = await SipClient.open(sip.options(number, { headers: from(ip) }));
  const { status } = await phone.register();
  phone.close();
  return status;
};

describe('blocked addresses', () => {
  it('40 wrong registrations from one address stand in the list with their cause, and unblocking works at once', async () => {
    const answers = await wrongRegistrations(
      '203.0.113.7',
      Array.from({ length: 40 }, () => '1001'),
    );
    expect(answers.filter((status) => status === 503).length).toBeGreaterThan(10);
    const { banned } = await overview();
    expect(banned).toMatchObject([{ ip: '203.0.113.7', way: 'sip_ws', cause: 'AUTH_FAILED' }]);
    expect(banned[0]?.tries).toBeGreaterThanOrEqual(25);
    expect(Date.parse(banned[0]?.until ?? '')).toBeGreaterThan(server.services.now().getTime());
    expect(await registers('203.0.113.7', '1001')).toBe(503);
    expect(await registers('203.0.113.8', '1001')).toBe(200);

    const after = dataOf<IpBlocking>(await boss.client.post('/ip-blocking/unban', { ips: ['203.0.113.7'] }));
    expect(after.banned).toEqual([]);
    expect(await registers('203.0.113.7', '1001')).toBe(200);
    const trail = await server.services.db.select().from(auditEvents).where(eq(auditEvents.area, 'system'));
    expect(trail.at(-1)?.changes).toMatchObject({ banned: { before: ['203.0.113.7'] } });
  });

  it('numbers that there are not are a cause of their own; who proves a number from there is let in', async () => {
    await wrongRegistrations(
      '203.0.113.9',
      Array.from({ length: 40 }, (_, at) => String(7_000 + at)),
    );
    expect((await overview()).banned).toMatchObject([{ ip: '203.0.113.9', way: 'sip_ws', cause: 'WRONG_NUMBER' }]);
    expect(await registers('203.0.113.9', '1002')).toBe(200);
  });

  it('sign-in and devices stand beside them, and all are unblocked together', async () => {
    for (let time = 0; time < 3; time += 1) await signIn('198.51.100.4', 'nobody');
    const [known] = await server.services.db.select({ login: users.login }).from(users).where(eq(users.id, boss.id));
    for (let time = 0; time < 3; time += 1) await signIn('198.51.100.44', known?.login ?? '');
    const admission = new Admission(server.services);
    for (let time = 0; time < 6; time += 1) await admission.admit('PN-404', 'wrong', '::ffff:198.51.100.5');
    await wrongRegistrations(
      '198.51.100.6',
      Array.from({ length: 6 }, () => '1003'),
    );
    const { banned } = await overview();
    expect(banned.map(({ ip, way, cause }) => [ip, way, cause]).toSorted(([one = ''], [other = '']) => one.localeCompare(other))).toEqual([
      ['198.51.100.4', 'sign_in', 'UNKNOWN'],
      // Of a login that there is, the password was wrong.
      ['198.51.100.44', 'sign_in', 'AUTH_FAILED'],
      ['198.51.100.5', 'mqtt', 'UNKNOWN'],
      ['198.51.100.6', 'sip_ws', 'AUTH_FAILED'],
    ]);
    expect((await signIn('198.51.100.4', 'nobody')).statusCode).toBe(423);
    const status = dataOf<{ banned: number; whitelisted: number }>(await boss.client.get('/ip-blocking/status'));
    expect(status).toEqual({ is_active: true, banned: 4, whitelisted: 0 });
    expect(dataOf<IpBlocking>(await boss.client.post('/ip-blocking/unban-all')).banned).toEqual([]);
    expect((await signIn('198.51.100.4', 'nobody')).statusCode).toBe(401);
  });

  it('the address behind a proxy is counted, never the proxy’s own', async () => {
    for (let time = 0; time < 4; time += 1) await signIn('192.0.2.77', 'nobody');
    expect((await overview()).banned.map(({ ip }) => ip)).toEqual(['192.0.2.77']);
  });

  it('ends by itself', async () => {
    for (let time = 0; time < 3; time += 1) await signIn('192.0.2.78', 'nobody');
    expect((await overview()).banned).toHaveLength(1);
    server.pass(61_000);
    expect((await overview()).banned).toEqual([]);
  });
});

describe('the whitelist', () => {
  it('holds addresses and ranges that are never blocked, and frees who was', async () => {
    for (let time = 0; time < 3; time += 1) await signIn('198.51.100.20', 'nobody');
    expect((await signIn('198.51.100.20', 'nobody')).statusCode).toBe(423);
    const added = await boss.client.post('/ip-blocking/whitelist', { ips: ['198.51.100.0/24', '2001:db8::1'] });
    expect(dataOf<IpBlocking>(added)).toMatchObject({ banned: [], whitelist: [{ ip: '198.51.100.0/24' }, { ip: '2001:db8::1' }] });
    for (let time = 0; time < 30; time += 1) expect((await signIn('198.51.100.20', 'nobody')).statusCode).toBe(401);
    const answers = await wrongRegistrations(
      '198.51.100.30',
      Array.from({ length: 40 }, () => '1005'),
    );
    expect(new Set(answers)).toEqual(new Set([403]));
    expect((await overview()).banned).toEqual([]);

    await boss.client.post('/ip-blocking/whitelist/delete', { ips: ['198.51.100.0/24'] });
    for (let time = 0; time < 3; time += 1) await signIn('198.51.100.20', 'nobody');
    expect((await overview()).banned.map(({ ip }) => ip)).toEqual(['198.51.100.20']);
  });

  it.each(['', 'localhost', '300.1.1.1', '10.0.0.0/33', '0.0.0.0/0', '::/0', '10.0.0.1, 10.0.0.2'])('refuses %j', async (ip) => {
    expect((await boss.client.post('/ip-blocking/whitelist', { ips: [ip] })).statusCode).toBe(422);
  });
});

it('is shown to those who see the system, and changed by those who change settings', async () => {
  const viewer = await makePerson(server, estate, { permissions: ['can_view_system_info'], in: [] });
  const none = await makePerson(server, estate, { permissions: [], in: [] });
  expect((await viewer.client.get('/ip-blocking')).statusCode).toBe(200);
  expect((await none.client.get('/ip-blocking')).statusCode).toBe(403);
  expect((await none.client.get('/ip-blocking/status')).statusCode).toBe(403);
  for (const [path, body] of [
    ['unban', { ips: ['192.0.2.1'] }],
    ['unban-all', undefined],
    ['whitelist', { ips: ['192.0.2.1'] }],
    ['whitelist/delete', { ips: ['192.0.2.1'] }],
  ] as const)
    expect((await viewer.client.post(`/ip-blocking/${path}`, body)).statusCode, path).toBe(403);
  expect((await server.as(null).get('/ip-blocking')).statusCode).toBe(401);
});
