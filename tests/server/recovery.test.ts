import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { auditEvents, knownDevices, mails, oneTimeLinks, projects, roles, sessions, users } from '#server/db/schema/index.ts';
import { hashPassword } from '#server/modules/session/passwords.ts';
import { addressBlock } from '#server/modules/session/devices.ts';
import { openTestServer, password, type TestServer } from './support.ts';
import { seedWorld } from './world.ts';
import { longestWait } from '#tests/support/in-time.ts';

let server: TestServer;
const anyone = () => server.as(null);
const codeOf = (answer: { json: () => unknown }) => (answer.json() as { error?: { code: string } }).error?.code;
const mailsTo = (recipient: string) => server.services.db.select().from(mails).where(eq(mails.recipient, recipient)).orderBy(mails.createdAt);
const codeIn = (body = ''): string => /\/password\/reset\/([\w-]{43})\n/.exec(body)?.[1] ?? '';
let count = 0;

/** Somebody with an account in the project. */
async function addPerson(more: Partial<typeof users.$inferInsert> = {}) {
  const { db } = server.services;
  const [boss] = await db.select().from(users).where(eq(users.login, 'boss'));
  if (!boss) throw new Error('nobody is there');
  count += 1;
  const { id: _, ...like } = boss;
  const own = { login: `person${count}`, name: `Person ${count}`, email: `person${count}@example.org`, passwordHash: await hashPassword(password) };
  const [made] = await db
    .insert(users)
    .values({ ...like, ...own, ...more })
    .returning();
  if (!made) throw new Error('nobody was added');
  return { ...made, email: made.email ?? '' };
}
/** Asks for a link and answers its code. */
async function codeFor(email: string, nth = 1): Promise<string> {
  expect((await anyone().post('/password/recovery', { email })).statusCode).toBe(200);
  await vi.waitFor(async () => expect((await mailsTo(email)).filter(({ body }) => codeIn(body)).length).toBe(nth), longestWait);
  return codeIn((await mailsTo(email)).findLast(({ body }) => codeIn(body))?.body);
}

beforeAll(async () => {
  server = await openTestServer({ seed: seedWorld, config: { publicUrl: 'https://door.example.org' } });
});
// Each test asks as if nobody had asked within the hour.
beforeEach(() => server.pass(3_600_000));
afterAll(() => server.close());

describe('a recovery link', () => {
  it('sets a new password once, ends all sessions, is on record, and its owner is told', async () => {
    const person = await addPerson();
    const there = await server.signIn(person.login);
    const code = await codeFor(person.email);
    const { db } = server.services;
    const [link] = await db.select().from(oneTimeLinks).where(eq(oneTimeLinks.userId, person.id));
    expect([link?.hash.includes(code), link?.kind]).toEqual([false, 'recovery']);
    expect((await anyone().post('/password/reset/info', { code })).json()).toEqual({
      data: { login: person.login, name: person.name, project: 'riverside' },
    });
    const answers = await Promise.all(
      ['Chosen-2026', 'Chosen-2027', 'Chosen-2028'].map((chosen) => anyone().post('/password/reset', { code, password: chosen })),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 400, 400]);
    const chosen = ['Chosen-2026', 'Chosen-2027', 'Chosen-2028'][answers.findIndex(({ statusCode }) => statusCode === 200)];
    expect((await there.get('/profile')).statusCode).toBe(401);
    expect(await db.select().from(sessions).where(eq(sessions.userId, person.id))).toEqual([]);
    await expect(server.signIn(person.login)).rejects.toThrow('incorrect_login');
    await server.signIn(person.login, chosen);
    expect(codeOf(await anyone().post('/password/reset', { code, password: 'Another-2026' }))).toBe('outdated_link');
    expect(codeOf(await anyone().post('/password/reset/info', { code }))).toBe('outdated_link');
    const trail = await db
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.entityId, person.id), eq(auditEvents.action, 'password_change')));
    expect(trail).toHaveLength(1);
    expect(JSON.stringify(trail)).not.toMatch(/Chosen|argon/);
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toEqual([
      'Reset your Doorward password',
      'Your Doorward password was changed',
    ]);
  });

  it('is refused after an hour, when a newer one was sent, and when a password was set for the person', async () => {
    const person = await addPerson();
    const first = await codeFor(person.email);
    server.pass(5 * 60_000);
    const second = await codeFor(person.email, 2);
    expect(codeOf(await anyone().post('/password/reset', { code: first, password: 'Chosen-2026' }))).toBe('outdated_link');
    server.pass(61 * 60_000);
    expect(codeOf(await anyone().post('/password/reset', { code: second, password: 'Chosen-2026' }))).toBe('outdated_link');
    const third = await codeFor(person.email, 3);
    await (await server.signIn('boss')).post(`/users/${person.id}/password`, { new_password: 'Given-2026' });
    expect(codeOf(await anyone().post('/password/reset', { code: third, password: 'Chosen-2026' }))).toBe('outdated_link');
  });

  it('takes no password that everybody tries first, and works on afterwards', async () => {
    const person = await addPerson();
    const code = await codeFor(person.email);
    const common = await anyone().post('/password/reset', { code, password: 'Password123' });
    expect([common.statusCode, codeOf(common)]).toEqual([422, 'invalid_data']);
    expect((await anyone().post('/password/reset', { code, password: 'Chosen-2026' })).statusCode).toBe(200);
  });

  it('goes to every account with the address, each in its language', async () => {
    const { db } = server.services;
    const [harbour] = await db.select().from(projects).where(eq(projects.uid, 'harbour'));
    const [role] = await db
      .select()
      .from(roles)
      .where(eq(roles.projectId, harbour?.id ?? ''));
    const here = await addPerson({ email: 'Shared@example.org' });
    await addPerson({ email: 'shared@example.org', projectId: harbour?.id ?? '', roleId: role?.id ?? '', locale: 'ru' });
    await anyone().post('/password/recovery', { email: 'SHARED@example.org' });
    await vi.waitFor(async () => expect([...(await mailsTo(here.email)), ...(await mailsTo('shared@example.org'))]).toHaveLength(2), longestWait);
    const [one] = await mailsTo(here.email);
    const [other] = await mailsTo('shared@example.org');
    expect([one?.subject, other?.subject]).toEqual(['Reset your Doorward password', 'Восстановление пароля Doorward']);
    expect(codeIn(one?.body)).not.toBe(codeIn(other?.body));
  });

  it('is mailed to nobody whose project has closed recovery', async () => {
    const boss = await server.signIn('boss');
    const set = (open: boolean) => boss.patch('/project-settings/general', { password_recovery: open });
    expect((await set(false)).statusCode).toBe(200);
    const person = await addPerson();
    const answer = await anyone().post('/password/recovery', { email: person.email });
    expect(answer.statusCode).toBe(200);
    await set(true);
    await codeFor((await addPerson()).email);
    expect(await mailsTo(person.email)).toEqual([]);
  });

  it('lets in whoever was invited, and nobody who was not', async () => {
    const invited = await addPerson({ passwordHash: null, isInvited: true, activatedAt: 0 });
    const bare = await addPerson({ passwordHash: null, isInvited: false, activatedAt: 0 });
    await anyone().post('/password/recovery', { email: bare.email });
    const code = await codeFor(invited.email);
    expect(await mailsTo(bare.email)).toEqual([]);
    await anyone().post('/password/reset', { code, password: 'Chosen-2026' });
    const [now] = await server.services.db.select().from(users).where(eq(users.id, invited.id));
    expect([now?.activatedAt !== 0, now?.isVerified]).toEqual([true, true]);
  });
});

