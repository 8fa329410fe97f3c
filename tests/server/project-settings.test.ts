import { Transformer } from '@napi-rs/image';
import { and, eq, like } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allLicensed, nothingLicensed } from '#models/licence-info.ts';
import type { ShownMail } from '#models/mail-settings.ts';
import type { OpenKinds, ShownGeneral, ShownWhiteLabel } from '#models/project-settings.ts';
import { contrast } from '#models/contrast.ts';
import { licenceOf } from '#models/project-settings.ts';
import { auditEvents, deviceEvents, devices, groups, mails, projects, projectSettings as table, users } from '#server/db/schema/index.ts';
import { labelAt } from '#server/settings/label.ts';
import { labelled, labelReader } from '#server/http/label.ts';
import { loadDoors } from '#server/access/load.ts';
import { mailThoseNamed } from '#server/devices/outages.ts';
import { readGuestLimits } from '#server/modules/identifiers/guest-limits.ts';
import { mailAccount } from '#server/settings/mail.ts';
import { forgetOldLogs } from '#server/settings/logs.ts';
import { buildEstate, codeOf, dataOf, deviceRow, type Estate, makePerson, makeRole, type Person, userBody } from './estate.ts';
import { form } from './hostile-files.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let viewer: Person;
let resident: Person;
const general = '/project-settings/general';
const mail = '/project-settings/mail';
const whiteLabel = '/project-settings/white-label';
const clients = '/project-settings/self-registration';
const set = (path: string, body: object, who = boss) => who.client.patch(path, body);
const issuesOf = (answer: { json: () => unknown }): string[] =>
  (answer.json() as { data: { issues: { path: string[]; rule: string }[] } }).data.issues.map(({ path, rule }) => `${path.join('.')} ${rule}`);
const smtp = { type: 'smtp', host: 'mail.example.org', port: 587, username: 'doorward', from_address: 'door@example.org', encryption: 'tls' };

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  const { town } = estate.groups;
  boss = await makePerson(server, estate, {
    permissions: [
      'can_view_project_settings',
      'can_change_project_settings',
      'can_create_users',
      'can_view_all_users',
      'can_view_roles',
      'can_view_all_groups',
    ],
    in: [town],
  });
  viewer = await makePerson(server, estate, { permissions: ['can_view_project_settings'], in: [town] });
  resident = await makePerson(server, estate, { permissions: [], in: [estate.groups.n1] });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.services.db.delete(table);
  await server.services.db.delete(mails);
});

