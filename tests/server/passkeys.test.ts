import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Profile } from '#models/profile.ts';
import { auditEvents, mails, passkeys, roles, users } from '#server/db/schema/index.ts';
import { codeOf, stepOf } from '#server/modules/second-factor/totp.ts';
import { hashPassword } from '#server/modules/session/passwords.ts';
import { softAuthenticator } from './soft-authenticator.ts';
import { type Client, openTestServer, password, type TestServer } from './support.ts';
import { seedWorld } from './world.ts';

const rp = { origin: 'https://doors.example.org', rpId: 'doors.example.org' };
let server: TestServer;
let boss: Client;
let count = 0;
const anyone = () => server.as(null);
const dataOf = <T>(answer: { json: () => unknown }): T => (answer.json() as { data: T }).data;
const problemOf = (answer: { json: () => unknown }) => (answer.json() as { error?: { code: string } }).error?.code;
interface Asked {
  challenge: string;
  options: {
    challenge: string;
    excludeCredentials?: { id: string }[];
    rp?: { id: string };
    user?: { name: string };
    rpId?: string;
    allowCredentials?: unknown;
  };
}

async function addPerson(requiresSecondFactor = false) {
  const { db } = server.services;
  const [like] = await db.select().from(users).where(eq(users.login, 'guest'));
  if (!like) throw new Error('nobody is there');
  count += 1;
  const [role] = await db
    .insert(roles)
    .values({ projectId: like.projectId, name: `Role ${count}`, permissions: ['can_view_all_users', 'can_view_users'], requiresSecondFactor })
    .returning();
  const { id: _, ...columns } = like;
  const own = { login: `passkey${count}`, email: `passkey${count}@example.org`, roleId: role?.id ?? '', passwordHash: await hashPassword(password) };
  const [made] = await db
    .insert(users)
    .values({ ...columns, ...own })
    .returning();
  if (!made) throw new Error('nobody was added');
  return { id: made.id, login: made.login, email: own.email, roleId: own.roleId };
}
const begin = async (client: Client): Promise<Asked> => dataOf(await client.post('/profile/passkeys/options', { password }));
async function add(client: Client, device = softAuthenticator(), name = 'Laptop') {
  const { challenge, options } = await begin(client);
  const answer = await client.post('/profile/passkeys', { challenge, name, response: device.make({ ...rp, challenge: options.challenge }) });
  expect(answer.statusCode, answer.body).toBe(200);
  return { device, id: dataOf<{ id: string }>(answer).id };
}
const beginSignIn = async (): Promise<Asked> => dataOf(await anyone().post('/login/passkey/options'));
const show = (body: unknown) => anyone().post('/login/passkey', body);
const signInWith = async (device: ReturnType<typeof softAuthenticator>, more: object = {}) => {
  const { challenge, options } = await beginSignIn();
  return show({ challenge, response: device.show({ ...rp, challenge: options.challenge, ...more }) });
};
const withPassword = (login: string) => anyone().post('/login', { login, password });
const tokenIn = (answer: { json: () => unknown }) => dataOf<{ sessions: { token: string }[] }>(answer).sessions[0]?.token ?? null;
const mailsTo = async (email: string) =>
  (await server.services.db.select().from(mails).where(eq(mails.recipient, email))).map(({ subject }) => subject);

beforeAll(async () => {
  server = await openTestServer({ seed: seedWorld, config: { signInTries: 10, signInTriesPerIp: 200, publicUrl: rp.origin } });
});
beforeEach(async () => {
  server.pass(3_600_000);
  boss = await server.signIn('boss');
});
afterAll(() => server.close());

