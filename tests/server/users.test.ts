import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Transformer } from '@napi-rs/image';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { constants } from '#models/constants.ts';
import { allLicensed, nothingLicensed } from '#models/licence-info.ts';
import { permissionCodes, type PermissionCode } from '#models/permission-catalogue.ts';
import { auditEvents, files, mails, markers, oneTimeLinks, users } from '#server/db/schema/index.ts';
import { forgetParts } from '#server/files.ts';
import { forgetUploads } from '#server/http/form.ts';
import { inTime } from '#tests/support/in-time.ts';
import { buildEstate, codeOf, dataOf, type Estate, isSignedIn, makePerson, makeRole, type Person, userBody } from './estate.ts';
import { form, hostileFiles, pngOf } from './hostile-files.ts';
import { openTestServer, type TestServer } from './support.ts';

const manages: PermissionCode[] = [
  'can_view_users',
  'can_create_users',
  'can_edit_all_users',
  'can_delete_users',
  'can_edit_users_role',
  'can_view_roles',
  'can_view_users_roles',
  'can_edit_profile',
];

let server: TestServer;
let estate: Estate;
let boss: Person;
/** Manages the north house; may give away `guest` and `guard`, and `guard` holds what they lack. */
let manager: Person;
let roles: Record<'guest' | 'guard' | 'helper' | 'all', string>;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  const { services } = server;
  const { groups, here } = estate;
  roles = {
    guest: await makeRole(services, here, ['can_edit_profile']),
    guard: await makeRole(services, here, ['can_intercept_call_like_concierge']),
    helper: await makeRole(services, here, ['can_view_users']),
    all: await makeRole(services, here, permissionCodes),
  };
  boss = await makePerson(server, estate, { roleId: roles.all, in: [groups.town], name: 'Boss' });
  manager = await makePerson(server, estate, { permissions: manages, in: [groups.north], available: [roles.guest, roles.guard], name: 'Manager' });
});
afterAll(() => server.close());

const someone = (roleId: string, over: Partial<Parameters<typeof makePerson>[2]> = {}) =>
  makePerson(server, estate, { roleId, in: [estate.groups.n1], ...over });
const body = (over: Record<string, unknown>) =>
  userBody({ login: randomUUID().slice(0, 12), name: 'New one', role: roles.guest, domains: [estate.groups.n1], ...over });
const issuesOf = (answer: { json: () => unknown }) =>
  dataOf<{ issues: { path: string[]; rule: string }[] }>(answer).issues.map(({ path, rule }) => `${path.join('.')} ${rule}`);
const patch = (who: Person, id: string, change: Record<string, unknown>) => who.client.patch(`/users/${id}`, change);

describe('roles that may be given', () => {
  it("are those available to one's own, and no others (P4)", async () => {
    expect((await manager.client.put('/users', body({ role: roles.guest }))).statusCode).toBe(200);
    expect((await manager.client.put('/users', body({ role: roles.guard }))).statusCode).toBe(200);
    await someone(roles.helper);
    const answer = await manager.client.put('/users', body({ role: roles.helper }));
    expect([codeOf(answer), issuesOf(answer)]).toEqual(['forbidden', ['role role_not_available']]);
    expect(codeOf(await manager.client.put('/users', body({ role: roles.all })))).toBe('invalid_related');
    expect((await boss.client.put('/users', body({ role: roles.helper }))).statusCode).toBe(200);
  });

  it('hold nothing the giver lacks, when every role is in view', async () => {
    const reader = await makePerson(server, estate, { permissions: [...manages, 'can_view_all_roles'], in: [estate.groups.north] });
    expect((await reader.client.put('/users', body({ role: roles.helper }))).statusCode).toBe(200);
    expect(codeOf(await reader.client.put('/users', body({ role: roles.guard })))).toBe('forbidden');
    const granter = await makePerson(server, estate, {
      permissions: [...manages, 'can_view_all_roles', 'can_grant_more_than_own'],
      in: [estate.groups.north],
    });
    expect((await granter.client.put('/users', body({ role: roles.guard }))).statusCode).toBe(200);
  });

  it('are changed only by those who may edit the role of users', async () => {
    const guest = await someone(roles.guest);
    const editor = await makePerson(server, estate, {
      permissions: manages.filter((code) => code !== 'can_edit_users_role'),
      in: [estate.groups.north],
      available: [roles.guest, roles.guard],
    });
    expect(issuesOf(await patch(editor, guest.id, { role: roles.guard }))).toEqual(['role not_allowed']);
    expect((await patch(editor, guest.id, { role: roles.guest, description: 'same role' })).statusCode).toBe(200);
    expect((await patch(manager, guest.id, { role: roles.guard })).statusCode).toBe(200);
    expect(dataOf<{ role: unknown }>(await manager.client.get(`/users/${guest.id}`)).role).toMatchObject({ id: roles.guard });
  });
});

