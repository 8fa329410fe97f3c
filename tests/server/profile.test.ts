import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Profile, profile as profileModel } from '#models/profile.ts';
import { auditEvents, roles, users } from '#server/db/schema/index.ts';
import { type Client, openTestServer, password, type TestServer } from './support.ts';
import { seedWorld } from './world.ts';

let server: TestServer;
let boss: Client;
beforeAll(async () => {
  server = await openTestServer({ seed: seedWorld });
  boss = await server.signIn('boss');
});
afterAll(() => server.close());

const codeOf = (answer: { json: () => unknown }) => (answer.json() as { error?: { code: string } }).error?.code;
const read = async (who = boss) => ((await who.get('/profile')).json() as { data: Profile }).data;
const trailOf = (action: string) => server.services.db.select().from(auditEvents).where(eq(auditEvents.action, action));

describe('the profile', () => {
  it('says who one is, where one belongs and what one may do', async () => {
    const own = await read();
    expect(profileModel.parse(own)).toEqual(own);
    expect(own).toMatchObject({ login: 'boss', domains: [{ name: 'House of riverside' }], project: { uid: 'riverside' }, role: { name: 'All' } });
    expect(own.role?.available_roles).toHaveLength(1);
    expect((await boss.get('/profile')).body).not.toMatch(/password|hash/i);
  });

  it('changes what one may change, and the trail says from what to what (P11)', async () => {
    const before = await read();
    const answer = await boss.patch('/profile', {
      name: 'The chief',
      profile: { phone: '+1 (202) 555-0123', time_format: 'YYYY-MM-DD', address: '' },
    });
    const after = (answer.json() as { data: Profile }).data;
    expect(after).toMatchObject({
      name: 'The chief',
      email: before.email,
      profile: { phone: '+12025550123', time_format: 'YYYY-MM-DD', time_zone: 2 },
    });
    expect(after.version).not.toBe(before.version);
    const [entry] = (await trailOf('update')).slice(-1);
    expect(entry?.changes).toMatchObject({
      name: { before: 'The boss', after: 'The chief' },
      'profile.phone': { before: null, after: '+12025550123' },
    });
    const count = (await trailOf('update')).length;
    await boss.patch('/profile', { name: 'The chief' });
    expect(await trailOf('update')).toHaveLength(count);
  });

  it('keeps the zone by its name, and the hours of API clients beside it', async () => {
    const change = async (profile: object) => {
      const answer = await boss.patch('/profile', { profile });
      expect(answer.statusCode).toBe(200);
      const { time_zone, time_zone_name } = (answer.json() as { data: Profile }).data.profile;
      return [time_zone, time_zone_name];
    };
    expect(await change({ time_zone_name: 'Asia/Kolkata' })).toEqual([6, 'Asia/Kolkata']);
    expect(await change({ time_zone_name: 'Europe/Berlin', time_zone: 9 })).toEqual([1, 'Europe/Berlin']);
    expect(await change({ time_format: 'YYYY-MM-DD' })).toEqual([1, 'Europe/Berlin']);
    // From the beginning of March into April.
    server.pass(31 * 86_400_000);
    boss = await server.signIn('boss');
    expect((await read()).profile).toMatchObject({ time_zone: 2, time_zone_name: 'Europe/Berlin' });
    expect(await change({ time_zone_name: null })).toEqual([2, null]);
    expect(await change({ time_zone_name: 'Asia/Kolkata' })).toEqual([6, 'Asia/Kolkata']);
    expect(await change({ time_zone: -8 })).toEqual([-8, null]);
    expect(await change({ time_zone: 2 })).toEqual([2, null]);
    const changes = (await trailOf('update')).map((entry) => entry.changes as Record<string, unknown>);
    expect(changes).toContainEqual(expect.objectContaining({ 'profile.time_zone_name': { before: 'Asia/Kolkata', after: null } }));
    const wrong = await boss.patch('/profile', { profile: { time_zone_name: 'Mars/Olympus' } });
    expect([wrong.statusCode, wrong.json()]).toMatchObject([
      422,
      { error: { code: 'invalid_data' }, data: { issues: [{ path: ['profile', 'time_zone_name'], rule: 'time_zone_name' }] } },
    ]);
  });

  it('refuses what is not one’s own to change, or is no good (P3)', async () => {
    for (const field of ['role', 'domains', 'id', 'is_verified', 'license_info', 'login', 'version', 'created_by', 'password_hash'])
      expect(codeOf(await boss.patch('/profile', { [field]: null }))).toBe('invalid_data');
    expect(codeOf(await boss.patch('/profile', { profile: { is_app_popup_active: false } }))).toBe('invalid_data');
    const wrong = await boss.patch('/profile', { name: 'x'.repeat(40), email: 'nobody', profile: { phone: '12', time_zone: 99 } });
    const { data } = wrong.json() as { data: { issues: { path: string[]; rule: string }[] } };
    expect(data.issues.map(({ path, rule }) => `${path.join('.')}:${rule}`).toSorted()).toEqual([
      'email:email',
      'name:max_length',
      'profile.phone:phone',
      'profile.time_zone:between',
    ]);
  });

  it('leaves who one is to those whose role lets them edit it; how things are shown is everybody’s own (PERM-27)', async () => {
    const guest = await server.signIn('guest');
    const { id, name, email } = await read(guest);
    for (const [field, change] of [
      ['name', { name: 'Somebody' }],
      ['email', { email: 'some@example.org' }],
      ['phone', { profile: { phone: '+12025550123' } }],
      ['address', { profile: { address: 'Elsewhere 1', time_format: 'YYYY-MM-DD' } }],
    ] as const)
      expect((await guest.patch('/profile', change)).json()).toMatchObject({ error: { code: 'forbidden' }, data: { issues: [{ path: [field] }] } });
    expect(codeOf(await guest.patch(`/users/${id}`, { name: 'Somebody' }))).toBe('forbidden');
    expect(codeOf(await guest.delete(`/users/${id}/avatar`))).toBe('forbidden');
    const answer = await guest.patch('/profile', { name, profile: { time_format: 'YYYY-MM-DD', time_zone_name: 'Asia/Kolkata' } });
    expect((answer.json() as { data: Profile }).data).toMatchObject({
      name,
      email,
      profile: { time_format: 'YYYY-MM-DD', time_zone_name: 'Asia/Kolkata' },
    });
  });

  it('keeps e-mails apart within a project, whatever their case', async () => {
    const taken = await boss.patch('/profile', { email: 'GUEST@example.org' });
    expect([taken.statusCode, taken.json()]).toMatchObject([409, { error: { code: 'email_used' }, data: { issues: [{ path: ['email'] }] } }]);
    expect((await boss.patch('/profile', { email: null })).statusCode).toBe(200);
  });

  it('keeps language and app promotion', async () => {
    expect((await boss.patch('/profile/locale', { locale: 'ru' })).json()).toEqual({ data: null });
    expect((await boss.patch('/profile/app-popup', { is_app_popup_active: false })).json()).toEqual({ data: null });
    expect(await read()).toMatchObject({ locale: 'ru', profile: { is_app_popup_active: false } });
    expect(codeOf(await boss.patch('/profile/locale', { locale: 'tlh' }))).toBe('invalid_data');
    expect(((await boss.get('/licenses/feature-state')).json() as { data: { sip: { is_enabled: boolean } } }).data.sip.is_enabled).toBe(true);
  });
});

