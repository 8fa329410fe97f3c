import type { ServerResponse } from 'node:http';
import { createHmac, randomUUID } from 'node:crypto';
import { Transformer } from '@napi-rs/image';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { defaultDeviceSettings } from '#models/device-settings.ts';
import type { Delivery, DevicePicture } from '#models/integration-calls.ts';
import type { Integration } from '#models/integrations.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { auditEvents, devices, integrations, notifications } from '#server/db/schema/index.ts';
import { storeEvent } from '#server/devices/inbox.ts';
import type { Pace } from '#server/integrations/webhook-messages.ts';
import { Webhooks } from '#server/integrations/webhooks.ts';
import { raiseAlarm } from '#server/modules/device-alarms/alarms.ts';
import { until } from './devices-support.ts';
import { buildEstate, dataOf, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { form, plainForm } from './hostile-files.ts';
import { selfSigned } from '#tests/support/certificates.ts';
import { isDigestRight, openReceiver, type Receiver } from './integration-support.ts';
import { openTestServer, type TestServer } from './support.ts';

const secret = 'a signing secret of a test';
const pace: Pace = { timeout: 700, pauses: [20, 40, 60], givenUpAfter: 60_000 };
let server: TestServer;
let estate: Estate;
let boss: Person;
let receiver: Receiver;
let webhooks: Webhooks;
const opened: Receiver[] = [];

const open = async (...given: Parameters<typeof openReceiver>): Promise<Receiver> => {
  const one = await openReceiver(...given);
  opened.push(one);
  return one;
};
const send = async (quick: Pace = pace): Promise<void> => {
  webhooks = new Webhooks(server.services, quick);
  await webhooks.open();
};

beforeAll(async () => {
  server = await openTestServer({ config: { integrationLoopback: true } });
  let shift = 0;
  Object.assign(server.services, { now: () => new Date(Date.now() + shift) });
  const { pass: turn } = server;
  server.pass = (ms) => {
    shift += ms;
    turn(ms);
  };
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town] });
  await send();
});
afterEach(async () => {
  await server.services.db.delete(integrations);
});
afterAll(async () => {
  await webhooks.close();
  await Promise.all(opened.map((one) => one.close()));
  await server.close();
});

const nameFor = () => randomUUID().slice(0, 20);
const hook = (over: Record<string, unknown> = {}) => ({
  name: nameFor(),
  type: 'webhook',
  url: `${receiver.url}/${nameFor()}`,
  secret,
  events: { device_events: true, alarms: true, calls: true, access: true },
  ...over,
});
const make = async (over: Record<string, unknown> = {}, who = boss): Promise<string> => {
  const answer = await who.client.put('/integrations', hook(over));
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<string>(answer);
};
const row = async (id: string): Promise<Integration> => dataOf<Integration>(await boss.client.get(`/integrations/${id}`));
const log = async (id: string): Promise<Delivery[]> => dataOf<Delivery[]>(await boss.client.get(`/integrations/${id}/deliveries`));

const doorIn = async (group: string, over: Partial<typeof devices.$inferInsert> = {}) => {
  const [door] = await server.services.db
    .insert(devices)
    .values({ ...deviceRow({ projectId: estate.here, domainId: group }), ...over })
    .returning();
  if (!door) throw new Error('no device');
  return { id: door.id, name: door.name, projectId: door.projectId };
};
type Door = Awaited<ReturnType<typeof doorIn>>;
const happens = (door: Door, event: 'access_granted' | 'door_held' | 'access_denied' = 'access_granted') =>
  storeEvent(server.services, door, {
    type: 'event',
    event,
    at: server.services.now().toISOString(),
    identifier: { id: null, type: 'card', value: '00AB12CD' },
  });