describe('the settings of a project', () => {
  it('are read with the right to view them, changed with the right to change them, and by nobody else', async () => {
    for (const path of [general, mail, whiteLabel, clients, '/project-settings/sip']) {
      expect([path, (await viewer.client.get(path)).statusCode]).toEqual([path, 200]);
      expect([path, codeOf(await resident.client.get(path))]).toEqual([path, 'forbidden']);
      expect([path, codeOf(await set(path, {}, viewer))]).toEqual([path, 'forbidden']);
      expect([path, codeOf(await server.as(null).get(path))]).toEqual([path, 'not_authorized']);
    }
    expect(codeOf(await viewer.client.delete(`${whiteLabel}/logo`))).toBe('forbidden');
  });

  it('of the company are read and changed by whoever manages its information, and nothing else is (PERM-15)', async () => {
    const office = await makePerson(server, estate, { permissions: ['can_manage_company_information'], in: [estate.groups.town] });
    expect(dataOf<ShownWhiteLabel>(await set(whiteLabel, { phone: '+15550100', name: 'House' }, office))).toMatchObject({ phone: '+15550100' });
    expect(dataOf<ShownWhiteLabel>(await office.client.get(whiteLabel)).name).toBe('House');
    expect((await office.client.delete(`${whiteLabel}/logo`)).statusCode).toBe(200);
    for (const path of [general, mail, clients, '/project-settings/sip']) {
      expect([path, codeOf(await office.client.get(path)), codeOf(await set(path, {}, office))]).toEqual([path, 'forbidden', 'forbidden']);
    }
  });

  it('change one by one: what a request leaves out stays, and the trail has each field before and after', async () => {
    expect((await set(general, { admin_email: 'ops@example.org', logs_life: { value: 2, unit: 'weeks' } })).statusCode).toBe(200);
    const after = dataOf<ShownGeneral>(await set(general, { name: 'Riverside', time_zone_name: 'Asia/Tokyo' }));
    expect(after).toMatchObject({
      name: 'Riverside',
      admin_email: 'ops@example.org',
      time_zone_name: 'Asia/Tokyo',
      logs_life: { value: 2, unit: 'weeks' },
    });
    expect(dataOf<{ project: object }>(await resident.client.get('/profile')).project).toMatchObject({ name: 'Riverside' });
    const trail = await server.services.db.select().from(auditEvents).where(eq(auditEvents.area, 'project-settings'));
    expect(trail.flatMap(({ changes }) => Object.keys(changes))).toEqual(
      expect.arrayContaining(['general.admin_email', 'general.logs_life', 'general.name', 'general.time_zone_name']),
    );
    await set(general, { name: 'Here' });
  });

  it('are refused where they cannot be', async () => {
    for (const [body, issue] of [
      [{ server_url: 'ftp://files.example.org' }, 'server_url web_address'],
      [{ server_url: 'https://user:secret@example.org' }, 'server_url web_address'],
      [{ server_url: 'https://example.org/?next=1' }, 'server_url web_address'],
      [{ admin_email: 'nobody' }, 'admin_email email'],
      [{ time_zone_name: 'Europe/Nowhere' }, 'time_zone_name time_zone_name'],
      [{ logs_life: { value: 0, unit: 'days' } }, 'logs_life.value between'],
      [{ name: ' ' }, 'name required'],
    ] as const)
      expect(issuesOf(await set(general, body))).toEqual([issue]);
    expect(issuesOf(await set(general, { logs_life: { value: 1, unit: 'hours' } }))[0]).toMatch(/^logs_life\.unit/);
  });

  it('leave the basic licence to those who manage licences', async () => {
    const basic_license = { period_days: 30, quantity: 5 };
    expect(codeOf(await set(general, { basic_license }))).toBe('forbidden');
    const manager = await makePerson(server, estate, {
      permissions: ['can_change_project_settings', 'can_manage_licenses'],
      in: [estate.groups.town],
    });
    expect(dataOf<ShownGeneral>(await set(general, { basic_license }, manager)).basic_license).toEqual(basic_license);
    // Sent back as it stands, it is no change.
    expect((await set(general, { basic_license })).statusCode).toBe(200);
    await set(general, { basic_license: { period_days: null, quantity: null } }, manager);
  });
});