describe('oneself', () => {
  it('is edited without any code, but only what raises nobody', async () => {
    const guest = await someone(roles.guest);
    const own = { name: 'New name', email: `${guest.id}@example.org`, description: 'me', profile: { phone: '+49 (30) 555-0123', address: 'n1' } };
    const row = dataOf(await patch(guest, guest.id, own));
    expect(row).toMatchObject({ ...own, profile: { phone: '+49305550123', address: 'n1' } });
    const closed = {
      role: roles.guest,
      domains: [estate.groups.n1],
      license_info: nothingLicensed,
      login: 'admin2',
      elevator_access_disabled: true,
      access_rules: [randomUUID()],
    };
    for (const [field, value] of Object.entries({ ...closed, role: roles.all, domains: [estate.groups.n1, estate.groups.n2] })) {
      const answer = await patch(guest, guest.id, { [field]: value });
      expect(['forbidden', 'invalid_related'], `${field} ${answer.body}`).toContain(codeOf(answer));
    }
    expect((await patch(guest, guest.id, { role: roles.guest, domains: [estate.groups.n1], markers: [] })).statusCode).toBe(200);
    expect(dataOf(await guest.client.get(`/users/${guest.id}`))).toMatchObject({
      version: 2,
      role: { id: roles.guest },
      license_info: allLicensed,
      domains: [{ name: 'n1' }],
    });
  });

  it('is never raised, whatever one may do with others (P4)', async () => {
    for (const role of [roles.all, roles.guard, roles.helper]) {
      const answer = await patch(manager, manager.id, { role });
      expect(['forbidden', 'invalid_related'], answer.body).toContain(codeOf(answer));
    }
    expect(issuesOf(await patch(manager, manager.id, { domains: [estate.groups.n1] }))).toEqual(['domains own_record']);
    expect(issuesOf(await patch(manager, manager.id, { license_info: nothingLicensed }))).toEqual(['license_info not_allowed']);
    expect(codeOf(await patch(manager, manager.id, { domains: [estate.groups.town] }))).toBe('invalid_related');
    expect(codeOf(await manager.client.post(`/users/${manager.id}/password`, { new_password: 'Other-2026' }))).toBe('forbidden');
    expect(codeOf(await manager.client.delete(`/users/${manager.id}`))).toBe('deleting_prohibited');
  });
});

