import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allLicensed, type LicenceInfo, nothingLicensed } from '#models/licence-info.ts';
import { licenceOf } from '#models/project-settings.ts';
import { endPeriods } from '#server/licences/periods.ts';
import { auditEvents, mails, pendingRegistrations, userDomains, users } from '#server/db/schema/index.ts';
import { type Client, openTestServer, password, type TestServer } from './support.ts';
import { seedWorld } from './world.ts';

let server: TestServer;
let boss: Client;
const anyone = () => server.as(null);
const dataOf = <T>(answer: { json: () => unknown }): T => (answer.json() as { data: T }).data;
const codeOf = (answer: { json: () => unknown }) => (answer.json() as { error?: { code: string } }).error?.code;
const mailsTo = (recipient: string) => server.services.db.select().from(mails).where(eq(mails.recipient, recipient)).orderBy(mails.createdAt);
const digitsIn = (body = ''): string => /\n(\d{8})\n/.exec(body)?.[1] ?? '';
const linkIn = (body = ''): string => /\/registration\/confirm\/([\w-]{43})\n/.exec(body)?.[1] ?? '';
const userBy = async (login: string) => (await server.services.db.select().from(users).where(eq(users.login, login)))[0];
let count = 0;
const newcomer = (more: object = {}) => {
  count += 1;
  return {
    user_name: `New ${count}`,
    user_email: `new${count}@example.org`,
    user_type: 'Resident',
    object_name: 'Tower B, 22',
    user_password: password,
    ...more,
  };
};
const register = (body: object, headers = {}) => anyone().post('/self-registration', body, headers);
const open = async (registration: object, client: Client = boss) => {
  const answer = await client.patch('/project-settings/general', { registration: { simple: false, by_token: true, self: false, ...registration } });
  expect(answer.statusCode, answer.body).toBe(200);
};

beforeAll(async () => {
  server = await openTestServer({ seed: seedWorld, config: { publicUrl: 'https://door.example.org' } });
  boss = await server.signIn('boss');
  const clients = [{ type: 'Resident', role: await noneOf('guest'), license_period_days: null, features: ['mobile_app'] }];
  const set = await boss.patch('/project-settings/self-registration', { clients });
  if (set.statusCode !== 200) throw new Error(set.body);
});
/** The role without permissions, in the project of that person. */
async function noneOf(login: string): Promise<string> {
  return (await userBy(login))?.roleId ?? '';
}
beforeEach(async () => {
  server.pass(3_600_000);
  boss = await server.signIn('boss');
});
afterAll(() => server.close());

describe('where nothing is open', () => {
  it('nobody registers, and the pages are told so', async () => {
    await open({});
    expect(dataOf(await anyone().get('/registration/projects'))).toEqual({ simple: [], self: [] });
    for (const answer of [
      await register(newcomer()),
      await anyone().post('/registration', { name: 'New', login: 'new', password }),
      await anyone().get('/self-registration/riverside'),
    ])
      expect([403, 404]).toContain(answer.statusCode);
    expect(await userBy('new')).toBeUndefined();
  });
});