describe('a general setting does what it says', () => {
  it('new users start with its language, zone and formats, and are written to in it', async () => {
    await set(general, {
      locale: 'ru',
      time_zone_name: 'Asia/Tokyo',
      time_format: 'YYYY-MM-DD',
      identifier_format: 'hex',
      server_url: 'https://doors.example.org/',
    });
    const role = await makeRole(server.services, estate.here, []);
    const body = userBody({ login: 'newcomer', name: 'Newcomer', role, domains: [estate.groups.n1] });
    const giver = await makePerson(server, estate, {
      permissions: ['can_create_users', 'can_view_all_users', 'can_view_all_roles', 'can_view_all_groups'],
      in: [estate.groups.town],
    });
    const answer = await giver.client.put('/users', { ...body, email: 'newcomer@example.org', send_registration_link: true });
    expect(answer.statusCode, answer.body).toBe(200);
    const [user] = await server.services.db.select().from(users).where(eq(users.login, 'newcomer'));
    expect(user).toMatchObject({ locale: 'ru', timeZoneName: 'Asia/Tokyo', timeZone: 9, timeFormat: 'YYYY-MM-DD', identifierFormat: 'hex' });
    const [letter] = await server.services.db.select().from(mails);
    expect(letter?.body).toContain('Здравствуйте');
    expect(letter?.body).toMatch(/https:\/\/doors\.example\.org\/registration\/[\w-]{20,}/);
    await set(general, { registration: { simple: false, by_token: false, self: false } });
    const refused = await giver.client.put('/users', { ...body, login: 'other', email: 'other@example.org', send_registration_link: true });
    expect(issuesOf(refused)).toEqual(['send_registration_link registration_by_link_closed']);
  });

  it('guests of groups that set no limits have those of the project', async () => {
    const { db } = server.services;
    await set(general, { guest_identifier_limits: { max_passes_count: 7, max_period_days: 30 } });
    await db
      .update(groups)
      .set({ guestLimits: { max_passes_count: null, max_period_days: 3 } })
      .where(eq(groups.id, estate.groups.north));
    expect(await readGuestLimits(db, estate.here, [estate.groups.n1])).toEqual({ max_passes_count: 7, max_period_days: 3 });
    expect(await readGuestLimits(db, estate.here, [estate.groups.s1])).toEqual({ max_passes_count: 7, max_period_days: 30 });
    expect(await readGuestLimits(db, estate.here, [])).toEqual({ max_passes_count: 7, max_period_days: 30 });
    expect(await readGuestLimits(db, estate.there, [estate.groups.abroad])).toEqual({ max_passes_count: null, max_period_days: null });
  });

  it('devices whose groups name no zone have the clock of the project', async () => {
    const { db } = server.services;
    const [device] = await db
      .insert(devices)
      .values(deviceRow({ projectId: estate.here, domainId: estate.groups.s1 }))
      .returning();
    const zone = async () => (await loadDoors(db, [device?.id ?? '']))[0];
    const before = JSON.stringify(await zone());
    await set(general, { time_zone_name: 'Asia/Tokyo' });
    expect(before).not.toContain('Asia/Tokyo');
    expect(JSON.stringify(await zone())).toContain('Asia/Tokyo');
  });

  it('the administrator’s address hears of outages and failed tasks, of each only if it says so', async () => {
    const { db, now } = server.services;
    const [device] = await db
      .insert(devices)
      .values(deviceRow({ projectId: estate.here, domainId: estate.groups.s1, name: 'Gate' }))
      .returning();
    const mailed = async (cause: 'deviceOffline' | 'deviceTaskFailed') => mailThoseNamed(db, device?.id ?? '', cause, now(), 'no answer');
    expect(await mailed('deviceOffline')).toBe(0);
    await set(general, { admin_email: 'ops@example.org', notify: { device_offline: true, device_task_failed: false } });
    expect([await mailed('deviceOffline'), await mailed('deviceTaskFailed')]).toEqual([1, 0]);
    expect(await db.select({ recipient: mails.recipient, subject: mails.subject, userId: mails.userId }).from(mails)).toEqual([
      { recipient: 'ops@example.org', subject: 'Gate is offline', userId: null },
    ]);
    // Why a task failed is said in words where every device may answer so, else as the device said it.
    await set(general, { admin_email: 'ops@example.org', notify: { device_offline: false, device_task_failed: true }, locale: 'ru' });
    for (const reason of ['no_answer', 'no such setting']) await mailThoseNamed(db, device?.id ?? '', 'deviceTaskFailed', now(), reason);
    const texts = (await db.select({ body: mails.body }).from(mails)).map(({ body }) => /задачу: (.*)/.exec(body)?.[1]);
    expect(texts.filter(Boolean)).toEqual(['Устройство не ответило вовремя', 'no such setting']);
  });

  it('events of devices are kept for as long as it says, those of other projects for ever', async () => {
    const { db, now } = server.services;
    const at = (days: number): Date => new Date(now().getTime() - days * 86_400_000);
    const event = (projectId: string, days: number) => ({ projectId, deviceName: `log ${days}`, type: 'online' as const, occurredAt: at(days) });
    await db
      .insert(deviceEvents)
      .values([event(estate.here, 1), event(estate.here, 13), event(estate.here, 15), event(estate.here, 800), event(estate.there, 800)]);
    expect(await forgetOldLogs(server.services)).toBe(0);
    await set(general, { logs_life: { value: 2, unit: 'weeks' } });
    expect(await forgetOldLogs(server.services)).toBe(2);
    const left = await db
      .select({ name: deviceEvents.deviceName, project: deviceEvents.projectId })
      .from(deviceEvents)
      .where(like(deviceEvents.deviceName, 'log %'));
    expect(left.map(({ name, project }) => `${name} ${project === estate.here}`).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'log 1 true',
      'log 13 true',
      'log 800 false',
    ]);
  });

  it('the sign-in page is told which kinds of registration any project has open, and nothing else', async () => {
    const kinds = async () => dataOf<OpenKinds>(await server.as(null).get('/registration/kinds'));
    expect(await kinds()).toEqual({ simple: false, self: false, recovery: true });
    await set(general, { registration: { simple: true, by_token: true, self: false }, password_recovery: false });
    // The other project has set nothing: recovery is open there.
    expect(await kinds()).toEqual({ simple: true, self: false, recovery: true });
    await server.services.db.insert(table).values({ projectId: estate.there, block: 'general', value: { password_recovery: false } });
    expect(await kinds()).toEqual({ simple: true, self: false, recovery: false });
  });
});

