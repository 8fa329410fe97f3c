import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '#models/api.ts';
import type { Call } from '#models/define-call.ts';
import { allLicensed } from '#models/licence-info.ts';
import type { Profile } from '#models/profile.ts';
import { auditEvents, groups, mails, recoveryCodes, roles, secondFactors, sipNumbers, userDomains, users } from '#server/db/schema/index.ts';
import { codeOf, stepOf, stepOfCode, toBase32 } from '#server/modules/second-factor/totp.ts';
import { hashPassword } from '#server/modules/session/passwords.ts';
import { accountOf } from '#server/telephony/accounts.ts';
import { type Client, openTestServer, password, type TestServer } from './support.ts';
import { seedWorld } from './world.ts';

let server: TestServer;
let boss: Client;
let count = 0;
const anyone = () => server.as(null);
const dataOf = <T>(answer: { json: () => unknown }): T => (answer.json() as { data: T }).data;
const problemOf = (answer: { json: () => unknown }) => (answer.json() as { error?: { code: string } }).error?.code;
const next = (secret: string): string => {
  server.pass(31_000);
  return codeOf(secret, stepOf(server.services.now()));
};

async function addPerson(role?: Partial<typeof roles.$inferInsert>) {
  const { db } = server.services;
  const [like] = await db.select().from(users).where(eq(users.login, 'guest'));
  if (!like) throw new Error('nobody is there');
  count += 1;
  let { roleId } = like;
  if (role) {
    const [made] = await db
      .insert(roles)
      .values({ projectId: like.projectId, name: `Role ${count}`, permissions: [], ...role })
      .returning();
    roleId = made?.id ?? '';
  }
  const { id: _, ...columns } = like;
  const own = { login: `second${count}`, email: `second${count}@example.org`, roleId, passwordHash: await hashPassword(password) };
  const [made] = await db
    .insert(users)
    .values({ ...columns, ...own })
    .returning();
  if (!made) throw new Error('nobody was added');
  return { id: made.id, login: made.login, email: own.email, roleId };
}
async function turnOn(client: Client): Promise<{ secret: string; codes: string[] }> {
  const { secret } = dataOf<{ secret: string }>(await client.post('/profile/second-factor', { password }));
  const answer = await client.post('/profile/second-factor/confirm', { code: next(secret) });
  expect(answer.statusCode, answer.body).toBe(200);
  return { secret, codes: dataOf<{ recovery_codes: string[] }>(answer).recovery_codes };
}
const signIn = async (login: string) =>
  dataOf<{ sessions: { token: string }[]; challenge?: string }>(await anyone().post('/login', { login, password }));
const step = (challenge: string | undefined, code: string) => anyone().post('/login/second-factor', { challenge, code });

beforeAll(async () => {
  server = await openTestServer({ seed: seedWorld, config: { signInTries: 10, signInTriesPerIp: 100 } });
});
beforeEach(async () => {
  server.pass(3_600_000);
  boss = await server.signIn('boss');
});
afterAll(() => server.close());

describe('a code of an authenticator app', () => {
  const secret = toBase32(Buffer.from('12345678901234567890'));
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('at %i s is %s (RFC 6238, appendix B)', (seconds, code) => expect(codeOf(secret, stepOf(new Date(seconds * 1_000)))).toBe(code));
  it('counts half a minute early and late, not longer, and only whole', () => {
    const at = new Date(1_111_111_109_000);
    const late = (seconds: number) => stepOfCode(secret, '081804', new Date(at.getTime() + seconds * 1_000));
    expect([late(0), late(30), late(-30)]).toEqual(Array.from({ length: 3 }, () => 37_037_036));
    expect([late(62), late(-62), stepOfCode(secret, '08180', at), stepOfCode(secret, '0818044', at)]).toEqual([null, null, null, null]);
  });
});