describe('a webhook', () => {
  beforeAll(async () => {
    receiver = await open();
  });
  afterEach(() => {
    receiver.got.length = 0;
    receiver.answer((_got, response) => response.writeHead(204).end());
  });

  it('is told what happened, signed with its time and a delivery id', async () => {
    const id = await make();
    const door = await doorIn(estate.groups.n1);
    await happens(door);
    const [got] = await until(
      () => receiver.got,
      (all) => all.length === 1,
    );
    if (!got) throw new Error('nothing came');
    const { headers, body } = got;
    const delivery = JSON.parse(body) as { id: string; kind: string; event: string; data: Record<string, unknown> };
    expect(delivery).toMatchObject({
      kind: 'access',
      event: 'access_granted',
      data: { device: { id: door.id, name: door.name }, identifier: { ends_with: '12CD' } },
    });
    expect(body).not.toContain('00AB12CD');
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'doorward-delivery': delivery.id, 'idempotency-key': delivery.id });
    const signed = createHmac('sha256', secret).update(`${headers['doorward-timestamp']}.${delivery.id}.${body}`).digest('hex');
    expect(headers['doorward-signature']).toBe(`v1=${signed}`);
    expect(Math.abs(Number(headers['doorward-timestamp']) - Date.now() / 1_000)).toBeLessThan(60);
    const [entry] = await until(
      () => log(id),
      ([first]) => first?.delivered_at !== null,
    );
    expect(entry).toMatchObject({ id: delivery.id, event: 'access_granted', status: 204, error: null, attempts: 1, next_at: null });
  });

  it('is told of alarms and events of devices by kind, and of nothing it did not ask for', async () => {
    await make({ events: { device_events: false, alarms: true, calls: false, access: false } });
    const door = await doorIn(estate.groups.n1);
    await happens(door);
    await happens(door, 'door_held');
    await raiseAlarm(server.services, { deviceId: door.id, sensor: 'smoke', at: server.services.now() });
    const all = await until(
      () => receiver.got,
      ({ length }) => length > 0,
    );
    expect(all.map(({ headers }) => headers['doorward-event'])).toEqual(['alarm_enabled']);
  });

  it('keeps the order of what happened while the receiver refuses, and sends each under its one id', async () => {
    const id = await make();
    const door = await doorIn(estate.groups.n1);
    let failures = 3;
    receiver.answer((_got, response) => response.writeHead((failures -= 1) >= 0 ? 503 : 200).end());
    for (const event of ['access_granted', 'door_held', 'access_denied'] as const) await happens(door, event);
    await until(
      () => row(id),
      ({ waiting_count: waiting }) => waiting === 0,
    );
    const events = receiver.got.map(({ headers }) => headers['doorward-event']);
    expect(events).toEqual(['access_granted', 'access_granted', 'access_granted', 'access_granted', 'door_held', 'access_denied']);
    const ids = receiver.got.map(({ headers }) => headers['doorward-delivery']);
    expect(new Set(ids).size).toBe(3);
    expect(new Set(ids.slice(0, 4)).size).toBe(1);
    expect((await log(id)).map(({ event, attempts }) => [event, attempts])).toEqual([
      ['access_denied', 1],
      ['door_held', 1],
      ['access_granted', 4],
    ]);
    expect(await row(id)).toMatchObject({ state: 'working', failing_since: null, last_error: null });
  });

  it('loses nothing over a restart, and sends what was under way again', async () => {
    const id = await make();
    const door = await doorIn(estate.groups.n1);
    receiver.answer(() => undefined);
    await happens(door);
    await until(
      () => receiver.got,
      ({ length }) => length === 1,
    );
    await webhooks.close();
    await happens(door, 'door_held');
    receiver.answer((_got, response) => response.writeHead(200).end());
    await send();
    await until(
      () => row(id),
      ({ waiting_count: waiting }) => waiting === 0,
    );
    const [first, again, next] = receiver.got.map(({ headers }) => headers['doorward-delivery']);
    expect(again).toBe(first);
    expect(next).not.toBe(first);
    expect(receiver.got).toHaveLength(3);
  });

  it('is given up when nothing was taken for long, says so, and goes on when it is resumed', async () => {
    await webhooks.close();
    await send({ ...pace, givenUpAfter: 80 });
    const outsider = await makePerson(server, estate, { permissions: ['can_edit_descendant_groups'], in: [estate.groups.town] });
    const id = await make();
    const door = await doorIn(estate.groups.n1);
    receiver.answer((_got, response) => response.writeHead(500).end('inner secrets of the receiver'));
    await happens(door);
    const stopped = await until(
      () => row(id),
      ({ state }) => state === 'stopped',
    );
    expect(stopped).toMatchObject({ last_error: '500', waiting_count: 1 });
    const notified = await server.services.db.select().from(notifications).where(eq(notifications.type, 'integration_stopped'));
    expect(notified.map(({ userId }) => userId)).toContain(boss.id);
    expect(notified.map(({ userId }) => userId)).not.toContain(outsider.id);
    expect(notified[0]?.data).toEqual({ title: stopped.name, integration_id: id });
    expect(JSON.stringify(await log(id))).not.toContain('inner secrets');
    const tries = receiver.got.length;
    await happens(door, 'door_held');
    expect((await row(id)).waiting_count).toBe(1);
    expect((await boss.client.post(`/integrations/${id}/test`)).statusCode).toBe(405);
    expect(receiver.got).toHaveLength(tries);
    receiver.answer((_got, response) => response.writeHead(200).end());
    const resumed = await boss.client.post(`/integrations/${id}/resume`);
    expect(resumed.statusCode, resumed.body).toBe(200);
    const settled = await server.services.db.select().from(notifications).where(eq(notifications.type, 'integration_stopped'));
    expect(settled.length).toBeGreaterThan(0);
    expect(settled.filter(({ readAt }) => readAt === null)).toEqual([]);
    await until(
      () => row(id),
      ({ waiting_count: waiting, state }) => waiting === 0 && state === 'working',
    );
    await webhooks.close();
    await send();
  });

  it('follows no redirect, and waits for no answer longer than it may', async () => {
    const canary = await open();
    const id = await make();
    receiver.answer((_got, response) => response.writeHead(307, { location: `${canary.url}/inside` }).end());
    await happens(await doorIn(estate.groups.n1));
    await until(
      () => row(id),
      ({ last_error: error }) => error === '307',
    );
    receiver.answer(() => undefined);
    await until(
      () => row(id),
      ({ last_error: error }) => error === 'no_answer',
    );
    expect(canary.got).toEqual([]);
  });

  it('of a group hears of that group and those below, and of no other', async () => {
    await make({ domain_id: estate.groups.north, url: `${receiver.url}/north` });
    await make({ domains: [estate.groups.south], url: `${receiver.url}/south` });
    await happens(await doorIn(estate.groups.s1), 'door_held');
    await happens(await doorIn(estate.groups.town));
    await happens(await doorIn(estate.groups.n2), 'access_denied');
    // What an earlier test has left may be sent again meanwhile.
    const all = await until(
      () => receiver.got.filter(({ path }) => path === '/north' || path === '/south'),
      ({ length }) => length === 2,
    );
    expect(new Set(all.map(({ path, headers }) => `${path} ${headers['doorward-event']}`))).toEqual(
      new Set(['/north access_denied', '/south door_held']),
    );
  });

  it('is sent a test by hand, and nothing once it is switched off', async () => {
    // What was on its way to the hook of a test before may still come.
    const id = await make({ url: `${receiver.url}/by-hand` });
    expect(dataOf(await boss.client.post(`/integrations/${id}/test`))).toEqual({ picture: null });
    const got = await until(
      () => receiver.got.filter(({ path }) => path === '/by-hand'),
      ({ length }) => length === 1,
    );
    expect(got[0]?.headers['doorward-event']).toBe('test');
    expect((await boss.client.patch(`/integrations/${id}`, { is_active: false })).statusCode).toBe(200);
    await happens(await doorIn(estate.groups.n1));
    expect(await row(id)).toMatchObject({ state: 'off', waiting_count: 0 });
  });

  it('is trusted by its own certificate, shows one where it is asked, and is refused without', async () => {
    const [there, here] = await Promise.all([selfSigned('localhost'), selfSigned('doorward')]);
    const secure = await open({ ...there, ca: here.cert, requestCert: true, rejectUnauthorized: true });
    const id = await make({ url: `${secure.url}/events` });
    await happens(await doorIn(estate.groups.n1));
    await until(
      () => row(id),
      ({ last_error: error }) => error === 'bad_certificate',
    );
    const file = form({ data: '{}' }, Buffer.from(there.cert + here.cert + here.key), 'trust.pem', 'application/x-pem-file', 'certificate');
    const answer = await boss.client.send('POST', `/integrations/${id}`, file.body, file.headers);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(dataOf<Integration>(answer).certificate_info).toMatchObject({ subject: 'doorward', has_key: true });
    expect(answer.body).not.toContain('PRIVATE KEY');
    await until(
      () => row(id),
      ({ waiting_count: waiting }) => waiting === 0,
    );
    // One delivery, which may come again where its answer is late.
    expect(new Set(secure.got.map(({ headers }) => headers['doorward-delivery'])).size).toBe(1);
  });
});

