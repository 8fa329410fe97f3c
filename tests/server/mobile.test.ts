import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { allLicensed } from '#models/licence-info.ts';
import { initialGroupLicence } from '#models/licences.ts';
import type { MobilePush, ShownMobileSdk, ShownPushServer } from '#models/mobile.ts';
import { topics } from '#models/realtime.ts';
import { auditEvents, calls, groups, mobileClients, projectSettings, sessions } from '#server/db/schema/index.ts';
import { announce } from '#server/realtime/publish.ts';
import { buildEstate, clientOf, codeOf, dataOf, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';
import { longestWait } from '#tests/support/in-time.ts';

interface Got {
  headers: IncomingHttpHeaders;
  message: MobilePush;
}
let got: Got[] = [];
let status = 200;
const pushServer = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    got.push({ headers: request.headers, message: JSON.parse(Buffer.concat(parts).toString()) as MobilePush });
    response.writeHead(status).end();
  });
});
let server: TestServer;
let estate: Estate;
let boss: Person;
let viewer: Person;
let url = '';
const [sdk, push, clients] = ['/project-settings/mobile-sdk', '/project-settings/push-server', '/profile/mobile-clients'];
const key = 'The-Key-Of-Our-Apps-2026';
const phone = { client_id: 'client-1', platform: 'android', info: 'Pixel 9', vendor_id: 'vendor' };
const issuesOf = (answer: { json: () => unknown }): string[] =>
  (answer.json() as { data: { issues: { path: string[]; rule: string }[] } }).data.issues.map(({ path, rule }) => `${path.join('.')} ${rule}`);
const registered = () => server.services.db.select({ clientId: mobileClients.clientId, userId: mobileClients.userId }).from(mobileClients);

beforeAll(async () => {
  await new Promise<void>((done) => pushServer.listen(0, '127.0.0.1', done));
  url = `http://localhost:${(pushServer.address() as AddressInfo).port}/messages`;
  server = await openTestServer({ config: { integrationLoopback: true } });
  estate = await buildEstate(server.services);
  const { town } = estate.groups;
  const permissions = [
    'can_view_project_settings',
    'can_change_project_settings',
    'can_receive_call_as_concierge',
    'can_issue_ukey2',
    'can_view_ukey2',
    'can_view_users',
  ] as const;
  boss = await makePerson(server, estate, { permissions: [...permissions], in: [town] });
  viewer = await makePerson(server, estate, { permissions: ['can_view_project_settings'], in: [town] });
});
beforeEach(async () => {
  await server.services.db.delete(projectSettings);
  await server.services.db.delete(mobileClients);
});
afterEach(() => {
  got = [];
  status = 200;
});
afterAll(async () => {
  await server.close();
  await new Promise((done) => pushServer.close(done));
});

describe('the settings of mobile apps', () => {
  it('are changed by permission alone, and their secrets are never read back', async () => {
    for (const path of [sdk, push]) {
      expect((await viewer.client.get(path)).statusCode).toBe(200);
      expect(codeOf(await viewer.client.patch(path, {}))).toBe('forbidden');
    }
    expect(dataOf<ShownMobileSdk>(await boss.client.patch(sdk, { enabled: true, api_key: key }))).toEqual({ enabled: true, has_api_key: true });
    expect(dataOf<ShownPushServer>(await boss.client.patch(push, { enabled: true, url, token: 'push-secret' }))).toEqual({
      enabled: true,
      url,
      has_token: true,
    });
    const trail = await server.services.db.select().from(auditEvents).where(eq(auditEvents.area, 'project-settings'));
    expect(JSON.stringify(trail)).toContain('mobile_sdk.secret');
    for (const secret of [key, 'push-secret'])
      expect(JSON.stringify([trail, (await boss.client.get(sdk)).body, server.logged()])).not.toContain(secret);
  });

  it.each([
    [sdk, { enabled: true }, 'api_key required'],
    [sdk, { enabled: true, api_key: 'short' }, 'api_key min_length'],
    [push, { enabled: true }, 'url required'],
    [push, { enabled: true, url: 'http://169.254.169.254/latest' }, 'url address_not_allowed'],
  ])('%s: %j is refused', async (path, body, issue) => {
    expect(issuesOf(await boss.client.patch(path, body))).toEqual([issue]);
  });

  it('ask for the token again where it would go to another server', async () => {
    await boss.client.patch(push, { enabled: true, url, token: 'push-secret' });
    expect(issuesOf(await boss.client.patch(push, { url: 'https://elsewhere.example/' }))).toEqual(['token password_again']);
  });
});