describe('registering by oneself', () => {
  beforeEach(() => open({ self: true }));

  it('is open by the code of the project, and by name', async () => {
    const project = { code: 'riverside', name: 'riverside', types: ['Resident'] };
    expect(dataOf(await anyone().get('/self-registration/riverside'))).toEqual(project);
    expect(dataOf(await anyone().get('/registration/projects'))).toEqual({ simple: [], self: [project] });
    expect(codeOf(await anyone().get('/self-registration/harbour'))).toBe('invite_code_invalid');
    expect(codeOf(await register(newcomer({ project: 'harbour' })))).toBe('invite_code_invalid');
  });

  it('makes an account with the role of the settings and no group, once its address is proved by the code', async () => {
    const person = newcomer();
    const { registration } = dataOf<{ registration: string }>(await register(person, { 'accept-language': 'ru-RU,ru' }));
    expect(await userBy(person.user_email)).toBeUndefined();
    const [mail] = await mailsTo(person.user_email);
    expect(mail?.subject).toContain('Код подтверждения');
    const [pending] = await server.services.db.select().from(pendingRegistrations).where(eq(pendingRegistrations.email, person.user_email));
    const code = digitsIn(mail?.body);
    expect(JSON.stringify(pending)).not.toMatch(new RegExp(`${code}|${registration}|${linkIn(mail?.body)}|${password}`));
    const wrong = await anyone().post('/self-registration/confirm', { registration, code: code === '00000000' ? '00000001' : '00000000' });
    expect([wrong.statusCode, codeOf(wrong)]).toEqual([422, 'confirmation_code_invalid']);
    const answers = await Promise.all([1, 2].map(() => anyone().post('/self-registration/confirm', { registration, code })));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 422]);
    const made = await userBy(person.user_email);
    expect(made).toMatchObject({ roleId: await noneOf('guest'), email: person.user_email, address: 'Tower B, 22', isVerified: true, locale: 'ru' });
    expect(made?.licenseInfo).toMatchObject({ mobile_app: { is_enabled: true }, sip: { is_enabled: false } });
    expect(
      await server.services.db
        .select()
        .from(userDomains)
        .where(eq(userDomains.userId, made?.id ?? '')),
    ).toEqual([]);
    const [entry] = await server.services.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.entityId, made?.id ?? ''));
    expect([entry?.action, entry?.userId]).toEqual(['create', made?.id]);
    const own = await server.signIn(person.user_email);
    expect((await own.get('/profile')).statusCode).toBe(200);
    expect(dataOf<unknown[]>(await own.get('/users'))).toHaveLength(1);
  });

  it('is confirmed by the link of the mail, once', async () => {
    const person = newcomer();
    await register(person);
    const link = linkIn((await mailsTo(person.user_email))[0]?.body);
    expect(dataOf(await anyone().post(`/registration/confirm/${link}`))).toEqual({ login: person.user_email });
    expect(codeOf(await anyone().post(`/registration/confirm/${link}`))).toBe('outdated_link');
  });

  it('is over after five wrong codes, even for the right one, and after a day', async () => {
    const person = newcomer();
    const { registration } = dataOf<{ registration: string }>(await register(person));
    const code = digitsIn((await mailsTo(person.user_email))[0]?.body);
    for (let time = 0; time < 5; time++) {
      const guess = String((Number(code) + time + 1) % 100_000_000).padStart(8, '0');
      expect(codeOf(await anyone().post('/self-registration/confirm', { registration, code: guess }))).toBe('confirmation_code_invalid');
    }
    expect(codeOf(await anyone().post('/self-registration/confirm', { registration, code }))).toBe('confirmation_code_invalid');
    expect(codeOf(await anyone().post('/self-registration/resend', { registration }))).toBe('outdated_link');
    const late = newcomer();
    await register(late);
    server.pass(25 * 3_600_000);
    expect(codeOf(await anyone().post(`/registration/confirm/${linkIn((await mailsTo(late.user_email))[0]?.body)}`))).toBe('outdated_link');
  });

  it('mails another code after a minute; the one before stops working', async () => {
    const person = newcomer();
    const { registration } = dataOf<{ registration: string }>(await register(person));
    const resend = () => anyone().post('/self-registration/resend', { registration });
    const early = await resend();
    expect([early.statusCode, early.headers['retry-after']]).toEqual([429, '60']);
    server.pass(61_000);
    expect((await resend()).statusCode).toBe(200);
    const [first, second] = await mailsTo(person.user_email);
    expect(codeOf(await anyone().post(`/registration/confirm/${linkIn(first?.body)}`))).toBe('outdated_link');
    expect((await anyone().post('/self-registration/confirm', { registration, code: digitsIn(second?.body) })).statusCode).toBe(200);
  });

  it('is answered the same for the address of somebody, who is told', async () => {
    const fresh = await register(newcomer());
    const taken = await register(newcomer({ user_email: 'GUEST@example.org' }));
    expect([taken.statusCode, Object.keys(dataOf<object>(taken))]).toEqual([fresh.statusCode, Object.keys(dataOf<object>(fresh))]);
    const mailed = (await server.services.db.select().from(mails)).filter(({ recipient }) => recipient.toLowerCase() === 'guest@example.org');
    expect(mailed.map(({ subject }) => subject)).toEqual(['You already have a Doorward account']);
    expect(mailed[0]?.body).not.toMatch(/\d{8}/);
  });

  it('gives nothing that the settings do not name: not another type, not a field of a user', async () => {
    expect(codeOf(await register(newcomer({ user_type: 'Administrator' })))).toBe('invalid_data');
    expect((await register(newcomer({ role: await noneOf('boss') }))).statusCode).toBe(422);
    const person = newcomer();
    const { registration } = dataOf<{ registration: string }>(await register(person));
    await open({ self: false });
    const code = digitsIn((await mailsTo(person.user_email))[0]?.body);
    expect(codeOf(await anyone().post('/self-registration/confirm', { registration, code }))).toBe('forbidden');
    expect(await userBy(person.user_email)).toBeUndefined();
  });

  it('tells the administrator whom the settings name', async () => {
    await boss.patch('/project-settings/general', { admin_email: 'office@example.org' });
    const person = newcomer();
    await register(person);
    await anyone().post(`/registration/confirm/${linkIn((await mailsTo(person.user_email))[0]?.body)}`);
    const [mail] = await mailsTo('office@example.org');
    expect([mail?.subject, mail?.userId]).toEqual([`New registration: ${person.user_name}`, null]);
    expect(mail?.body).toContain('Tower B, 22');
  });

  it('in the demo its mail is read by those who manage users, as long as it waits', async () => {
    server.services.config.demo = true;
    const person = newcomer();
    await register(person);
    const reads = async (client: Client) => (await client.get('/mails')).body.includes(person.user_email);
    expect([await reads(boss), await reads(await server.signIn('guest'))]).toEqual([true, false]);
    server.services.config.demo = false;
  });

  it('is paced', async () => {
    const body = newcomer();
    const seen = [];
    for (let time = 0; time < 5; time++) seen.push((await register(body)).statusCode);
    expect(seen).toEqual([200, 200, 200, 200, 429]);
  });
});

