import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Mail, MailOutcome } from '#models/mail.ts';
import { auditEvents, mails, projectSettings as table } from '#server/db/schema/index.ts';
import { writeMail } from '#server/modules/mail.ts';
import { sendMails } from '#server/mailer.ts';
import { selfSigned } from '#tests/support/certificates.ts';
import { buildEstate, codeOf, dataOf, type Estate, makePerson, type Person } from './estate.ts';
import { openReceiver } from './integration-support.ts';
import { type MailServer, openMailServer } from './mail-server.ts';
import { openTestServer, type TestServer } from './support.ts';
import { longestWait } from '#tests/support/in-time.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let folder: string;
const { key, cert } = await selfSigned('localhost');
const login = { user: 'door', pass: 'Smtp-secret-1' };
const opened: { close: () => Promise<void> }[] = [];
const mailServer = async (...given: Parameters<typeof openMailServer>): Promise<MailServer> => {
  const one = await openMailServer(...given);
  opened.push(one);
  return one;
};
const smtp = (port: number, more: object = {}) => ({
  type: 'smtp',
  host: 'localhost',
  port,
  encryption: 'none',
  from_address: 'door@example.org',
  from_name: 'Riverside doors',
  ...more,
});
const test = async (mail_settings: object, email = 'me@example.org') =>
  dataOf<MailOutcome>(await boss.client.post('/project-settings/mail/test', { email, mail_settings }));
const write = (subject: string, projectId = estate.here, recipient = 'resident@example.org') =>
  writeMail(server.services.db, { projectId, userId: null, recipient, subject, body: 'Hello' }, server.services.now());