describe('the promotion of the mobile app (AUTH-16)', () => {
  it('is switched off and on for oneself alone, and the trail says so', async () => {
    const guest = await server.signIn('guest');
    const shows = async (who: Client) => (await read(who)).profile.is_app_popup_active;
    await boss.patch('/profile/app-popup', { is_app_popup_active: true });
    expect([await shows(boss), await shows(guest)]).toEqual([true, true]);
    const { version } = await read(guest);
    expect((await guest.patch('/profile/app-popup', { is_app_popup_active: false })).statusCode).toBe(200);
    expect([await shows(boss), await shows(guest)]).toEqual([true, false]);
    expect((await read(guest)).version).not.toBe(version);
    const [entry] = (await trailOf('update')).slice(-1);
    expect(entry).toMatchObject({ userName: 'The guest', entityName: 'The guest' });
    expect(entry?.changes).toEqual({ 'profile.is_app_popup_active': { before: true, after: false } });
    await guest.patch('/profile/app-popup', { is_app_popup_active: true });
    expect(await shows(guest)).toBe(true);
  });

  it('takes a truth value and nothing else, from whoever is signed in', async () => {
    const bodies = [
      {},
      { is_app_popup_active: 'false' },
      { is_app_popup_active: 0 },
      { is_app_popup_active: null },
      { is_app_popup_active: true, id: 'x' },
    ];
    const answers = await Promise.all(bodies.map((body) => boss.patch('/profile/app-popup', body)));
    expect(answers.map((answer) => [answer.statusCode, codeOf(answer)])).toEqual(bodies.map(() => [422, 'invalid_data']));
    expect((await server.as(null).patch('/profile/app-popup', { is_app_popup_active: false })).statusCode).toBe(401);
  });

  it('goes with the link of the settings; without one nothing is promoted', async () => {
    expect((await read()).app_url).toBeNull();
    const own = await openTestServer({ seed: seedWorld, config: { appUrl: 'https://app.example/get' } });
    expect((await read(await own.signIn('boss'))).app_url).toBe('https://app.example/get');
    await own.close();
  });
});

