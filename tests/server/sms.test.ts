import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { and, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AnnounceDelivery, AnnounceReach } from '#models/announce-calls.ts';
import type { ShownSms, SmsOutcome } from '#models/sms.ts';
import { runAnnounces } from '#server/announces/announcer.ts';
import { smsOfAnnounce, Texter } from '#server/announces/texts.ts';
import { announceMessages, announces, auditEvents, projectSettings, users } from '#server/db/schema/index.ts';
import { buildEstate, codeOf, dataOf, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';
import { inTime, longestWait } from '#tests/support/in-time.ts';

interface Heard {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}
/** An SMS gateway as a provider runs one: it hears requests and answers as it is told. */
class Gateway {
  readonly heard: Heard[] = [];
  answer: (heard: Heard, response: ServerResponse) => void = (_heard, response) => void response.end('OK');
  url = '';
  #server: Server | null = null;

  async open(): Promise<void> {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const heard = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: Buffer.concat(parts).toString() };
        this.heard.push(heard);
        this.answer(heard, response);
      });
    });
    await new Promise<void>((done) => this.#server?.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/send`;
  }
  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((done) => this.#server?.close(done));
  }
}

let server: TestServer;
let estate: Estate;
let boss: Person;
let gateway: Gateway;
const secret = 'Sms-key-9';
const http = (over: object = {}) => ({
  type: 'http',
  url: gateway.url,
  headers: 'Authorization: Bearer {{secret}}\nX-To: {{phone}}',
  body_kind: 'json',
  body: '{"to": "{{phone}}", "message": "{{text}}", "key": "{{secret}}"}',
  per_second: 50,
  secret,
  ...over,
});
const set = (over: object = {}) => boss.client.patch('/project-settings/sms', http(over));
const test = async (over: object = {}): Promise<SmsOutcome> =>
  dataOf<SmsOutcome>(await boss.client.post('/project-settings/sms/test', { phone: '+12025550123', sms_settings: http(over) }));
const issuesOf = (answer: { json: () => unknown }): string[] =>
  ((answer.json() as { data?: { issues?: { path: string[]; rule: string }[] } }).data?.issues ?? []).map(
    ({ path, rule }) => `${path.join('.')} ${rule}`,
  );
const delivery = async (id: string): Promise<AnnounceDelivery> => dataOf<AnnounceDelivery>(await boss.client.get(`/announces/${id}/delivery`));
const semaphore = async (id: string) => (await delivery(id)).channels.find(({ channel }) => channel === 'sms');
const messages = (id: string) =>
  server.services.db
    .select()
    .from(announceMessages)
    .where(and(eq(announceMessages.announceId, id), eq(announceMessages.channel, 'sms')));

async function sent(): Promise<string> {
  const id = dataOf<string>(
    await boss.client.put('/announces', { title: 'Water "off"', body: '<p>From 9 &amp; on</p>', send_via: ['sms'], domains: [estate.groups.n1] }),
  );
  const answer = await boss.client.post(`/announces/${id}/start`);
  expect(answer.statusCode, answer.body).toBe(200);
  await runAnnounces(server.services);
  return id;
}
/** The sender, until something holds; `ahead`: so far ahead of the clock. */
async function texting(holds: () => Promise<boolean>, ahead = 0): Promise<void> {
  const texter = new Texter({ ...server.services, now: () => new Date(server.services.now().getTime() + ahead) }, 30);
  await vi.waitFor(async () => expect(await holds()).toBe(true), { timeout: longestWait, interval: 30 });
  await texter.close();
}

beforeAll(async () => {
  server = await openTestServer({ config: { integrationLoopback: true } });
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, {
    permissions: [
      'can_change_project_settings',
      'can_view_all_announces',
      'can_create_announces',
      'can_send_announces',
      'can_view_all_users',
      'can_view_all_groups',
    ],
    in: [estate.groups.town],
    name: 'Boss',
  });
  const { n1 } = estate.groups;
  for (const [number, phone] of ['+12025550101', '+12025550102', null].entries()) {
    const person = await makePerson(server, estate, { permissions: [], in: [n1], name: `Resident ${number}` });
    await server.services.db.update(users).set({ phone }).where(eq(users.id, person.id));
  }
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.services.db.delete(announces);
  await server.services.db.delete(projectSettings);
  gateway = new Gateway();
  await gateway.open();
});
afterEach(() => gateway.close());