describe('others', () => {
  it('are beyond those who do not edit everybody', async () => {
    const guest = await someone(roles.guest);
    const helper = await someone(roles.helper, { in: [estate.groups.north] });
    expect(codeOf(await patch(helper, guest.id, { name: 'Mine' }))).toBe('forbidden');
    expect(codeOf(await helper.client.post(`/users/${guest.id}/password`, { new_password: 'Other-2026' }))).toBe('forbidden');
  });

  it('who may do more are not taken over (P5)', async () => {
    const chief = await makePerson(server, estate, { permissions: [...manages, 'can_view_audit_events'], in: [estate.groups.n1], name: 'Chief' });
    for (const change of [{ name: 'Other' }, { email: 'mine@example.org' }, { login: 'mine' }, { domains: [estate.groups.n2] }])
      expect(codeOf(await patch(manager, chief.id, change))).toBe('forbidden');
    expect(codeOf(await manager.client.post(`/users/${chief.id}/password`, { new_password: 'Other-2026' }))).toBe('forbidden');
    expect(codeOf(await manager.client.delete(`/users/${chief.id}`))).toBe('forbidden');
    const guard = await someone(roles.guard);
    expect((await patch(manager, guard.id, { name: 'The guard' })).statusCode).toBe(200);
    for (const change of [{ email: 'mine@example.org' }, { login: 'mine' }]) expect(codeOf(await patch(manager, guard.id, change))).toBe('forbidden');
    expect(codeOf(await manager.client.post(`/users/${guard.id}/password`, { new_password: 'Other-2026' }))).toBe('forbidden');
    expect((await patch(boss, guard.id, { login: `g-${guard.id.slice(0, 8)}` })).statusCode).toBe(200);
  });

  it('must be in a group', async () => {
    const guest = await someone(roles.guest);
    expect(issuesOf(await manager.client.put('/users', body({ domains: [] })))).toEqual(['domains user_needs_group']);
    expect(issuesOf(await patch(manager, guest.id, { domains: [] }))).toEqual(['domains user_needs_group']);
    expect(issuesOf(await boss.client.patch(`/groups/${estate.groups.n1}`, { users: [] }))).toEqual(['users user_needs_group']);
  });

  it('carry markers and licences only from those who may give them', async () => {
    const [marker] = await server.services.db.insert(markers).values({ projectId: estate.here, name: 'VIP', color: '#9a6700' }).returning();
    const labels = await makePerson(server, estate, {
      permissions: [...manages, 'can_view_markers', 'can_apply_markers_to_user', 'can_manage_user_licenses'],
      in: [estate.groups.north],
      available: [roles.guest],
    });
    const sees = await makePerson(server, estate, {
      permissions: [...manages, 'can_view_markers'],
      in: [estate.groups.north],
      available: [roles.guest],
    });
    const guest = await someone(roles.guest);
    expect(issuesOf(await patch(sees, guest.id, { markers: [marker?.id] }))).toEqual(['markers not_allowed']);
    expect(issuesOf(await sees.client.put('/users', body({ license_info: nothingLicensed })))).toEqual(['license_info not_allowed']);
    expect(dataOf(await patch(labels, guest.id, { markers: [marker?.id], license_info: nothingLicensed }))).toMatchObject({
      markers: [{ name: 'VIP', color: '#9a6700' }],
      license_info: nothingLicensed,
    });
  });

  it('keep login and e-mail to themselves', async () => {
    await someone(roles.guest, { login: 'Taken', email: 'taken@example.org' });
    const login = await manager.client.put('/users', body({ login: 'tAKEN' }));
    expect([codeOf(login), issuesOf(login)]).toEqual(['not_unique', ['login not_unique']]);
    const email = await manager.client.put('/users', body({ email: 'TAKEN@example.org' }));
    expect([codeOf(email), issuesOf(email)]).toEqual(['email_used', ['email email_used']]);
  });
});

describe('administrators', () => {
  it('one always remains', async () => {
    const own = await openTestServer();
    const land = await buildEstate(own.services);
    const first = await makePerson(own, land, { permissions: permissionCodes, in: [land.groups.town] });
    const second = await makePerson(own, land, { roleId: first.roleId, in: [land.groups.town] });
    const lesser = await makeRole(own.services, land.here, ['can_edit_profile']);
    expect((await first.client.patch(`/users/${second.id}`, { role: lesser })).statusCode).toBe(200);
    expect(codeOf(await first.client.patch(`/users/${first.id}`, { role: lesser }))).toBe('editing_prohibited');
    expect(codeOf(await first.client.patch(`/roles/${first.roleId}`, { permissions: ['can_view_users'] }))).toBe('editing_prohibited');
    expect((await first.client.patch(`/users/${second.id}`, { role: first.roleId })).statusCode).toBe(200);
    const answers = await Promise.all([first.client.delete(`/users/${second.id}`), second.client.delete(`/users/${first.id}`)]);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    await own.close();
  });
});