describe('the password (S19)', () => {
  const next = 'Another-2027';

  it('changes only for who knows the old one; all other sessions end at once, in every project where it fitted', async () => {
    const [here, elsewhere] = [await server.signIn('both'), await server.signIn('both')];
    const wrong = await here.post('/profile/password', { old: 'not it', new: next });
    expect([wrong.statusCode, codeOf(wrong)]).toEqual([422, 'wrong_old_password']);
    const weak = await here.post('/profile/password', { old: password, new: 'short' });
    expect(weak.json()).toMatchObject({ error: { code: 'invalid_data' }, data: { issues: [{ path: ['new'] }] } });
    expect((await elsewhere.get('/profile')).statusCode).toBe(200);
    expect((await here.post('/profile/password', { old: password, new: next })).json()).toEqual({ data: null });
    expect((await here.get('/profile')).statusCode).toBe(200);
    expect((await elsewhere.get('/profile')).statusCode).toBe(401);
    expect((await server.as(null).post('/refresh', { token: elsewhere.refresh })).statusCode).toBe(401);
    const again = await server.as(null).post('/login', { login: 'both', password: next });
    expect((again.json() as { data: { sessions: unknown[] } }).data.sessions).toHaveLength(2);
    expect((await server.as(null).post('/login', { login: 'both', password })).statusCode).toBe(401);
    expect(await trailOf('password_change')).toHaveLength(2);
  });

  it('cannot be guessed from a session left open', async () => {
    const own = await openTestServer({ seed: seedWorld, config: { signInTries: 5 } });
    const person = await own.signIn('boss');
    const tries = await Promise.all(Array.from({ length: 20 }, () => person.post('/profile/password', { old: 'guess', new: next })));
    expect(tries.filter(({ statusCode }) => statusCode === 422)).toHaveLength(5);
    expect(tries.filter(({ statusCode }) => statusCode === 423)).toHaveLength(15);
    await own.close();
  });
});

describe('deleting one’s account', () => {
  const letEdit = (where: TestServer) =>
    where.services.db
      .update(roles)
      .set({ permissions: ['can_edit_profile'] })
      .where(eq(roles.name, 'None'));

  it('asks for the password: a session left open is not enough, and it cannot be guessed', async () => {
    const own = await openTestServer({ seed: seedWorld, config: { signInTries: 5 } });
    const guest = await own.signIn('guest');
    expect(codeOf(await guest.send('DELETE', '/profile', { password }))).toBe('forbidden');
    await letEdit(own);
    expect([(await guest.delete('/profile')).statusCode, codeOf(await guest.delete('/profile'))]).toEqual([422, 'invalid_data']);
    const tries = await Promise.all(Array.from({ length: 8 }, () => guest.send('DELETE', '/profile', { password: 'guess' })));
    const count = (code: string) => tries.filter((answer) => codeOf(answer) === code).length;
    expect([count('wrong_old_password'), count('locked_out')]).toEqual([5, 3]);
    expect((await guest.get('/profile')).statusCode).toBe(200);
    await own.close();
  });

  it('ends it, with its sessions; the last who may edit everybody has to stay', async () => {
    const guest = await server.signIn('guest');
    await letEdit(server);
    expect((await guest.send('DELETE', '/profile', { password })).json()).toEqual({ data: null });
    expect((await guest.get('/profile')).statusCode).toBe(401);
    expect((await server.as(null).post('/login', { login: 'guest', password })).statusCode).toBe(401);
    expect(await trailOf('delete')).toMatchObject([{ entityName: 'The guest', userName: 'The guest' }]);
    await server.services.db.delete(users).where(and(eq(users.login, 'both'), sql`project_id = (select id from projects where uid = 'riverside')`));
    const last = await boss.send('DELETE', '/profile', { password });
    expect([last.statusCode, codeOf(last)]).toEqual([403, 'deleting_prohibited']);
    expect((await boss.get('/profile')).statusCode).toBe(200);
  });
});