describe('a passkey', () => {
  it('is added with the password and signs in by itself, as its authenticator counts', async () => {
    const person = await addPerson();
    const client = await server.signIn(person.login);
    expect(problemOf(await client.post('/profile/passkeys/options', { password: 'Wrong-2026' }))).toBe('wrong_old_password');
    const asked = await begin(client);
    expect(asked.options).toMatchObject({ rp: { id: rp.rpId }, authenticatorSelection: { residentKey: 'required', userVerification: 'required' } });
    expect(asked.options.user?.name).toContain(person.login);
    const { device, id } = await add(client);
    expect((await begin(client)).options.excludeCredentials?.map((known) => known.id)).toEqual([device.id]);
    const { options } = await beginSignIn();
    expect([options.rpId, options.allowCredentials, JSON.stringify(options).includes(person.id)]).toEqual([rp.rpId, undefined, false]);
    const first = await signInWith(device, { counter: 7 });
    expect(first.statusCode, first.body).toBe(200);
    expect(dataOf<Profile>(await server.as(tokenIn(first)).get('/profile')).id).toBe(person.id);
    expect((await signInWith(device, { counter: 8 })).statusCode).toBe(200);
    expect(problemOf(await signInWith(device, { counter: 8 }))).toBe('passkey_invalid');
    expect(problemOf(await signInWith(device, { counter: 3 }))).toBe('passkey_invalid');
    const [stored] = await server.services.db.select().from(passkeys).where(eq(passkeys.id, id));
    expect([stored?.counter, stored?.lastUsedAt !== null]).toEqual([8, true]);
    // The password alone goes on to be enough where the role asks for no more.
    expect((await withPassword(person.login)).statusCode).toBe(200);
    expect(await mailsTo(person.email)).toContain('A passkey was added to your Doorward account');
  });

  it('is refused from another origin, for another name, unverified, for another challenge, and by another key', async () => {
    const person = await addPerson();
    const { device } = await add(await server.signIn(person.login));
    const wrong: object[] = [
      { origin: 'https://doors.example.com' },
      { origin: 'http://doors.example.org' },
      { rpId: 'example.org' },
      { flags: 0x01 },
      { challenge: Buffer.alloc(32).toString('base64url') },
    ];
    for (const more of wrong) expect([more, problemOf(await signInWith(device, more))]).toEqual([more, 'passkey_invalid']);
    const { challenge, options } = await beginSignIn();
    const forged = { ...softAuthenticator().show({ ...rp, challenge: options.challenge }), id: device.id, rawId: device.id };
    expect(problemOf(await show({ challenge, response: forged }))).toBe('passkey_invalid');
    expect(problemOf(await signInWith(softAuthenticator()))).toBe('passkey_invalid');
    expect((await signInWith(device)).statusCode).toBe(200);
  });

  it('signs in once for each challenge, also of many that come at once, and not after five minutes', async () => {
    const { device } = await add(await server.signIn((await addPerson()).login));
    const asked = await beginSignIn();
    const body = { challenge: asked.challenge, response: device.show({ ...rp, challenge: asked.options.challenge }) };
    const answers = await Promise.all([1, 2, 3].map(() => show(body)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 422, 422]);
    expect(problemOf(await show(body))).toBe('passkey_invalid');
    const late = await beginSignIn();
    server.pass(301_000);
    expect(problemOf(await show({ challenge: late.challenge, response: device.show({ ...rp, challenge: late.options.challenge }) }))).toBe(
      'passkey_invalid',
    );
    expect(problemOf(await show({ ...body, challenge: `${asked.challenge.slice(0, -6)}AAAAAA` }))).toBe('passkey_invalid');
  });

  it('is added once, for who began it, by a challenge for adding', async () => {
    const [one, other] = [await server.signIn((await addPerson()).login), await server.signIn((await addPerson()).login)];
    const asked = await begin(one);
    const device = softAuthenticator();
    const body = { challenge: asked.challenge, name: 'Phone', response: device.make({ ...rp, challenge: asked.options.challenge }) };
    expect(problemOf(await other.post('/profile/passkeys', body))).toBe('passkey_invalid');
    const signIn = await beginSignIn();
    const swapped = { ...body, challenge: signIn.challenge, response: device.make({ ...rp, challenge: signIn.options.challenge }) };
    expect(problemOf(await one.post('/profile/passkeys', swapped))).toBe('passkey_invalid');
    expect((await one.post('/profile/passkeys', body)).statusCode).toBe(200);
    expect(problemOf(await one.post('/profile/passkeys', body))).toBe('passkey_invalid');
    const again = await begin(other);
    const stolen = { ...body, challenge: again.challenge, response: device.make({ ...rp, challenge: again.options.challenge }) };
    expect(problemOf(await other.post('/profile/passkeys', stolen))).toBe('not_unique');
  });

  it('limits tries', async () => {
    const { device } = await add(await server.signIn((await addPerson()).login));
    const seen = [];
    for (let time = 0; time < 12; time++) seen.push((await signInWith(device, { flags: 0x01 })).statusCode);
    expect([seen[0], seen[9], seen[11]]).toEqual([422, 422, 423]);
  });

  it('is renamed and removed by its owner alone, who is told; the trail has it', async () => {
    const person = await addPerson();
    const client = await server.signIn(person.login);
    const { device, id } = await add(client);
    const stranger = await server.signIn((await addPerson()).login);
    expect(problemOf(await stranger.patch(`/profile/passkeys/${id}`, { name: 'Mine' }))).toBe('not_found');
    expect(problemOf(await stranger.send('DELETE', `/profile/passkeys/${id}`, { password }))).toBe('not_found');
    expect((await client.patch(`/profile/passkeys/${id}`, { name: 'Desk' })).statusCode).toBe(200);
    expect(dataOf<{ items: { name: string }[]; is_required: boolean }>(await client.get('/profile/passkeys'))).toMatchObject({
      items: [{ name: 'Desk' }],
      is_required: false,
    });
    expect(problemOf(await client.send('DELETE', `/profile/passkeys/${id}`, { password: 'Wrong-2026' }))).toBe('wrong_old_password');
    expect((await client.send('DELETE', `/profile/passkeys/${id}`, { password })).statusCode).toBe(200);
    expect(problemOf(await signInWith(device))).toBe('passkey_invalid');
    expect(await mailsTo(person.email)).toEqual(['A passkey was added to your Doorward account', 'A passkey of your Doorward account was removed']);
    const trail = (await server.services.db.select().from(auditEvents).where(eq(auditEvents.entityId, person.id))).flatMap(
      ({ changes }) => changes['passkey'] ?? [],
    );
    expect(trail).toEqual([
      { before: null, after: 'Laptop' },
      { before: 'Laptop', after: 'Desk' },
      { before: 'Desk', after: null },
    ]);
  });
});