describe('password and registration', () => {
  it('a password set by another ends the sessions, and is nowhere to be read', async () => {
    const guest = await someone(roles.guest, { login: 'forgetful' });
    await server.services.db.update(users).set({ activatedAt: 0 }).where(eq(users.id, guest.id));
    expect((await manager.client.post(`/users/${guest.id}/password`, { new_password: 'Fresh-2026-Word' })).json()).toEqual({ data: null });
    expect(await isSignedIn(server.services, guest.id)).toBe(false);
    expect((await guest.client.get('/profile')).statusCode).toBe(401);
    const again = await server.signIn('forgetful', 'Fresh-2026-Word');
    const activatedAt = async () => dataOf(await again.get(`/users/${guest.id}`))['activated_at'];
    expect(await activatedAt(), 'an administrator’s doing').toBe(0);
    expect((await again.post('/profile/password', { old: 'Fresh-2026-Word', new: 'Chosen-2026-Word' })).statusCode).toBe(200);
    expect(await activatedAt(), 'their own').toBeGreaterThan(0);
    const trail = await server.services.db.select().from(auditEvents).where(eq(auditEvents.entityId, guest.id));
    expect(trail.filter(({ action }) => action === 'password_change')).toHaveLength(2);
    expect(JSON.stringify(trail)).not.toContain('Fresh-2026');
    expect(server.logged()).not.toContain('Fresh-2026');
    expect(issuesOf(await manager.client.post(`/users/${guest.id}/password`, { new_password: 'short' }))).toEqual(['new_password min_length']);
  });

  it('a link is mailed once asked for, to an address, while it is needed', async () => {
    const person = await someone(roles.guest, { email: null });
    await server.services.db.update(users).set({ activatedAt: 0 }).where(eq(users.id, person.id));
    const send = () => manager.client.post(`/users/${person.id}/registration-link`);
    expect(codeOf(await send())).toBe('user_needs_email');
    await patch(manager, person.id, { email: 'new@example.org' });
    expect((await send()).statusCode).toBe(200);
    expect((await send()).statusCode).toBe(200);
    const sent = (await server.services.db.select().from(mails)).filter(({ recipient }) => recipient === 'new@example.org');
    expect(sent).toHaveLength(2);
    const links = await server.services.db.select().from(oneTimeLinks).where(eq(oneTimeLinks.userId, person.id));
    expect(links).toHaveLength(1);
    const stranger = server.as(null);
    const tokens = sent.map((mail) => /registration\/([\w-]{43})/.exec(mail.body)?.[1] ?? '');
    const alive = await Promise.all(tokens.map(async (one) => (await stranger.get(`/registration/${one}`)).statusCode === 200));
    expect(alive.filter(Boolean)).toHaveLength(1);
    const token = tokens[alive.indexOf(true)] ?? '';
    expect(JSON.stringify(links)).not.toContain(token);
    expect(dataOf(await stranger.get(`/registration/${token}`))).toMatchObject({ email: 'new@example.org', project: 'Here' });
    expect(issuesOf(await stranger.post(`/registration/${token}`, { password: 'weak' }))).toEqual(['password min_length']);
    expect(issuesOf(await stranger.post(`/registration/${token}`, { password: 'Welcome-2026' }))).toEqual(['password common_password']);
    const answers = await Promise.all([1, 2, 3].map((round) => stranger.post(`/registration/${token}`, { password: `Chosen-2026-${round}` })));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(answers.filter((answer) => codeOf(answer) === 'outdated_link')).toHaveLength(2);
    expect(codeOf(await stranger.get(`/registration/${token}`))).toBe('outdated_link');
    expect(codeOf(await stranger.get(`/registration/${'x'.repeat(43)}`))).toBe('outdated_link');
    expect(dataOf(await manager.client.get(`/users/${person.id}`))['activated_at']).toBeGreaterThan(0);
    expect(codeOf(await send())).toBe('user_registered');
  });

  it('a new user may be invited at once, with one entry in the trail', async () => {
    expect(issuesOf(await manager.client.put('/users', body({ send_registration_link: true })))).toEqual(['email user_needs_email']);
    const id = dataOf<string>(await manager.client.put('/users', body({ send_registration_link: true, email: 'invited@example.org' })));
    const sent = (await server.services.db.select().from(mails)).filter(({ recipient }) => recipient === 'invited@example.org');
    expect(sent).toHaveLength(1);
    expect(await server.services.db.select().from(auditEvents).where(eq(auditEvents.entityId, id))).toHaveLength(1);
    expect(codeOf(await patch(manager, id, { send_registration_link: true }))).toBe('invalid_data');
  });
});