describe('registering by name and login', () => {
  beforeEach(() => open({ simple: true }));
  const simply = (login: string, more: object = {}) => anyone().post('/registration', { name: 'Plain', login, password, ...more });

  it('makes an account at once; a login that is taken is refused', async () => {
    expect(dataOf(await simply('plain'))).toEqual({ registration: null });
    expect(await userBy('plain')).toMatchObject({ email: null, isVerified: false, roleId: await noneOf('guest') });
    await server.signIn('plain');
    const taken = await simply('PLAIN');
    expect([taken.statusCode, codeOf(taken)]).toEqual([409, 'not_unique']);
  });

  it('proves a login that is an address first', async () => {
    const { registration } = dataOf<{ registration: string }>(await simply('plain@example.org'));
    expect(registration).toMatch(/^[\w-]{43}$/);
    expect(await userBy('plain@example.org')).toBeUndefined();
    const [mail] = await mailsTo('plain@example.org');
    expect((await anyone().post(`/registration/confirm/${linkIn(mail?.body)}`)).statusCode).toBe(200);
    expect(await userBy('plain@example.org')).toMatchObject({ email: 'plain@example.org', isVerified: true });
  });

  it('makes the type that is set for it, else the first; one without its type makes nobody', async () => {
    const clients = [
      { type: 'Resident', role: await noneOf('guest'), license_period_days: null, features: [] },
      { type: 'Visitor', role: await noneOf('guest'), license_period_days: null, features: ['mobile_app'] },
    ];
    const set = (body: object) => boss.patch('/project-settings/self-registration', body);
    expect((await set({ clients })).statusCode).toBe(200);
    await simply('first');
    expect(await userBy('first')).toMatchObject({ licenceEndsAt: null, licenseInfo: nothingLicensed });
    expect(codeOf(await set({ simple_type: 'Nobody' }))).toBe('invalid_data');
    expect((await set({ simple_type: 'Visitor' })).statusCode).toBe(200);
    await simply('second');
    expect((await userBy('second'))?.licenseInfo).toMatchObject({ mobile_app: allLicensed.mobile_app });
    expect(codeOf(await set({ clients: clients.slice(0, 1) }))).toBe('invalid_data');
    await set({ clients: clients.slice(0, 1).map((client) => ({ ...client, features: ['mobile_app'] })), simple_type: null });
  });

  it('gives features for as long as the type says, unless somebody decides otherwise meanwhile', async () => {
    const clients = [{ type: 'Resident', role: await noneOf('guest'), license_period_days: 30, features: ['mobile_app', 'sip'] }];
    expect((await boss.patch('/project-settings/self-registration', { clients })).statusCode).toBe(200);
    await simply('short');
    await simply('decided');
    const [short, decided] = [await userBy('short'), await userBy('decided')];
    const read = async () => dataOf<{ license_until: string | null; license_info: LicenceInfo }>(await boss.get(`/users/${short?.id}`));
    const days = (count: number) => new Date(server.services.now().getTime() + count * 86_400_000);
    expect((await read()).license_until).toBe(days(30).toISOString());
    expect((await boss.patch(`/users/${decided?.id}`, { license_info: { ...licenceOf(['mobile_app']) } })).statusCode).toBe(200);
    expect((await userBy('decided'))?.licenceEndsAt).toBeNull();
    expect(await endPeriods({ ...server.services, now: () => days(29) })).toBe(0);
    expect(await endPeriods({ ...server.services, now: () => days(30) })).toBe(1);
    expect(await endPeriods({ ...server.services, now: () => days(31) })).toBe(0);
    expect(await read()).toMatchObject({ license_until: null, license_info: nothingLicensed });
    expect((await userBy('decided'))?.licenseInfo.mobile_app.is_enabled).toBe(true);
    const trail = await server.services.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.entityId, short?.id ?? ''));
    expect(trail.map(({ changes }) => changes)).toContainEqual(
      expect.objectContaining({ 'license_info.sip.is_enabled': { before: true, after: false } }),
    );
    await boss.patch('/project-settings/self-registration', {
      clients: clients.map((client) => ({ ...client, license_period_days: null, features: ['mobile_app'] })),
    });
  });

  it('takes no common password', async () => {
    expect(codeOf(await simply('plain2', { password: 'Password123' }))).toBe('invalid_data');
  });
});