describe('a second factor', () => {
  it('is set up with the password and a code, kept sealed, and asked for at sign-in', async () => {
    const person = await addPerson();
    const client = await server.signIn(person.login);
    const elsewhere = await server.signIn(person.login);
    expect(problemOf(await client.post('/profile/second-factor', { password: 'Wrong-2026' }))).toBe('wrong_old_password');
    const begun = dataOf<{ secret: string; uri: string }>(await client.post('/profile/second-factor', { password }));
    expect(begun.uri).toBe(`otpauth://totp/Doorward:${person.login}?secret=${begun.secret}&issuer=Doorward`);
    expect((await signIn(person.login)).sessions).toHaveLength(1);
    const wrong = await client.post('/profile/second-factor/confirm', { code: '000000' });
    expect([wrong.statusCode, problemOf(wrong)]).toEqual([422, 'second_factor_invalid']);
    const { secret, codes } = await turnOn(client);
    const stored = await server.services.db.select().from(secondFactors).where(eq(secondFactors.userId, person.id));
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect([new Set(codes).size, codes.every((code) => /^[A-Z2-7]{8}-[A-Z2-7]{8}$/.test(code))]).toEqual([10, true]);
    expect((await elsewhere.get('/profile')).statusCode).toBe(401);
    expect((await client.get('/profile')).statusCode).toBe(200);
    const half = await signIn(person.login);
    expect([half.sessions, typeof half.challenge]).toEqual([[], 'string']);
    expect((await server.as(half.challenge ?? null).get('/profile')).statusCode).toBe(401);
    const whole = await step(half.challenge, next(secret));
    const [session] = dataOf<{ sessions: { token: string }[] }>(whole).sessions;
    expect((await server.as(session?.token ?? null).get('/profile')).statusCode).toBe(200);
  });

  it('takes a code once, also of many who come with it at once', async () => {
    const person = await addPerson();
    const { secret } = await turnOn(await server.signIn(person.login));
    const { challenge } = await signIn(person.login);
    const code = next(secret);
    const answers = await Promise.all([1, 2, 3].map(() => step(challenge, code)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 422, 422]);
    expect(problemOf(await step((await signIn(person.login)).challenge, code))).toBe('second_factor_invalid');
  });

  it('takes each recovery code once; new ones replace them', async () => {
    const person = await addPerson();
    const client = await server.signIn(person.login);
    const { codes } = await turnOn(client);
    const [first = '', second = ''] = codes;
    expect(JSON.stringify(await server.services.db.select().from(recoveryCodes))).not.toContain(first);
    expect((await step((await signIn(person.login)).challenge, first.toLowerCase().replace('-', ' '))).statusCode).toBe(200);
    expect(problemOf(await step((await signIn(person.login)).challenge, first))).toBe('second_factor_invalid');
    expect(dataOf(await client.get('/profile/second-factor'))).toEqual({ is_on: true, is_required: false, recovery_codes_left: 9 });
    const renewed = dataOf<{ recovery_codes: string[] }>(await client.post('/profile/second-factor/recovery-codes', { password })).recovery_codes;
    expect(problemOf(await step((await signIn(person.login)).challenge, second))).toBe('second_factor_invalid');
    expect((await step((await signIn(person.login)).challenge, renewed[0] ?? '')).statusCode).toBe(200);
  });

  it('limits guesses, and ends a challenge after five minutes and with the password', async () => {
    const person = await addPerson();
    const client = await server.signIn(person.login);
    const { secret } = await turnOn(client);
    const { challenge } = await signIn(person.login);
    const seen = [];
    for (let time = 0; time < 12; time++) seen.push((await step(challenge, '000000')).statusCode);
    expect([seen[0], seen[9], seen[11]]).toEqual([422, 422, 423]);
    server.pass(301_000);
    expect(problemOf(await step(challenge, next(secret)))).toBe('invalid_credentials');
    const { challenge: fresh } = await signIn(person.login);
    await boss.post(`/users/${person.id}/password`, { new_password: 'Another-2026' });
    expect(problemOf(await step(fresh, next(secret)))).toBe('invalid_credentials');
    expect(problemOf(await step(`${fresh?.slice(0, -4)}AAAA`, '123456'))).toBe('invalid_credentials');
  });

  it('is turned off with the password; its owner is told', async () => {
    const person = await addPerson();
    const client = await server.signIn(person.login);
    await turnOn(client);
    expect(problemOf(await client.send('DELETE', '/profile/second-factor', { password: 'Wrong-2026' }))).toBe('wrong_old_password');
    expect((await client.send('DELETE', '/profile/second-factor', { password })).statusCode).toBe(200);
    expect((await signIn(person.login)).sessions).toHaveLength(1);
    const mailed = await server.services.db.select().from(mails).where(eq(mails.recipient, person.email));
    expect(mailed.map(({ subject }) => subject)).toEqual(['The second factor of your Doorward account was turned off']);
    const trail = (await server.services.db.select().from(auditEvents).where(eq(auditEvents.entityId, person.id))).flatMap(
      ({ changes }) => changes['second_factor'] ?? [],
    );
    expect(trail).toEqual([
      { before: 'off', after: 'on' },
      { before: 'on', after: 'off' },
    ]);
  });

  it('is reset by an administrator for who has lost it, and by nobody who may not', async () => {
    const person = await addPerson();
    const client = await server.signIn(person.login);
    await turnOn(client);
    const other = await server.signIn((await addPerson()).login);
    expect([403, 404]).toContain((await other.post(`/users/${person.id}/second-factor/reset`)).statusCode);
    expect((await signIn(person.login)).sessions).toEqual([]);
    expect((await boss.post(`/users/${person.id}/second-factor/reset`)).statusCode).toBe(200);
    expect((await client.get('/profile')).statusCode).toBe(401);
    expect((await signIn(person.login)).sessions).toHaveLength(1);
    expect(await server.services.db.select().from(mails).where(eq(mails.recipient, person.email))).toHaveLength(1);
  });
});