describe('self-registration', () => {
  const client = (role: string, type = 'Resident') => ({ type, role, license_period_days: 365, features: ['mobile_app', 'identifier'] });

  it('opens a role only to those who could give it, each type once', async () => {
    const [own] = await server.services.db.select({ roleId: users.roleId }).from(users).where(eq(users.id, boss.id));
    const admin = await makePerson(server, estate, { permissions: ['can_edit_all_roles'], in: [estate.groups.town] });
    const giver = await makePerson(server, estate, {
      permissions: ['can_view_project_settings', 'can_change_project_settings', 'can_view_all_roles'],
      in: [estate.groups.town],
    });
    expect(issuesOf(await set(clients, { clients: [client(admin.roleId)] }, giver))).toEqual(['clients.0.role role_not_available']);
    expect(issuesOf(await set(clients, { clients: [client(own?.roleId ?? '')] }, giver))).toEqual(['clients.0.role role_not_available']);
    expect(codeOf(await set(clients, { clients: [client('00000000-0000-4000-8000-000000000000')] }, giver))).toBe('invalid_related');
    expect(issuesOf(await set(clients, { clients: [client(resident.roleId), client(resident.roleId, 'resident')] }, giver))).toEqual([
      'clients unique',
    ]);
    const answer = await set(clients, { clients: [client(resident.roleId)] }, giver);
    expect(dataOf<{ clients: { role: { id: string } }[] }>(answer).clients).toMatchObject([
      { type: 'Resident', role: { id: resident.roleId }, license_period_days: 365 },
    ]);
    // Those that are open may stay, whoever changes the others.
    expect((await set(clients, { clients: [client(resident.roleId, 'Tenant')] })).statusCode).toBe(200);
  });

  it('gives the features it names and no others', () => {
    const given = licenceOf(['mobile_app', 'identifier']);
    expect(given).toEqual({ ...nothingLicensed, mobile_app: allLicensed.mobile_app, identifier: allLicensed.identifier });
  });
});

describe('the mail server of a project', () => {
  it('keeps its password sealed: it is never read back, in no trail, and removed on request', async () => {
    const answer = await set(mail, { ...smtp, password: 'Smtp-secret-1' });
    expect(dataOf<ShownMail>(answer)).toMatchObject({ ...smtp, has_password: true });
    const [row] = await server.services.db.select().from(table);
    const trail = await server.services.db.select().from(auditEvents);
    for (const text of [answer.body, JSON.stringify(row), JSON.stringify(trail), server.logged(), (await boss.client.get(mail)).body])
      expect(text).not.toContain('Smtp-secret-1');
    expect(JSON.stringify(trail)).toContain('mail.secret');
    expect((await mailAccount(server.services, estate.here)).password).toBe('Smtp-secret-1');
    expect(dataOf<ShownMail>(await set(mail, { from_name: 'Doors' }))).toMatchObject({ from_name: 'Doors', has_password: true });
    expect(dataOf<ShownMail>(await set(mail, { password: null })).has_password).toBe(false);
  });

  it('asks for the password again before it goes to another server', async () => {
    await set(mail, { ...smtp, password: 'Smtp-secret-1' });
    for (const elsewhere of [{ host: 'evil.example.org' }, { port: 25 }, { encryption: 'none' }, { type: 'mailgun', domain: 'mg.example.org' }])
      expect(issuesOf(await set(mail, elsewhere))).toEqual(['password password_again']);
    expect((await set(mail, { host: 'other.example.org', password: 'Other-2' })).statusCode).toBe(200);
    expect((await mailAccount(server.services, estate.here)).password).toBe('Other-2');
    expect((await set(mail, { type: 'none' })).statusCode).toBe(200);
  });

  it('needs what its kind needs', async () => {
    expect(issuesOf(await set(mail, { type: 'smtp' })).toSorted()).toEqual(['from_address required', 'host required', 'port required']);
    expect(issuesOf(await set(mail, { type: 'mailgun' })).toSorted()).toEqual(['domain required', 'from_address required']);
    expect(issuesOf(await set(mail, { ...smtp, host: 'http://mail' }))).toEqual(['host host']);
  });
});

