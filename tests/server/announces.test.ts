import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnnounceDelivery, AnnounceResponses, ReceivedAnnounce } from '#models/announce-calls.ts';
import type { Announce } from '#models/announces.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { runAnnounces } from '#server/announces/announcer.ts';
import { cleanBody, plainBody } from '#server/announces/sanitise.ts';
import { announceMessages, announces, auditEvents, mails, notifications, users } from '#server/db/schema/index.ts';
import { sendMails } from '#server/mailer.ts';
import { buildEstate, codeOf, dataOf, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let manager: Person;
let writer: Person;
let resident: Person;
let neighbour: Person;
let outsider: Person;

const body = (over: object = {}) => ({
  title: 'Water off',
  body: '<p>From <strong>9</strong> to 11</p>',
  send_via: [],
  domains: [estate.groups.north],
  ...over,
});
const poll = (over: object = {}) => body({ type: 'poll', title: 'A new lamp?', answers: ['Yes', 'No'], ...over });
const make = async (given: object, who = manager): Promise<string> => dataOf<string>(await who.client.put('/announces', given));
const start = (id: string, who = manager) => who.client.post(`/announces/${id}/start`);
const stop = (id: string, who = manager) => who.client.post(`/announces/${id}/stop`);
const rowOf = async (id: string, who = boss): Promise<Announce> => dataOf<Announce>(await who.client.get(`/announces/${id}`));
const mine = async (who: Person): Promise<ReceivedAnnounce[]> => dataOf<ReceivedAnnounce[]>(await who.client.get('/announces/mine'));
const issuesOf = (answer: { json: () => unknown }): string[] =>
  (answer.json() as { data: { issues: { path: string[]; rule: string }[] } }).data.issues.map(({ path, rule }) => `${path.join('.')} ${rule}`);
/** Sends an announcement, takes it to everybody, and answers its token. */
async function sent(given: object): Promise<{ id: string; token: string }> {
  const id = await make(given);
  expect((await start(id)).statusCode).toBe(200);
  await runAnnounces(server.services);
  const [row] = await server.services.db.select().from(announces).where(eq(announces.id, id));
  return { id, token: row?.token ?? '' };
}
const answer = (token: string, given: object, who: Person) => who.client.post(`/announces/token/${token}/poll`, given);

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  const { town, north, n1, n2, s1 } = estate.groups;
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [town], name: 'Boss' });
  const writes = ['can_view_announces', 'can_create_announces', 'can_edit_announces', 'can_view_users'] as const;
  writer = await makePerson(server, estate, { permissions: [...writes], in: [north], name: 'Writer' });
  manager = await makePerson(server, estate, {
    permissions: [...writes, 'can_send_announces', 'can_view_roles', 'can_view_all_roles'],
    in: [north],
    name: 'Manager',
  });
  resident = await makePerson(server, estate, { permissions: [], in: [n1], name: 'Resident' });
  neighbour = await makePerson(server, estate, { permissions: [], in: [n2], name: 'Neighbour' });
  outsider = await makePerson(server, estate, { permissions: [], in: [s1], name: 'Outsider' });
});
afterAll(() => server.close());
beforeEach(async () => {
  const { db } = server.services;
  await db.delete(announces);
  await db.delete(mails);
  await db.delete(notifications);
});

describe('writing an announcement', () => {
  it('asks for recipients (VALID-34), and of a poll for answers or a custom answer (VALID-35)', async () => {
    expect(issuesOf(await manager.client.put('/announces', body({ domains: [] })))).toEqual(['users announce_needs_recipients']);
    expect(issuesOf(await manager.client.put('/announces', poll({ answers: [] })))).toEqual(['answers poll_needs_answers']);
    expect((await manager.client.put('/announces', poll({ answers: [], custom_answer: true }))).statusCode).toBe(200);
    expect(issuesOf(await manager.client.put('/announces', poll({ answers: ['Yes', 'yes'] })))).toEqual(['answers unique']);
  });

  it('is not changed into one without recipients, or into a poll without answers', async () => {
    const id = await make(body());
    expect(issuesOf(await manager.client.patch(`/announces/${id}`, { type: 'poll' }))).toEqual(['answers poll_needs_answers']);
    expect(issuesOf(await manager.client.patch(`/announces/${id}`, { domains: [] }))).toEqual(['users announce_needs_recipients']);
    expect((await manager.client.patch(`/announces/${id}`, { type: 'poll', answers: ['Yes'] })).statusCode).toBe(200);
  });

  it('begins as a draft that goes out by e-mail (DATA-53, DATA-54)', async () => {
    const { send_via: _, ...rest } = body();
    expect(await rowOf(await make(rest))).toMatchObject({ status: 'new', send_via: ['email'], recipients_count: 0 });
  });

  it('counts who would get it, nobody twice and nobody out of sight', async () => {
    const count = async (given: object, who = manager) =>
      dataOf<{ people: number }>(await who.client.post('/announces/recipients', { users: [], domains: [], roles: [], markers: [], ...given })).people;
    const inNorth = await count({ domains: [estate.groups.north] });
    expect(inNorth).toBeGreaterThanOrEqual(4);
    expect(await count({ domains: [estate.groups.north, estate.groups.n1], users: [resident.id] })).toBe(inNorth);
    expect(await count({ users: [outsider.id] })).toBe(0);
    expect(await count({ users: [outsider.id] }, boss)).toBe(1);
    // A role narrows the groups down.
    expect(await count({ domains: [estate.groups.north], roles: [resident.roleId] })).toBe(1);
    expect(await count({})).toBe(0);
    expect((await resident.client.post('/announces/recipients', { users: [], domains: [], roles: [], markers: [] })).statusCode).toBe(403);
  });

  it('cannot name people out of sight', async () => {
    expect(codeOf(await manager.client.put('/announces', body({ users: [outsider.id] })))).toBe('invalid_related');
  });
});