describe('a role that requires a second factor', () => {
  it('lets nobody do anything before it is set up, by no call', async () => {
    const person = await addPerson({ requiresSecondFactor: true, permissions: ['can_view_all_users', 'can_view_users'] });
    const client = await server.signIn(person.login);
    expect(dataOf<Profile>(await client.get('/profile')).must_enrol).toBe(true);
    const closed = (Object.values(calls) as Call[]).filter(
      ({ access, enrols, demo, path }) => access !== 'anyone' && !enrols && !demo && !path.includes('{area}'),
    );
    for (const { method, path } of closed) {
      const answer = await client.send(method, path.replaceAll(/\{\w+\}/g, person.id));
      expect([method, path, answer.statusCode, problemOf(answer)]).toEqual([method, path, 403, 'second_factor_required']);
    }
    expect(problemOf(await client.get('/users'))).toBe('second_factor_required');
    await turnOn(client);
    expect(dataOf<Profile>(await client.get('/profile')).must_enrol).toBe(false);
    expect((await client.get('/users')).statusCode).toBe(200);
    expect(problemOf(await client.send('DELETE', '/profile/second-factor', { password }))).toBe('second_factor_required');
  });

  it('closes the phone of their sessions as well, until it is set up', async () => {
    const person = await addPerson({ permissions: [] });
    const client = await server.signIn(person.login);
    const [like] = await server.services.db.select().from(users).where(eq(users.id, person.id));
    const number = `7${count}`;
    await server.services.db.insert(sipNumbers).values({ projectId: like?.projectId ?? '', number, name: number, userId: person.id });
    const [group] = await server.services.db
      .select()
      .from(groups)
      .where(eq(groups.projectId, like?.projectId ?? ''));
    await server.services.db.insert(userDomains).values({ userId: person.id, groupId: group?.id ?? '' });
    await server.services.db.update(users).set({ licenseInfo: allLicensed }).where(eq(users.id, person.id));
    const passwords = async () => (await accountOf(server.services, number))?.passwords.length;
    expect(await passwords()).toBe(1);
    await boss.patch(`/roles/${person.roleId}`, { requires_second_factor: true });
    expect(await passwords()).toBe(0);
    await turnOn(client);
    expect(await passwords()).toBe(1);
  });

  it('is in force at once for who is signed in', async () => {
    const person = await addPerson({ permissions: [] });
    const client = await server.signIn(person.login);
    expect((await client.get('/sessions')).statusCode).toBe(200);
    expect((await boss.patch(`/roles/${person.roleId}`, { requires_second_factor: true })).statusCode).toBe(200);
    expect(problemOf(await client.get('/sessions'))).toBe('second_factor_required');
  });
});