describe('avatars', () => {
  const upload = (who: Person, id: string, file: Buffer, crop = { x: 0, y: 0, size: 10 }) => {
    const { body: payload, headers } = form(crop, file);
    return who.client.send('POST', `/users/${id}/avatar`, payload, headers);
  };
  const picture = async (width: number, height: number, kind: 'png' | 'jpeg' = 'png'): Promise<Buffer> => {
    const pixels = Buffer.alloc(width * height * 4, 255);
    for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) pixels.set(x < width / 2 ? [200, 0, 0] : [0, 0, 200], (y * width + x) * 4);
    return Transformer.fromRgbaPixels(pixels, width, height)[kind]();
  };

  it('are cut, drawn anew at 256 pixels, served apart, replaced and removed', async () => {
    const guest = await someone(roles.guest);
    const png = await picture(800, 400);
    const first = dataOf<{ avatar_url: string }>(await upload(guest, guest.id, png, { x: 400, y: 0, size: 400 })).avatar_url;
    const served = await server.app.inject({ method: 'GET', url: first });
    expect(served.statusCode).toBe(200);
    expect(served.headers).toMatchObject({ 'content-type': 'image/webp', 'x-content-type-options': 'nosniff' });
    expect(served.headers['content-security-policy']).toContain('sandbox');
    expect(await new Transformer(served.rawPayload).metadata()).toMatchObject({ width: 256, height: 256 });
    const pixels = await new Transformer(served.rawPayload).rawPixels();
    const channels = pixels.length / (256 * 256);
    expect(pixels[128 * channels]).toBeLessThan(40);
    expect(pixels[128 * channels + 2]).toBeGreaterThan(160);
    const second = dataOf<{ avatar_url: string }>(await upload(guest, guest.id, await picture(64, 64, 'jpeg'))).avatar_url;
    expect(second).not.toBe(first);
    expect((await server.app.inject({ method: 'GET', url: first })).statusCode).toBe(404);
    expect(dataOf(await guest.client.get(`/users/${guest.id}`))['avatar_url']).toBe(second);
    expect((await guest.client.delete(`/users/${guest.id}/avatar`)).statusCode).toBe(200);
    expect(dataOf(await guest.client.get(`/users/${guest.id}`))['avatar_url']).toBeNull();
    expect((await server.app.inject({ method: 'GET', url: second })).statusCode).toBe(404);
  });

  it('are never blown up, and cut where they were cut, to the pixel of the small one', async () => {
    const guest = await someone(roles.guest);
    const drawn = async (file: Buffer, crop: { x: number; y: number; size: number }) => {
      const url = dataOf<{ avatar_url: string }>(await upload(guest, guest.id, file, crop)).avatar_url;
      return new Transformer((await server.app.inject({ method: 'GET', url })).rawPayload);
    };
    expect(await (await drawn(await picture(64, 64, 'jpeg'), { x: 1, y: 2, size: 50 })).metadata()).toMatchObject({ width: 50, height: 50 });
    expect(await (await drawn(await picture(999, 701), { x: 998, y: 700, size: 1 })).metadata()).toMatchObject({ width: 1, height: 1 });
    const halves = await drawn(await picture(1_001, 733), { x: 300, y: 333, size: 400 });
    const pixels = await halves.rawPixels();
    const at = (x: number) => [...pixels.subarray(x * (pixels.length / 65_536)).subarray(0, 3)].map((value) => Math.round(value / 100));
    expect([at(0), at(126), at(131), at(255)]).toEqual([
      [2, 0, 0],
      [2, 0, 0],
      [0, 0, 2],
      [0, 0, 2],
    ]);
  });

  it('leave nothing behind of what was sent, whether taken or refused (C10)', async () => {
    const guest = await someone(roles.guest);
    const sent = join(server.services.config.data, 'uploads');
    const png = await picture(64, 64);
    expect((await upload(guest, guest.id, png)).statusCode).toBe(200);
    expect(codeOf(await upload(guest, guest.id, Buffer.alloc(500)))).toBe('invalid_file');
    expect(codeOf(await upload(guest, guest.id, png, { x: 1, y: 1, size: 1e9 }))).toBe('invalid_data');
    expect(codeOf(await upload(guest, boss.id, png))).toBe('not_found');
    expect(codeOf(await upload(guest, guest.id, Buffer.alloc(constants.uploadLimitBytes + 1)))).toBe('too_large');
    const { body, headers } = form({ x: 'left' }, png);
    expect(codeOf(await guest.client.send('POST', `/users/${guest.id}/avatar`, body, headers))).toBe('invalid_data');
    expect(codeOf(await guest.client.send('POST', `/users/${guest.id}/avatar`, body.subarray(0, body.length - 20), headers))).toBe(
      'wrong_parameters',
    );
    expect(await readdir(sent)).toEqual([]);
    const [left, fresh] = [join(sent, randomUUID()), join(sent, randomUUID())];
    await Promise.all([left, fresh].map((path) => writeFile(path, 'of a process that died')));
    await utimes(left, 0, 0);
    await forgetUploads(server.services.config, new Date());
    expect(await readdir(sent)).toEqual([basename(fresh)]);
    await rm(fresh);
  });

  it('leave no half file of a process that died while it wrote one', async () => {
    const folder = join(server.services.config.data, 'files');
    await mkdir(folder, { recursive: true });
    const [left, fresh] = [0, 1].map(() => join(folder, `${randomUUID()}.part`));
    for (const path of [left, fresh]) await writeFile(path ?? '', 'half');
    await utimes(left ?? '', 0, 0);
    await forgetParts({ ...server.services, now: () => new Date() });
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([basename(fresh ?? '')]);
    await rm(fresh ?? '');
  });

  it('are refused beyond the edges and to those who may not', async () => {
    const guest = await someone(roles.guest);
    const png = await picture(40, 40);
    for (const crop of [
      { x: -1, y: 0, size: 10 },
      { x: 35, y: 0, size: 10 },
      { x: 0, y: 0, size: 0 },
      { x: 0, y: 0, size: 1e9 },
    ])
      expect(codeOf(await upload(guest, guest.id, png, crop))).toBe('invalid_data');
    const other = await someone(roles.helper, { in: [estate.groups.north] });
    expect(codeOf(await upload(other, guest.id, png))).toBe('forbidden');
  });

  it('are refused in all hostile forms, and fast (C9, C12)', async () => {
    const guest = await someone(roles.guest);
    const [png, jpeg] = [await picture(64, 64), await picture(64, 64, 'jpeg')];
    const hostile = hostileFiles(png, jpeg);
    expect(hostile.length).toBeGreaterThanOrEqual(30);
    const before = (await server.services.db.select().from(files)).length;
    for (const [name, bytes] of hostile) {
      const started = performance.now();
      const answer = await upload(guest, guest.id, bytes);
      expect([name, codeOf(answer)]).toEqual([name, 'invalid_file']);
      expect(performance.now() - started, name).toBeLessThan(inTime(2_000));
    }
    expect((await server.services.db.select().from(files)).length).toBe(before);
    expect(pngOf(10, 10).length).toBeGreaterThan(50);
  });
});

describe('secrets (P6)', () => {
  it('are in no answer', async () => {
    const paths = [
      '/users?size=100&with=mobile_clients',
      '/roles',
      '/groups?with=users,children',
      '/audit-events?size=500',
      '/markers',
      '/profile',
      '/sessions',
      `/users/${manager.id}`,
    ];
    const all = (await Promise.all(paths.map((path) => boss.client.get(path)))).map(({ body: text }) => text).join('\n');
    for (const secret of ['password_hash', 'passwordHash', '$argon2', 'token_hash', 'refresh_hash', boss.client.token, 'Fresh-2026-Word'])
      expect(all).not.toContain(secret);
  });
});