describe('the address of an integration (V22)', () => {
  let closed: TestServer;
  let guarded: Person;
  beforeAll(async () => {
    closed = await openTestServer();
    Object.assign(closed.services, { now: () => new Date() });
    const other = await buildEstate(closed.services);
    guarded = await makePerson(closed, other, { permissions: permissionCodes, in: [other.groups.town] });
    receiver = await open();
  });
  afterAll(() => closed.close());

  it.each([
    'http://127.0.0.1:9/',
    'http://localhost:9/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://0.0.0.0/',
    'http://foo.localhost/',
    'file:///etc/passwd',
    'gopher://example.org/',
    'http://user:word@example.org/',
  ])('%s is refused when it is written', async (url) => {
    const answer = await guarded.client.put('/integrations', hook({ url }));
    expect([422, answer.body.includes('url')]).toEqual([answer.statusCode, true]);
  });

  it('is looked at again when it is reached: a name that leads inside reaches nobody', async () => {
    const answer = await guarded.client.put('/integrations', hook({ url: 'http://inside.example.org/' }));
    const id = dataOf<string>(answer);
    // As a name does that is bound anew after it was looked at.
    await closed.services.db.update(integrations).set({ url: `http://127.0.0.1:${receiver.port}/` });
    const senders = new Webhooks(closed.services, pace);
    await senders.open();
    await guarded.client.post(`/integrations/${id}/test`);
    const read = async () => dataOf<Integration>(await guarded.client.get(`/integrations/${id}`));
    await until(read, ({ last_error: error }) => error === 'forbidden_address');
    await senders.close();
    expect(receiver.got).toEqual([]);
  });
});