describe('the settings of the SMS gateway', () => {
  it('are kept without telling the secret again, in no answer and not in the trail', async () => {
    const answer = await set();
    expect(answer.statusCode, answer.body).toBe(200);
    expect(dataOf<ShownSms>(await boss.client.get('/project-settings/sms'))).toMatchObject({ type: 'http', has_secret: true });
    const trail = await server.services.db.select().from(auditEvents).where(eq(auditEvents.area, 'project-settings'));
    const stored = await server.services.db.select().from(projectSettings);
    expect(JSON.stringify([answer.json(), trail, stored])).not.toContain(secret);
  });

  it('ask for the secret again when it would go to another server', async () => {
    await set();
    const { secret: _, ...elsewhere } = http({ url: 'https://sms.example.org/send' });
    expect(issuesOf(await boss.client.patch('/project-settings/sms', elsewhere))).toEqual(['secret password_again']);
    const { secret: __, ...samePlace } = http({ url: `${gateway.url}?v=2` });
    expect((await boss.client.patch('/project-settings/sms', samePlace)).statusCode).toBe(200);
  });

  it.each([
    ['url', { url: 'ftp://sms.example.org' }, 'url sms_address'],
    ['login in the address', { url: 'https://me:pass@sms.example.org/' }, 'url sms_address'],
    ['secret in the address', { url: 'https://sms.example.org/?key={{secret}}' }, 'url sms_placeholder_url'],
    ['host as a placeholder', { url: 'https://{{phone}}/' }, 'url sms_address'],
    ['header without a name', { headers: 'Bearer' }, 'headers sms_header'],
    ['header of the exchange', { headers: 'Host: other.example.org' }, 'headers sms_header'],
    ['text in a header', { headers: 'X-Text: {{text}}' }, 'headers sms_placeholder_header'],
    ['secret typed openly', { headers: 'Authorization: Bearer abc' }, 'headers sms_secret_header'],
    ['body that is no JSON', { body: '{to: {{phone}}, "t": "{{text}}"}' }, 'body sms_json'],
    ['unknown placeholder', { body: '{"to": "{{phone}}", "t": "{{text}} {{name}}"}' }, 'body sms_placeholder'],
    ['no placeholder', { body: '{}', headers: null }, 'body sms_needs_placeholders'],
    ['no sign of success', { success: 'contains' }, 'success_text required'],
    ['pace', { per_second: 1_000 }, 'per_second between'],
  ])('refuse what cannot work: %s', async (_name, over, issue) => {
    expect(issuesOf(await set(over))).toEqual([issue]);
  });

  it('refuse addresses inside the house', async () => {
    const { config } = server.services;
    config.integrationLoopback = false;
    try {
      for (const url of ['http://127.0.0.1:9/', 'http://10.0.0.5/sms', 'http://169.254.169.254/latest', 'http://localhost/'])
        expect(issuesOf(await set({ url }))).toEqual(['url address_not_allowed']);
    } finally {
      config.integrationLoopback = true;
    }
  });
});

describe('a test SMS', () => {
  it('goes through the settings as they were sent, each placeholder written as its place asks for', async () => {
    expect(await test()).toEqual({ delivered: true, reason: null, words: null });
    const [heard] = gateway.heard;
    expect(heard).toMatchObject({
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'x-to': '+12025550123', 'content-type': 'application/json' },
    });
    expect(JSON.parse(heard?.body ?? '')).toMatchObject({ to: '+12025550123', key: secret });
    await test({ method: 'GET', url: `${gateway.url}?to={{phone}}&text={{text}}`, headers: null });
    const { searchParams } = new URL(`http://x${gateway.heard[1]?.url}`);
    expect([searchParams.get('to'), gateway.heard[1]?.body]).toEqual(['+12025550123', '']);
    await test({ body_kind: 'form', body: 'to={{phone}}&text={{text}}' });
    expect(new URLSearchParams(gateway.heard[2]?.body).get('to')).toBe('+12025550123');
  });

  it('tells in the gateway’s own words why it was refused, and never the secret', async () => {
    gateway.answer = ({ body }, response) => void response.writeHead(402).end(`no credit for ${body}`);
    const refused = await test();
    expect(refused).toMatchObject({ delivered: false, reason: 'sms_refused' });
    expect(refused.words).toContain('402 no credit');
    expect(refused.words).not.toContain(secret);
  });

  it('is no success where the answer lacks the agreed words', async () => {
    gateway.answer = (_heard, response) => void response.end('{"status": "error 7"}');
    expect(await test({ success: 'contains', success_text: '"status": "ok"' })).toMatchObject({
      delivered: false,
      reason: 'sms_refused',
      words: '200 {"status": "error 7"}',
    });
  });

  it('tells a gateway that fails from one that is not there', async () => {
    gateway.answer = (_heard, response) => void response.writeHead(500).end('oops');
    expect(await test()).toMatchObject({ reason: 'sms_later', words: '500 oops' });
    await gateway.close();
    expect(await test()).toMatchObject({ reason: 'sms_unreachable' });
  });
});