const listed = async (): Promise<Mail[]> => dataOf<Mail[]>(await boss.client.get('/mails'));
const of = async (subject: string): Promise<Mail | undefined> => (await listed()).find((mail) => mail.subject === subject);
/** The post, until something holds. */
async function post(holds: () => Promise<boolean>): Promise<void> {
  const end = sendMails(server.services);
  await vi.waitFor(async () => expect(await holds()).toBe(true), { timeout: longestWait, interval: 50 });
  await end();
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mail-'));
  writeFileSync(join(folder, 'ca.pem'), cert);
  server = await openTestServer({ config: { integrationLoopback: true, mailCa: join(folder, 'ca.pem') } });
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, {
    permissions: ['can_change_project_settings', 'can_view_system_info', 'can_view_all_users', 'can_edit_all_users'],
    in: [estate.groups.town],
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});
beforeEach(async () => {
  await server.services.db.delete(table);
  await server.services.db.delete(mails);
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

describe('a test e-mail', () => {
  it('goes through the settings as they were sent, with the name of the sender', async () => {
    const { port, taken } = await mailServer({ disabledCommands: ['AUTH', 'STARTTLS'] });
    expect(await test(smtp(port))).toEqual({ delivered: true, reason: null, words: null });
    expect(taken).toMatchObject([{ to: ['me@example.org'], encrypted: false, user: null }]);
    expect(taken[0]?.text).toContain('From: Riverside doors <door@example.org>');
    expect(await listed()).toEqual([]);
    const [entry] = await server.services.db.select().from(auditEvents).where(eq(auditEvents.action, 'mail_sent'));
    expect(entry?.changes).toEqual({ email: { before: null, after: 'me@example.org' } });
  });

  it('is encrypted by STARTTLS or from the first byte, and signs in', async () => {
    const starts = await mailServer({ key, cert, login });
    const account = { username: login.user, password: login.pass };
    expect(await test(smtp(starts.port, { ...account, encryption: 'tls' }))).toMatchObject({ delivered: true });
    const secure = await mailServer({ key, cert, login, secure: true });
    expect(await test(smtp(secure.port, { ...account, encryption: 'ssl' }))).toMatchObject({ delivered: true });
    for (const { taken } of [starts, secure]) expect(taken).toMatchObject([{ encrypted: true, user: 'door' }]);
  });

  it('never goes in the clear where encryption is asked for', async () => {
    const { port, taken } = await mailServer({ disabledCommands: ['AUTH', 'STARTTLS'] });
    expect(await test(smtp(port, { encryption: 'tls' }))).toMatchObject({ delivered: false, reason: 'encryption' });
    const other = await selfSigned('other.example.org');
    const stranger = await mailServer({ key: other.key, cert: other.cert, login });
    expect(await test(smtp(stranger.port, { encryption: 'tls' }))).toMatchObject({ delivered: false, reason: 'encryption' });
    expect([taken, stranger.taken]).toEqual([[], []]);
  });

  it('is answered with the mail server’s own words where it is refused', async () => {
    const { port, refuse } = await mailServer({ key, cert, login });
    const account = smtp(port, { encryption: 'tls', username: 'door' });
    expect(await test({ ...account, password: 'wrong' })).toEqual({
      delivered: false,
      reason: 'password',
      words: expect.stringContaining('535 Bad user or password'),
    });
    refuse({ code: 550, words: 'No such mailbox here' });
    expect(await test({ ...account, password: login.pass })).toEqual({ delivered: false, reason: 'refused', words: '550 No such mailbox here' });
    refuse({ code: 451, words: 'Greylisted, come back later' });
    expect(await test({ ...account, password: login.pass })).toEqual({ delivered: false, reason: 'later', words: '451 Greylisted, come back later' });
    expect(await test(smtp(1))).toMatchObject({ delivered: false, reason: 'unreachable' });
    expect(server.logged()).not.toContain(login.pass);
  });

  it('takes the stored password to the same server alone', async () => {
    const { port } = await mailServer({ key, cert, login });
    const settings = smtp(port, { encryption: 'tls', username: 'door' });
    await boss.client.patch('/project-settings/mail', { ...settings, password: login.pass });
    expect(await test(settings)).toMatchObject({ delivered: true });
    const spy = await mailServer({ key, cert, login });
    expect(await test({ ...settings, port: spy.port })).toMatchObject({ delivered: false });
    expect(spy.taken).toEqual([]);
  });

  it('is for those who change the settings, and needs a mail server', async () => {
    const reader = await makePerson(server, estate, { permissions: ['can_view_project_settings'], in: [] });
    const body = { email: 'a@example.org', mail_settings: {} };
    expect(codeOf(await reader.client.post('/project-settings/mail/test', body))).toBe('forbidden');
    expect((await boss.client.post('/project-settings/mail/test', body)).json()).toMatchObject({ data: { issues: [{ rule: 'no_mail_server' }] } });
  });

  it('does not reach this machine where nothing allows it', async () => {
    const { port, taken } = await mailServer({ disabledCommands: ['AUTH', 'STARTTLS'] });
    server.services.config.integrationLoopback = false;
    try {
      expect(await test(smtp(port))).toMatchObject({ delivered: false, reason: 'address_not_allowed' });
      expect(await test(smtp(port, { host: '127.0.0.1' }))).toMatchObject({ delivered: false, reason: 'address_not_allowed' });
    } finally {
      server.services.config.integrationLoopback = true;
    }
    expect(taken).toEqual([]);
  });
});

describe('the outbox', () => {
  it('sends the mails of a project through its own server, and keeps those of projects without one', async () => {
    const { port, taken } = await mailServer({ disabledCommands: ['AUTH', 'STARTTLS'] });
    await boss.client.patch('/project-settings/mail', smtp(port));
    await write('Here');
    await write('There', estate.there);
    await post(async () => taken.length === 1);
    expect(taken[0]?.text).toContain('Subject: Here');
    expect(await of('Here')).toMatchObject({ state: 'sent', attempts: 1, reason: null, body: null });
    const [there] = await server.services.db.select().from(mails).where(eq(mails.subject, 'There'));
    expect(there).toMatchObject({ sentAt: null, attempts: 0 });
  });

  it('tries again what is greylisted, with growing pauses, and gives up what is refused', async () => {
    const { port, taken, refuse } = await mailServer({ disabledCommands: ['AUTH', 'STARTTLS'] });
    await boss.client.patch('/project-settings/mail', smtp(port));
    refuse({ code: 451, words: 'Greylisted' });
    await write('Grey');
    await post(async () => (await of('Grey'))?.attempts === 1);
    const waiting = await of('Grey');
    expect(waiting).toMatchObject({ state: 'waiting', reason: 'later', words: '451 Greylisted' });
    expect(Date.parse(waiting?.next_at ?? '') - server.services.now().getTime()).toBeLessThanOrEqual(10_000);
    server.pass(11_000);
    await post(async () => (await of('Grey'))?.attempts === 2);
    expect(Date.parse((await of('Grey'))?.next_at ?? '') - server.services.now().getTime()).toBeGreaterThan(50_000);
    refuse(null);
    server.pass(61_000);
    await post(async () => (await of('Grey'))?.state === 'sent');
    expect(taken).toHaveLength(1);
    refuse({ code: 550, words: 'No such mailbox here' });
    await write('Nobody');
    await post(async () => (await of('Nobody'))?.state === 'failed');
    expect(await of('Nobody')).toMatchObject({ attempts: 1, reason: 'refused', words: '550 No such mailbox here', next_at: null });
    // Somebody may say that it is worth another try.
    refuse(null);
    const nobody = (await of('Nobody'))?.id ?? '';
    expect(dataOf<Mail>(await boss.client.post(`/mails/${nobody}/retry`)).state).toBe('waiting');
    await post(async () => (await of('Nobody'))?.state === 'sent');
  });

  it('waits while the password is refused, and goes on as soon as it is put right', async () => {
    const { port, taken } = await mailServer({ key, cert, login });
    const settings = smtp(port, { encryption: 'tls', username: 'door' });
    await boss.client.patch('/project-settings/mail', { ...settings, password: 'wrong' });
    await write('Invitation');
    await post(async () => (await of('Invitation'))?.attempts === 1);
    expect(await of('Invitation')).toMatchObject({ state: 'waiting', reason: 'password', words: expect.stringContaining('535') });
    await boss.client.patch('/project-settings/mail', { password: login.pass });
    await post(async () => taken.length === 1);
    expect(await of('Invitation')).toMatchObject({ state: 'sent', attempts: 2, words: null });
  });

  it('is not held up for others by a mail server that says nothing', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((done) => silent.once('listening', done));
    const { port, taken } = await mailServer({ disabledCommands: ['AUTH', 'STARTTLS'] });
    const hangs = smtp((silent.address() as AddressInfo).port, { username: null, domain: null, api_url: null });
    await boss.client.patch('/project-settings/mail', smtp(port));
    await server.services.db.insert(table).values({ projectId: estate.there, block: 'mail', value: hangs });
    await write('Silence', estate.there);
    await write('Here');
    await post(async () => taken.length === 1);
    expect(taken[0]?.text).toContain('Subject: Here');
    silent.close();
  });

  it('does not send what was kept before there was a mail server, unless somebody says so', async () => {
    const { port, taken } = await mailServer({ disabledCommands: ['AUTH', 'STARTTLS'] });
    await write('Old');
    expect(await of('Old')).toMatchObject({ state: 'kept' });
    await boss.client.patch('/project-settings/mail', smtp(port));
    await write('New');
    await post(async () => taken.length > 0 && (await of('New'))?.state === 'sent');
    expect(await of('Old')).toMatchObject({ state: 'kept', attempts: 0 });
    expect(taken).toHaveLength(1);
  });

  it('hands mails to Mailgun as whole messages, and says what it answered', async () => {
    const mailgun = await openReceiver();
    opened.push(mailgun);
    mailgun.answer((_one, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"1"}'));
    const settings = {
      type: 'mailgun',
      domain: 'mg.example.org',
      api_url: mailgun.url,
      from_address: 'door@example.org',
      from_name: null,
      password: 'key-77',
    };
    expect(await test(settings)).toMatchObject({ delivered: true });
    const [got] = mailgun.got;
    expect(got).toMatchObject({ path: '/v3/mg.example.org/messages.mime' });
    expect(got?.headers['authorization']).toBe(`Basic ${Buffer.from('api:key-77').toString('base64')}`);
    expect(got?.body).toMatch(/name="to"\r\n\r\nme@example\.org/);
    expect(got?.body).toContain('Subject: Doorward test e-mail');
    mailgun.answer((_one, response) => response.writeHead(401, { 'content-type': 'application/json' }).end('{"message":"Invalid private key"}'));
    expect(await test(settings)).toEqual({ delivered: false, reason: 'password', words: '401 Invalid private key' });
    expect(server.logged()).not.toContain('key-77');
  });
});