describe('who sets up an integration (INTG-03, P5)', () => {
  beforeAll(async () => {
    receiver = await open();
  });
  const own = ['can_manage_own_group_integrations', 'can_view_device_events', 'can_view_device_alarms', 'can_view_access_control_events'] as const;
  const events = { device_events: true, alarms: true, calls: false, access: true };

  it('does so for the project only with the right to its settings, for a group only with that to the group', async () => {
    const manager = await makePerson(server, estate, { permissions: own, in: [estate.groups.north] });
    const put = async (domain_id: string | null) => (await manager.client.put('/integrations', hook({ domain_id, events }))).statusCode;
    expect([await put(null), await put(estate.groups.south), await put(estate.groups.north)]).toEqual([403, 422, 200]);
    const id = await make({ domain_id: estate.groups.north, events }, manager);
    expect((await manager.client.patch(`/integrations/${id}`, { domain_id: null })).statusCode).toBe(403);
    expect((await manager.client.get(`/integrations/${await make()}`)).statusCode).toBe(404);
  });

  it('tells nobody what they may not see themselves', async () => {
    const blind = await makePerson(server, estate, { permissions: ['can_manage_own_group_integrations'], in: [estate.groups.north] });
    const none = { device_events: false, alarms: false, calls: false, access: false };
    const id = await make({ domain_id: estate.groups.north, events: none }, blind);
    const answer = await blind.client.patch(`/integrations/${id}`, { events: { ...none, access: true } });
    expect([answer.statusCode, answer.body]).toEqual([403, expect.stringContaining('events.access')]);
    await boss.client.patch(`/integrations/${id}`, { events });
    expect((await blind.client.patch(`/integrations/${id}`, { url: 'https://elsewhere.example.org/' })).statusCode).toBe(403);
  });

  it('gives a group no integration that they may not edit (ERR-105), and none of another tree', async () => {
    const keeper = await makePerson(server, estate, { permissions: [...own, 'can_edit_devices'], in: [estate.groups.north] });
    const camera = { type: 'camera', cameras: [{ display_name: 'Gate', access_point: '/1.jpg' }] };
    const project = await make(camera);
    const answer = await keeper.client.patch(`/groups/${estate.groups.north}`, { integrations: [project] });
    expect(answer.json()).toMatchObject({ error: { code: 'integration_not_for_user' } });
    const far = await make({ domain_id: estate.groups.south });
    expect((await boss.client.patch(`/groups/${estate.groups.north}`, { integrations: [far] })).statusCode).toBe(422);
    expect((await boss.client.patch(`/groups/${estate.groups.north}`, { integrations: [project] })).statusCode).toBe(200);
    expect((await row(project)).domains.map(({ id }) => id)).toEqual([estate.groups.north]);
  });

  it('does so by a form, with secrets that are kept when they are not sent and never told (DATA-06, LIST-08)', async () => {
    const body = plainForm({ data: JSON.stringify(hook({ password: 'Camera-2026' })) });
    const made = await boss.client.send('POST', '/integrations', body.body, body.headers);
    expect(made.statusCode, made.body).toBe(200);
    const id = dataOf<string>(made);
    const change = plainForm({ data: JSON.stringify({ secret: null, password: null, login: 'viewer' }) });
    const stored = async () => (await server.services.db.select().from(integrations).where(eq(integrations.id, id)))[0];
    const before = await stored();
    const answer = await boss.client.send('POST', `/integrations/${id}`, change.body, { ...change.headers, 'if-match': '"1"' });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.body).not.toMatch(/Camera-2026|a signing secret/);
    expect(await stored()).toMatchObject({ login: 'viewer', secretCipher: before?.secretCipher, passwordCipher: before?.passwordCipher });
    const late = await boss.client.send('POST', `/integrations/${id}`, change.body, { ...change.headers, 'if-match': '"1"' });
    expect(late.statusCode).toBe(412);
    const trail = await server.services.db.select().from(auditEvents).where(eq(auditEvents.entityId, id));
    expect(JSON.stringify(trail)).not.toMatch(/Camera-2026|a signing secret/);
  });

  it('is told when the name or the address is taken (ERR-101), and when the file is no certificate', async () => {
    const first = hook();
    await boss.client.put('/integrations', first);
    expect((await boss.client.put('/integrations', { ...first, name: 'Another' })).json()).toMatchObject({
      error: { code: 'integration_url_exists' },
    });
    for (const file of ['no certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----']) {
      const sent = form({ data: JSON.stringify(hook()) }, Buffer.from(file), 'x.pem', 'text/plain', 'certificate');
      expect((await boss.client.send('POST', '/integrations', sent.body, sent.headers)).statusCode).toBeGreaterThanOrEqual(400);
    }
    expect((await boss.client.put('/integrations', hook({ secret: null }))).body).toContain('secret');
    expect((await boss.client.put('/integrations', hook({ type: 'camera' }))).body).toContain('cameras');
  });
});