describe('hostile text', () => {
  it('loses everything but the formatting', async () => {
    const id = await make(
      body({
        title: '<script>alert(1)</script> 🎉 \u202egnp.exe',
        body: '<p onclick="x()">Hi<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">a</a> <a href="https://a.example" style="x">b</a></p><iframe src="//e"></iframe>',
      }),
    );
    const row = await rowOf(id);
    expect(row.body).toBe(
      '<p>Hi<a rel="noopener noreferrer nofollow" target="_blank">a</a> <a href="https://a.example" rel="noopener noreferrer nofollow" target="_blank">b</a></p>',
    );
    // A title is text: it is kept as typed, and shown as text.
    expect(row.title).toContain('<script>');
  });

  it('that is empty without its tags is no text', async () => {
    expect(issuesOf(await manager.client.put('/announces', body({ body: '<script>1</script><p> </p>' })))).toEqual(['body required']);
  });

  it('of a megabyte is refused by a clear limit', async () => {
    expect(issuesOf(await manager.client.put('/announces', body({ body: 'x'.repeat(900_000) })))).toEqual(['body max_length']);
  });

  it('is read in mails by its words alone', () => {
    expect(plainBody('<p>One &amp; <strong>two</strong></p><ul><li>a</li><li>b &lt;i&gt;</li></ul>')).toBe('One & two\n- a\n- b <i>');
    expect(cleanBody('a\u202eb')).toBe('ab');
    expect(cleanBody('a&#x202e;b&#8238;c')).toBe('abc');
  });
});

describe('sending', () => {
  it('is for those who may, and is on record', async () => {
    const id = await make(body());
    expect((await start(id, writer)).statusCode).toBe(403);
    expect((await start(id, outsider)).statusCode).toBe(403);
    expect((await start(id)).statusCode).toBe(200);
    expect(await rowOf(id)).toMatchObject({ status: 'started' });
    const [entry] = await server.services.db
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.entityId, id), eq(auditEvents.action, 'update')));
    expect(entry?.changes).toEqual({ status: { before: 'new', after: 'started' } });
    expect(codeOf(await start(id))).toBe('prohibited');
    expect(codeOf(await manager.client.patch(`/announces/${id}`, { title: 'Other' }))).toBe('editing_prohibited');
  });

  it('tells everybody it is for, and nobody else', async () => {
    await sent(body());
    expect(await mine(resident)).toHaveLength(1);
    expect(await mine(outsider)).toHaveLength(0);
    const notified = await server.services.db.select().from(notifications).where(eq(notifications.type, 'announce_received'));
    const people = notified.map(({ userId }) => userId);
    expect(people).toEqual(expect.arrayContaining([resident.id, neighbour.id, manager.id]));
    expect(people).not.toContain(outsider.id);
    expect(new Set(people).size).toBe(people.length);
  });

  it('opens for its recipients by its token, and for nobody else', async () => {
    const { token, id } = await sent(body());
    expect(dataOf<ReceivedAnnounce>(await resident.client.get(`/announces/token/${token}`))).toMatchObject({
      title: 'Water off',
      sender: 'Manager',
      seen_at: null,
    });
    expect((await outsider.client.get(`/announces/token/${token}`)).statusCode).toBe(404);
    expect((await server.as(null).get(`/announces/token/${token}`)).statusCode).toBe(401);
    expect((await resident.client.post(`/announces/token/${token}/read`)).statusCode).toBe(200);
    expect((await outsider.client.post(`/announces/token/${token}/read`)).statusCode).toBe(404);
    expect(await rowOf(id)).toMatchObject({ seen_count: 1 });
  });

  it('waits for its hour, and ends at its end', async () => {
    const at = server.services.now().getTime();
    const id = await make(body({ execute_at: new Date(at + 60_000).toISOString(), ends_at: new Date(at + 120_000).toISOString() }));
    await start(id);
    expect(await rowOf(id)).toMatchObject({ status: 'planned' });
    const later = (ms: number) => ({ ...server.services, now: () => new Date(at + ms) });
    await runAnnounces(later(30_000));
    expect(await mine(resident)).toHaveLength(0);
    await runAnnounces(later(61_000));
    expect(await mine(resident)).toHaveLength(1);
    await runAnnounces(later(121_000));
    expect(await rowOf(id)).toMatchObject({ status: 'expired' });
    expect(await mine(resident)).toHaveLength(0);
  });

  it('that is planned can be taken back, and is a draft again', async () => {
    const id = await make(body({ execute_at: new Date(server.services.now().getTime() + 60_000).toISOString() }));
    await start(id);
    await stop(id);
    expect(await rowOf(id)).toMatchObject({ status: 'new' });
    expect((await manager.client.patch(`/announces/${id}`, { title: 'Other' })).statusCode).toBe(200);
  });

  it('is stopped: it goes from everybody, and once more reaches nobody twice', async () => {
    const { id, token } = await sent(body());
    expect((await stop(id)).statusCode).toBe(200);
    expect(await mine(resident)).toHaveLength(0);
    expect(dataOf<ReceivedAnnounce>(await resident.client.get(`/announces/token/${token}`))).toMatchObject({ status: 'stopped', body: '' });
    const before = await server.services.db.select().from(notifications).where(eq(notifications.type, 'announce_received'));
    await start(id);
    await runAnnounces(server.services);
    const after = await server.services.db.select().from(notifications).where(eq(notifications.type, 'announce_received'));
    expect(after).toHaveLength(before.length);
    expect(await mine(resident)).toHaveLength(1);
  });
});