describe('asking for a link', () => {
  it('is answered the same whether or not the address is known', async () => {
    const person = await addPerson();
    const [known, unknown] = [
      await anyone().post('/password/recovery', { email: person.email }),
      await anyone().post('/password/recovery', { email: 'nobody@example.org' }),
    ];
    expect([known.statusCode, known.body]).toEqual([200, unknown.body]);
    expect(Object.keys(known.headers).toSorted()).toEqual(Object.keys(unknown.headers).toSorted());
  });

  it('mails one person once in two minutes, and is refused to who goes on, known or not', async () => {
    const person = await addPerson();
    const ask = async (email: string) => {
      const seen = [];
      for (let time = 0; time < 6; time++) seen.push((await anyone().post('/password/recovery', { email })).statusCode);
      return seen;
    };
    const expected = [200, 200, 200, 200, 429, 429];
    expect(await ask(person.email)).toEqual(expected);
    expect(await ask('stranger@example.org')).toEqual(expected);
    await codeFor((await addPerson()).email);
    expect(await mailsTo(person.email)).toHaveLength(1);
  });

  it('is refused to an address that asks for many people', async () => {
    const seen = [];
    for (let time = 0; time < 40; time++) seen.push((await anyone().post('/password/recovery', { email: `p${time}@example.net` })).statusCode);
    expect([seen[0], seen[29], seen[35]]).toEqual([200, 200, 429]);
  });
});

describe('a sign-in', () => {
  const browser = (version: number) => ({ 'user-agent': `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0` });
  const signIn = (login: string, headers: Record<string, string>) => anyone().post('/login', { login, password }, headers);

  it('from a new device is told to its owner once, with when, where from and how to end it; the first is not', async () => {
    const person = await addPerson({ timeZone: 3, timeFormat: 'YYYY-MM-DD' });
    await signIn(person.login, browser(140));
    await signIn(person.login, browser(141));
    expect(await mailsTo(person.email)).toEqual([]);
    await signIn(person.login, { 'user-agent': 'curl/8.0' });
    await signIn(person.login, { 'user-agent': 'curl/8.1' });
    const [mail, ...more] = await mailsTo(person.email);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('New sign-in to your Doorward account');
    const at = new Date(server.services.now().getTime() + 3 * 3_600_000).toISOString();
    expect(mail?.body).toContain(`When: ${at.slice(0, 10)} ${at.slice(11, 16)}`);
    for (const part of ['IP address: 127.0.0.1', 'https://door.example.org/profile\n', 'https://door.example.org/password/recovery\n'])
      expect(mail?.body).toContain(part);
    expect(await server.services.db.select().from(knownDevices).where(eq(knownDevices.userId, person.id))).toHaveLength(2);
  });

  it('with a wrong password tells nobody', async () => {
    const person = await addPerson();
    await signIn(person.login, browser(140));
    await anyone().post('/login', { login: person.login, password: 'Wrong-2026' }, { 'user-agent': 'curl/8.0' });
    expect(await mailsTo(person.email)).toEqual([]);
  });

  it.each([
    ['203.0.113.7', '203.0.113'],
    ['::ffff:203.0.113.7', '203.0.113'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])('%s lies in the block %s', (ip, block) => expect(addressBlock(ip)).toBe(block));
});

it('a password that was changed in the profile is told by mail', async () => {
  const person = await addPerson({ locale: 'ru' });
  const own = await server.signIn(person.login);
  expect((await own.post('/profile/password', { old: password, new: 'Changed-2026' })).statusCode).toBe(200);
  expect((await mailsTo(person.email)).map(({ subject }) => subject)).toEqual(['Ваш пароль Doorward изменён']);
});