describe('a camera', () => {
  let picture: Buffer;
  beforeAll(async () => {
    receiver = await open();
    picture = await Transformer.fromRgbaPixels(Buffer.alloc(64 * 48 * 4, 90), 64, 48).jpeg();
  });
  afterEach(() => {
    receiver.got.length = 0;
  });
  const cameras = [
    { display_name: 'Gate', access_point: '/gate.jpg?size=1' },
    { display_name: 'Yard', access_point: '/yard.jpg' },
  ];
  const camera = (over: Record<string, unknown> = {}) =>
    make({ type: 'camera', cameras, login: 'viewer', password: 'Camera-2026', rtsp_url: 'rtsp://cam.example.org/1', ...over });
  const settingsWith = (integration: string, access: string) => ({
    ...defaultDeviceSettings,
    integration_axxon: { enabled: true, integration, camera: access },
  });
  const deviceWith = async (integration: string, group = estate.groups.n1) => {
    const door = await doorIn(group);
    return { door, answer: await boss.client.patch(`/devices/${door.id}`, { device_settings: settingsWith(integration, '/gate.jpg?size=1') }) };
  };
  const look = (id: string) => boss.client.get(`/devices/${id}/picture`);

  it('shows its picture at the device it is put to, after a digest or a basic login', async () => {
    const id = await camera();
    const { door, answer } = await deviceWith(id);
    expect(answer.statusCode, answer.body).toBe(200);
    receiver.answer(({ headers: { authorization } }, response) => {
      if (authorization && isDigestRight(authorization, 'GET', 'viewer', 'Camera-2026'))
        response.writeHead(200, { 'content-type': 'text/html' }).end(picture);
      else response.writeHead(401, { 'www-authenticate': 'Digest realm="cam", nonce="abc", qop="auth"' }).end();
    });
    const seen = await look(door.id);
    expect(seen.statusCode, seen.body).toBe(200);
    expect(dataOf<DevicePicture>(seen)).toMatchObject({ camera: 'Gate', picture: `data:image/jpeg;base64,${picture.toString('base64')}` });
    expect(receiver.got.map(({ path }) => path)).toEqual(['/gate.jpg?size=1', '/gate.jpg?size=1']);
    const basic = `Basic ${Buffer.from('viewer:Camera-2026').toString('base64')}`;
    receiver.answer(({ headers: { authorization } }, response) =>
      authorization === basic ? response.writeHead(200).end(picture) : response.writeHead(401, { 'www-authenticate': 'Basic realm="cam"' }).end(),
    );
    expect((await look(door.id)).statusCode).toBe(200);
    expect(dataOf(await boss.client.get(`/integrations/${id}/cameras`))).toEqual(cameras);
    expect(dataOf(await boss.client.get(`/integrations/${id}/macros`))).toEqual([]);
    expect(dataOf(await boss.client.get('/integrations/available?type=camera'))).toMatchObject([{ id, type: 'camera' }]);
    expect((await boss.client.get(`/integrations/${id}`)).body).not.toContain('Camera-2026');
    expect((await boss.client.delete(`/integrations/${id}`)).statusCode).toBe(409);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['a page', (response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end('<html><script>alert(1)</script></html>')],
    [
      'a picture with a script in it',
      (response) => response.end(Buffer.concat([picture.subarray(0, 20), Buffer.from('<script>'), picture.subarray(20)])),
    ],
    ['more than is read', (response) => response.end(Buffer.alloc(5 * 1024 * 1024, 1))],
    ['a redirect', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['another login', (response) => response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()],
    ['nothing', (response) => response.destroy()],
  ])('that answers %s is said to be unavailable (ERR-102)', async (_what, respond) => {
    const { door } = await deviceWith(await camera());
    receiver.answer((_got, response) => respond(response));
    const answer = await look(door.id);
    expect([answer.statusCode, answer.json()]).toMatchObject([503, { error: { code: 'integration_unavailable' } }]);
    expect(answer.body).not.toContain('script');
  });

  it('keeps its login to itself: another address wants the password again, and a path leads nowhere else', async () => {
    const id = await camera();
    const moved = await boss.client.patch(`/integrations/${id}`, { url: 'http://collector.example.org/', password: null });
    expect([moved.statusCode, dataOf<{ issues: unknown[] }>(moved).issues]).toEqual([
      422,
      [{ path: ['password'], rule: 'password_again', params: {} }],
    ]);
    expect((await boss.client.patch(`/integrations/${id}`, { url: 'http://collector.example.org/', password: 'Another-2026' })).statusCode).toBe(200);
    for (const path of ['/\\\\collector.example.org/x', '//collector.example.org/x', 'http://collector.example.org/x'])
      expect((await boss.client.patch(`/integrations/${id}`, { cameras: [{ display_name: 'Gate', access_point: path }] })).statusCode, path).toBe(
        422,
      );
  });

  it('is put to devices of the groups it serves alone (ERR-106), and only if there is such a camera', async () => {
    const id = await camera({ domain_id: estate.groups.north });
    const { answer } = await deviceWith(id, estate.groups.s1);
    expect(answer.json()).toMatchObject({ error: { code: 'integration_not_for_device' } });
    const door = await doorIn(estate.groups.n1);
    const wrong = await boss.client.patch(`/devices/${door.id}`, { device_settings: settingsWith(id, '/none.jpg') });
    expect([wrong.statusCode, wrong.body]).toEqual([422, expect.stringContaining('camera')]);
    const bare = await look((await doorIn(estate.groups.n1)).id);
    expect(bare.statusCode).toBe(404);
  });
});