describe('an announcement by SMS', () => {
  it('counts who has no phone number before it is sent, and is refused without a gateway', async () => {
    const reach = async () =>
      dataOf<AnnounceReach>(await boss.client.post('/announces/recipients', { users: [], domains: [estate.groups.n1], roles: [], markers: [] }));
    const before = await reach();
    expect(before).toMatchObject({ sms: 2, sms_gateway: false });
    expect(before.people).toBeGreaterThan(2);
    const id = dataOf<string>(await boss.client.put('/announces', { title: 'A', body: '<p>b</p>', send_via: ['sms'], domains: [estate.groups.n1] }));
    const answer = await boss.client.post(`/announces/${id}/start`);
    expect([codeOf(answer), issuesOf(answer)]).toEqual(['invalid_data', ['send_via no_sms_gateway']]);
    await set();
    expect(await reach()).toMatchObject({ sms_gateway: true });
  });

  it('reaches each phone once, with title, text and link', async () => {
    await set();
    const id = await sent();
    await texting(async () => (await semaphore(id))?.sent === 2);
    await texting(() => Promise.resolve(true));
    const bodies = gateway.heard.map(({ body }) => JSON.parse(body) as { to: string; message: string });
    expect(bodies.map(({ to }) => to).toSorted()).toEqual(['+12025550101', '+12025550102']);
    expect(bodies[0]?.message).toMatch(/^Water "off"\nFrom 9 & on\nhttps?:\/\/.*\/announce\/[\w-]+$/);
  });

  it('that was refused fails in the gateway’s words; it alone is tried again', async () => {
    await set();
    gateway.answer = ({ body }, response) => void response.writeHead(body.includes('0101') ? 400 : 200).end('bad number');
    const id = await sent();
    await texting(async () => (await semaphore(id))?.queued === 0);
    expect((await delivery(id)).failures).toMatchObject([{ name: 'Resident 0', reason: 'sms_refused', words: '400 bad number' }]);
    gateway.answer = (_heard, response) => void response.end();
    expect(dataOf<number>(await boss.client.post(`/announces/${id}/retry`))).toBe(1);
    await texting(async () => (await semaphore(id))?.sent === 2);
    expect(gateway.heard.filter(({ body }) => body.includes('0102'))).toHaveLength(1);
  });

  it('waits where the gateway fails, asks it less and less, and gives up in the end', async () => {
    await set();
    gateway.answer = (_heard, response) => void response.writeHead(503).end('busy');
    const id = await sent();
    await texting(() => Promise.resolve(gateway.heard.length > 0));
    await new Promise((done) => setTimeout(done, 300));
    // Four requests at once at most, and none while it rests.
    expect(gateway.heard.length).toBeLessThanOrEqual(4);
    expect(await semaphore(id)).toMatchObject({ queued: 2, failed: 0 });
    const waiting = await messages(id);
    expect(waiting.some(({ nextAt, attempts }) => attempts === 1 && nextAt !== null && nextAt > server.services.now())).toBe(true);
    for (const ahead of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
      const texter = new Texter({ ...server.services, now: () => new Date(server.services.now().getTime() + ahead * 3_600_000) }, 20);
      await new Promise((done) => setTimeout(done, 150));
      await texter.close();
    }
    expect(await semaphore(id)).toMatchObject({ queued: 0, failed: 2 });
    expect((await delivery(id)).failures[0]).toMatchObject({ reason: 'sms_later', words: '503 busy' });
  });

  it('is not sent a second time where the line broke after it was handed over', async () => {
    await set();
    gateway.answer = (_heard, response) => void response.destroy();
    const id = await sent();
    await texting(async () => (await semaphore(id))?.failed === 2);
    expect((await delivery(id)).failures[0]).toMatchObject({ reason: 'sms_unknown' });
    expect(gateway.heard).toHaveLength(2);
  });

  it('under way when its server died is given up, and said so', async () => {
    await set();
    const id = await sent();
    const [lost] = await messages(id);
    await server.services.db
      .update(announceMessages)
      .set({ sendingAt: new Date(server.services.now().getTime() - 600_000) })
      .where(eq(announceMessages.id, lost?.id ?? ''));
    await texting(async () => (await semaphore(id))?.queued === 0);
    expect((await delivery(id)).failures).toMatchObject([{ reason: 'interrupted' }]);
    expect(gateway.heard).toHaveLength(1);
  });

  it('goes to nobody any more once it was stopped; one that hangs at the gateway holds nothing up', async () => {
    await set();
    gateway.answer = () => undefined;
    const id = await sent();
    const texter = new Texter(server.services, 20);
    await vi.waitFor(() => expect(gateway.heard).toHaveLength(2), { timeout: longestWait });
    expect((await boss.client.post(`/announces/${id}/stop`)).statusCode).toBe(200);
    expect(await messages(id)).toHaveLength(2);
    const began = performance.now();
    await texter.close();
    expect(performance.now() - began).toBeLessThan(inTime(4_000));
  });

  it('keeps the pace that is set', async () => {
    await set({ per_second: 2 });
    const id = await sent();
    const began = performance.now();
    await texting(async () => (await semaphore(id))?.sent === 2);
    expect(performance.now() - began).toBeGreaterThan(450);
  });

  it('is cut to a few parts, between characters', () => {
    const text = smsOfAnnounce({ title: '🚰'.repeat(200), body: `<p>${'🔥'.repeat(400)}</p>` }, 'https://x/announce/t');
    expect(Array.from(text.split('\nhttps')[0] ?? '')).toHaveLength(300);
    expect(() => encodeURIComponent(text)).not.toThrow();
  });
});