describe('an API key that is required', () => {
  const activate = async (headers: Record<string, string>) => {
    const id = dataOf<string>(await boss.client.put('/identifiers/ukey2', { name: 'Phone', owner: viewer.id }));
    const { code } = dataOf<{ code: string }>(await boss.client.post(`/identifiers/ukey2/${id}/code`));
    const take = (more: Record<string, string>) => server.as(null).send('POST', '/ukey2/activation', { code, phone: 'Pixel 9' }, more);
    return { first: await take(headers), take };
  };

  it('is shown by an app that takes a mobile key; a code alone stays good and gives nothing', async () => {
    await boss.client.patch(sdk, { enabled: true, api_key: key });
    const { first, take } = await activate({});
    expect(codeOf(first)).toBe('outdated_link');
    expect(codeOf(await take({ 'x-api-key': `${key}!` }))).toBe('outdated_link');
    expect((await take({ 'x-api-key': key })).statusCode).toBe(200);
  });

  it('is shown by an app that makes itself known, and by nobody while it is not required', async () => {
    expect((await viewer.client.put(clients, phone)).statusCode).toBe(200);
    await boss.client.patch(sdk, { enabled: true, api_key: key });
    expect(codeOf(await viewer.client.put(clients, { ...phone, client_id: 'client-2' }))).toBe('forbidden');
    expect((await viewer.client.send('PUT', clients, { ...phone, client_id: 'client-2' }, { 'x-api-key': key })).statusCode).toBe(200);
    expect((await registered()).map(({ clientId }) => clientId).toSorted()).toEqual(['client-1', 'client-2']);
  });
});

describe('a mobile app', () => {
  it('is of the person who signed in to it last, once, until they sign out of it', async () => {
    await viewer.client.put(clients, phone);
    await viewer.client.put(clients, { ...phone, info: 'Pixel 10' });
    await boss.client.put(clients, phone);
    expect(await registered()).toEqual([{ clientId: 'client-1', userId: boss.id }]);
    expect((await viewer.client.delete(`${clients}/client-1`)).statusCode).toBe(200);
    expect(await registered()).toHaveLength(1);
    expect((await boss.client.delete(`${clients}/client-1`)).statusCode).toBe(200);
    expect(await registered()).toEqual([]);
  });

  it('takes a seat: one more than the group counts is refused', async () => {
    const { db } = server.services;
    const limited = { ...initialGroupLicence, info: { ...allLicensed, mobile_app: { ...allLicensed.mobile_app, license_count: 1 } } };
    await boss.client.put(clients, phone);
    await db.update(groups).set({ licence: limited }).where(eq(groups.id, estate.groups.town));
    // The one there is may say so again.
    const again = await boss.client.put(clients, phone);
    const more = await viewer.client.put(clients, { ...phone, client_id: 'client-2' });
    await db.update(groups).set({ licence: {} }).where(eq(groups.id, estate.groups.town));
    expect([again.statusCode, codeOf(more)]).toEqual([200, 'apps_over_group']);
    expect(await registered()).toHaveLength(1);
  });
});

describe('a push for an app', () => {
  async function callTheDesk(): Promise<string> {
    const { db, now } = server.services;
    const id = randomUUID();
    const row = { id, projectId: estate.here, callerNumber: '2001', calleeNumber: '1000', callerDomainId: estate.groups.town };
    await db.insert(calls).values({ ...row, type: 'awaiting', status: 'calling', createdAt: now(), sos: true });
    const call = { id, type: 'awaiting', status: 'calling', answered_by: null };
    await announce(db, [{ project: estate.here, topic: topics.calls('1000'), name: 'CallUpdated', payload: { call } }]);
    return id;
  }
  const arrived = (count: number) => vi.waitFor(() => expect(got).toHaveLength(count), { timeout: longestWait, interval: 10 });

  it('goes to the push server of the project with its token, for those who have the call in sight', async () => {
    await boss.client.patch(push, { enabled: true, url, token: 'push-secret' });
    await boss.client.put(clients, phone);
    await viewer.client.put(clients, { ...phone, client_id: 'client-2' });
    const id = await callTheDesk();
    await arrived(1);
    expect(got[0]?.headers).toMatchObject({ authorization: 'Bearer push-secret', 'content-type': 'application/json' });
    expect(got[0]?.message).toEqual({
      client_id: 'client-1',
      platform: 'android',
      vendor_id: 'vendor',
      kind: 'sos',
      title: 'SOS call',
      body: 'Open the console to answer it.',
      tag: `call-${id}`,
      path: '/home',
    });
    // A second call proves that the first is sent once, to one app.
    await callTheDesk();
    await arrived(2);
  });

  it('is not sent to an app whose session is over, until somebody signs in to it again', async () => {
    await boss.client.patch(push, { enabled: true, url });
    await boss.client.put(clients, phone);
    await server.services.db.delete(sessions).where(eq(sessions.userId, boss.id));
    await callTheDesk();
    boss = { ...boss, client: await clientOf(server, boss.id) };
    await boss.client.put(clients, { ...phone, client_id: 'client-2' });
    await callTheDesk();
    // The second call proves that the first went nowhere.
    await arrived(1);
    expect(got[0]?.message.client_id).toBe('client-2');
  });

  it('is not sent while the push server is switched off, and an app that it does not know keeps its seat', async () => {
    await boss.client.patch(push, { enabled: false, url });
    await boss.client.put(clients, phone);
    await callTheDesk();
    await boss.client.patch(push, { enabled: true });
    status = 404;
    await callTheDesk();
    await arrived(1);
    expect(await registered()).toHaveLength(1);
  });
});