describe('white label', () => {
  it('takes colours that can be read, and a logo that others cannot put in', async () => {
    expect(issuesOf(await set(whiteLabel, { accent_color: '#ffff00' }))).toEqual(['accent_text_color contrast']);
    const look = { is_enabled: true, name: 'Riverside Homes', accent_color: '#ffff00', accent_text_color: '#000000' };
    expect(dataOf<ShownWhiteLabel>(await set(whiteLabel, look))).toMatchObject({ ...look, logo: null });
    const png = await Transformer.fromRgbaPixels(Buffer.alloc(32 * 32 * 4, 80), 32, 32).png();
    const { body, headers } = form({}, png);
    const put = await boss.client.send('POST', `${whiteLabel}/logo`, body, headers);
    expect(put.statusCode, put.body).toBe(200);
    const logo = dataOf<ShownWhiteLabel>(put).logo ?? '';
    expect((await server.app.inject({ method: 'GET', url: logo })).statusCode).toBe(200);
    const bad = form({}, Buffer.from('<svg onload="x()"/>'.padEnd(64)));
    const html = labelled('<head></head>', await labelAt(server.services.db, undefined), server.services);
    const address = /url\("([^"]+)"\)/.exec(html)?.[1] ?? '';
    expect((await server.app.inject(address)).headers['content-type']).toMatch(/^image\//);
    expect(codeOf(await boss.client.send('POST', `${whiteLabel}/logo`, bad.body, bad.headers))).toBe('invalid_file');
    expect(dataOf<ShownWhiteLabel>(await boss.client.delete(`${whiteLabel}/logo`)).logo).toBeNull();
    expect((await server.app.inject({ method: 'GET', url: logo })).statusCode).toBe(404);
  });

  it('measures contrast as WCAG does', () => {
    expect([contrast('#000000', '#ffffff'), contrast('#777777', '#777777'), contrast('red', '#ffffff')]).toEqual([21, 1, 0]);
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  });
});

it('the SIP settings say what the server was started with, and change where web phones register', async () => {
  const path = '/project-settings/sip';
  expect(dataOf(await boss.client.get(path))).toMatchObject({ server: null, port: server.services.config.sipPort, rtp: null, external_ip: null });
  const foreign = { host: 'pbx.example', port: 7443, secure: true, realm: null };
  expect(dataOf(await set(path, { server: foreign }))).toMatchObject({ server: foreign });
  expect(dataOf(await boss.client.get('/sip-numbers/server'))).toEqual({ server: foreign });
  expect(dataOf(await set(path, { server: null }))).toMatchObject({ server: null });
});

describe('the page of the console', () => {
  const look = { is_enabled: true, name: 'Homes & <b>"Sons"</b> $&', accent_color: '#114422', accent_text_color: '#ffffff' };
  const plain = '<head><meta name="application-name" content="Doorward" /><title>Doorward</title></head>';
  const page = async (host?: string) => labelled(plain, await labelAt(server.services.db, host), server.services);

  it('is the product’s own until a white label is switched on', async () => {
    expect(await page('localhost:8080')).toBe(plain);
    await set(whiteLabel, { ...look, is_enabled: false });
    expect(await page('localhost:8080')).toBe(plain);
  });

  it('has name, colours and logo of the project; what was typed is text', async () => {
    await set(whiteLabel, look);
    const html = await page('elsewhere.example');
    expect(html).toContain('<title>Homes &amp; &lt;b&gt;&quot;Sons&quot;&lt;/b&gt; $&amp;</title>');
    expect(html).toContain('name="application-name" content="Homes &amp; &lt;b&gt;&quot;Sons&quot;&lt;/b&gt; $&amp;"');
    expect(html).toContain('--accent:#114422;--on-accent:#ffffff');
    expect(html).toContain('<style nonce="__CSP_NONCE__">');
    expect(html).not.toContain('<b>');
    expect(html).not.toContain('url(');
  });

  it('has the look of the project that the address is of, else of the one that was made first', async () => {
    await set(whiteLabel, { ...look, name: 'First' });
    const { db, now } = server.services;
    const [second] = await db
      .insert(projects)
      .values({ name: 'Second', uid: 'second-label', createdAt: new Date('2100-01-01'), updatedAt: now() })
      .returning();
    const projectId = second?.id ?? '';
    await db.insert(table).values([
      { projectId, block: 'general', value: { server_url: 'https://second.example:8443/console' } },
      { projectId, block: 'white_label', value: { ...look, name: 'Second' } },
    ]);
    expect((await labelAt(db, 'Second.example:8443'))?.name).toBe('Second');
    expect((await labelAt(db, 'second.example'))?.name).toBe('First');
    expect((await labelAt(db, undefined))?.name).toBe('First');
    await db
      .update(table)
      .set({ value: { ...look, is_enabled: false } })
      .where(and(eq(table.projectId, projectId), eq(table.block, 'white_label')));
    expect(await labelAt(db, 'second.example:8443')).toBeNull();
    await db.delete(projects).where(eq(projects.id, projectId));
  });

  it('opens without a look where the database does not answer', async () => {
    const { services } = server;
    const hangs = {
      ...services,
      db: { select: () => ({ from: () => ({ orderBy: () => new Promise(() => {}), where: () => new Promise(() => {}) }) }) },
    };
    expect(await labelReader(hangs as unknown as typeof services)('localhost')).toBeNull();
  });
});