describe('a poll', () => {
  it('takes one answer a person, however many come at once', async () => {
    const { id, token } = await sent(poll());
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => answer(token, { answer: at % 2 }, resident)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(answers.filter((one) => one.statusCode !== 200).every((one) => codeOf(one) === 'poll_answered')).toBe(true);
    expect(await rowOf(id)).toMatchObject({ answers_count: 1, seen_count: 1 });
  });

  it('takes only what it offers', async () => {
    const { token } = await sent(poll());
    expect(issuesOf(await answer(token, { answer: 2 }, resident))).toEqual(['answer one_of']);
    expect(issuesOf(await answer(token, { custom: 'Maybe' }, resident))).toEqual(['custom one_of']);
    expect((await answer(token, { answer: 0 }, outsider)).statusCode).toBe(404);
    const info = await sent(body());
    expect(codeOf(await answer(info.token, { answer: 0 }, resident))).toBe('prohibited');
  });

  it('takes none once it was stopped', async () => {
    const { id, token } = await sent(poll());
    await stop(id);
    expect(codeOf(await answer(token, { answer: 0 }, resident))).toBe('announce_over');
  });

  it('counts its answers, for those who may see it', async () => {
    const { id, token } = await sent(poll({ custom_answer: true }));
    await answer(token, { answer: 1 }, resident);
    await answer(token, { custom: '=2+2 <b>' }, neighbour);
    const said = dataOf<AnnounceResponses>(await manager.client.get(`/announces/${id}/responses`));
    expect(said.results).toEqual([
      { answer: 'Yes', votes: 0 },
      { answer: 'No', votes: 1 },
    ]);
    expect(said.custom_votes).toBe(1);
    expect(said.people.find((one) => one.id === resident.id)).toMatchObject({ answer: 'No' });
    expect((await resident.client.get(`/announces/${id}/responses`)).statusCode).toBe(404);
    const csv = await manager.client.get(`/announces/${id}/responses/export?format=csv`);
    expect(csv.headers['content-disposition']).toContain('attachment');
    // A spreadsheet does not run it.
    expect(csv.body).toContain("'=2+2 <b>");
    expect((await manager.client.get(`/announces/${id}/responses/export?format=xlsx`)).rawPayload.subarray(0, 2).toString()).toBe('PK');
  });
});