describe('a role that requires a second factor', () => {
  it('is satisfied by a passkey, and no longer by the password alone', async () => {
    const person = await addPerson(true);
    const [client, elsewhere] = [await server.signIn(person.login), await server.signIn(person.login)];
    expect(problemOf(await client.get('/users'))).toBe('second_factor_required');
    const { device, id } = await add(client);
    expect((await client.get('/users')).statusCode).toBe(200);
    expect((await elsewhere.get('/profile')).statusCode).toBe(401);
    const refused = await withPassword(person.login);
    expect([refused.statusCode, problemOf(refused)]).toEqual([403, 'passkey_required']);
    const entered = server.as(tokenIn(await signInWith(device)));
    expect((await entered.get('/users')).statusCode).toBe(200);
    expect(problemOf(await entered.send('DELETE', `/profile/passkeys/${id}`, { password }))).toBe('second_factor_required');
    expect(dataOf<{ is_required: boolean }>(await entered.get('/profile/passkeys')).is_required).toBe(true);
    const second = await add(entered, softAuthenticator(), 'Spare');
    expect((await entered.send('DELETE', `/profile/passkeys/${second.id}`, { password })).statusCode).toBe(200);
  });

  it('ends sessions that a password began beside passkeys, when it comes to require one', async () => {
    const person = await addPerson();
    const { device } = await add(await server.signIn(person.login));
    const weak = await server.signIn(person.login);
    const strong = server.as(tokenIn(await signInWith(device)));
    expect((await weak.get('/profile')).statusCode).toBe(200);
    expect((await boss.patch(`/roles/${person.roleId}`, { requires_second_factor: true })).statusCode).toBe(200);
    expect([(await weak.get('/profile')).statusCode, (await strong.get('/users')).statusCode]).toEqual([401, 200]);
  });

  it('takes the app or a passkey: with both, either may go', async () => {
    const person = await addPerson(true);
    const client = await server.signIn(person.login);
    const { secret } = dataOf<{ secret: string }>(await client.post('/profile/second-factor', { password }));
    server.pass(31_000);
    expect((await client.post('/profile/second-factor/confirm', { code: codeOf(secret, stepOf(server.services.now())) })).statusCode).toBe(200);
    expect(problemOf(await client.send('DELETE', '/profile/second-factor', { password }))).toBe('second_factor_required');
    const { id } = await add(client);
    expect(dataOf<{ is_required: boolean }>(await client.get('/profile/second-factor')).is_required).toBe(false);
    expect((await client.send('DELETE', '/profile/second-factor', { password })).statusCode).toBe(200);
    expect((await client.get('/users')).statusCode).toBe(200);
    expect(problemOf(await client.send('DELETE', `/profile/passkeys/${id}`, { password }))).toBe('second_factor_required');
  });

  it('lets who has lost the passkey back in by a reset, which is told', async () => {
    const person = await addPerson(true);
    const client = await server.signIn(person.login);
    const { device } = await add(client);
    expect((await boss.post(`/users/${person.id}/second-factor/reset`)).statusCode).toBe(200);
    expect((await client.get('/profile')).statusCode).toBe(401);
    expect(problemOf(await signInWith(device))).toBe('passkey_invalid');
    expect(dataOf<Profile>(await (await server.signIn(person.login)).get('/profile')).must_enrol).toBe(true);
    expect(await mailsTo(person.email)).toContain('A passkey of your Doorward account was removed');
  });
});