describe('by e-mail', () => {
  const post = async (
    deliver: Parameters<typeof sendMails>[1] extends undefined ? never : (mail: { to: string }) => Promise<unknown>,
    until: () => Promise<boolean>,
  ) => {
    const end = sendMails(server.services, () => Promise.resolve(deliver));
    for (let tries = 0; tries < 200 && !(await until()); tries += 1) await new Promise((done) => setTimeout(done, 20));
    await end();
  };
  const delivery = async (id: string): Promise<AnnounceDelivery> => dataOf<AnnounceDelivery>(await manager.client.get(`/announces/${id}/delivery`));
  const isSettled = (id: string) => async () => (await delivery(id)).channels.every(({ queued }) => queued === 0);

  it('reaches each recipient once; what was refused is tried again, and nothing else', async () => {
    const { id } = await sent(body({ send_via: ['email'] }));
    const got: string[] = [];
    let refuses = true;
    const [{ email: refused } = { email: null }] = await server.services.db
      .select({ email: users.email })
      .from(users)
      .where(eq(users.id, resident.id));
    const deliver = ({ to }: { to: string }) => {
      if (refuses && to === refused) return Promise.reject(Object.assign(new Error('550 no such box'), { responseCode: 550, code: 'EENVELOPE' }));
      got.push(to);
      return Promise.resolve();
    };
    await post(deliver, isSettled(id));
    const first = await delivery(id);
    expect(first.channels[0]).toMatchObject({ channel: 'email', failed: 1, sent: got.length });
    expect(first.failures).toMatchObject([{ name: 'Resident', reason: 'refused' }]);
    const messagesTo = async ({ id: person }: Person) =>
      dataOf<AnnounceResponses>(await manager.client.get(`/announces/${id}/responses`)).people.find((one) => one.id === person)?.messages;
    expect(await messagesTo(resident)).toEqual([{ channel: 'email', state: 'failed', reason: 'refused' }]);
    expect(await messagesTo(neighbour)).toEqual([{ channel: 'email', state: 'sent', reason: null }]);
    const csv = (await manager.client.get(`/announces/${id}/responses/export?format=csv`)).body;
    expect(csv).toContain('E-mail: failed (Mail server refused the e-mail)');
    refuses = false;
    const before = got.length;
    expect(dataOf<number>(await manager.client.post(`/announces/${id}/retry`))).toBe(1);
    await post(deliver, isSettled(id));
    expect(got).toHaveLength(before + 1);
    expect(new Set(got).size).toBe(got.length);
    expect((await delivery(id)).channels[0]).toMatchObject({ failed: 0, sent: got.length });
    expect(await messagesTo(resident)).toEqual([{ channel: 'email', state: 'sent', reason: null }]);
  });

  it('has the formatting of the announcement, and its plain words besides', async () => {
    await sent(
      body({
        send_via: ['email'],
        body: '<h2>Water</h2><p>From <strong>9</strong> <script>alert(1)</script>&lt;b&gt; $& to 11</p><ul><li><p>one</p></li></ul>',
      }),
    );
    const [mail] = await server.services.db.select().from(mails).where(eq(mails.userId, resident.id));
    expect(mail?.html).toContain('From <strong>9</strong> &lt;b&gt; $&amp; to 11</p>');
    expect(mail?.html).toMatch(/<h2 style="[^"]+">Water<\/h2>.*<ul style="[^"]+"><li>/s);
    expect(mail?.html).not.toMatch(/script|mark-|<p[^>]*><(?:p|h2|ul)/);
    expect(mail?.body).toContain('From 9 <b> $& to 11');
    expect(mail?.body).not.toContain('<strong>');
  });

  it('never goes out twice: what was under way when the server died is given up, and said so', async () => {
    const { id } = await sent(body({ send_via: ['email'] }));
    const { db, now } = server.services;
    // Killed between handing it on and writing that down.
    const [lost] = await db
      .update(mails)
      .set({ sendingAt: new Date(now().getTime() - 600_000), claimedUntil: new Date(now().getTime() - 1) })
      .where(eq(mails.userId, resident.id))
      .returning();
    const got: string[] = [];
    await post(({ to }) => Promise.resolve(void got.push(to)), isSettled(id));
    expect(got).not.toContain(lost?.recipient);
    expect((await delivery(id)).failures).toMatchObject([{ name: 'Resident', reason: 'interrupted' }]);
  });

  it('is not sent to anybody any more once it was stopped', async () => {
    const { id } = await sent(body({ send_via: ['email'] }));
    await stop(id);
    expect(await server.services.db.select().from(mails)).toEqual([]);
  });

  it('is written down in portions: a server that ends in the middle leaves the rest to the next one', async () => {
    const id = await make(body({ send_via: ['email'] }));
    await start(id);
    const ended = new AbortController();
    ended.abort();
    await runAnnounces(server.services, ended.signal);
    const { db } = server.services;
    expect(await db.select().from(mails)).toEqual([]);
    await runAnnounces(server.services);
    await runAnnounces(server.services);
    const written = await db.select().from(mails);
    expect(new Set(written.map(({ recipient }) => recipient)).size).toBe(written.length);
    const messages = await db
      .select()
      .from(announceMessages)
      .where(and(eq(announceMessages.announceId, id), eq(announceMessages.channel, 'email')));
    expect(written).toHaveLength(messages.length);
    expect(written.every(({ once }) => once)).toBe(true);
  });
});
