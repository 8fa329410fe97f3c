import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { and, desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { constants } from '#models/constants.ts';
import { allLicensed, nothingLicensed } from '#models/licence-info.ts';
import { type GroupAllowance, type GroupLicence, initialGroupLicence, type LicenceStatusReport, type LicenceOverview } from '#models/licences.ts';
import type { Profile } from '#models/profile.ts';
import { auditEvents, groups, identifiers, licences, mobileClients, projects } from '#server/db/schema/index.ts';
import { addFromCloud, cloudTimeout } from '#server/licences/cloud.ts';
import { instanceId } from '#server/licences/instance.ts';
import { buildEstate, codeOf, dataOf, deviceBody, type Estate, groupBody, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';
import { counting, forged, signed, upload, vendorKey } from './vendor.ts';

const day = 86_400;
let server: TestServer;
let estate: Estate;
let manager: Person;
let viewer: Person;
let stranger: Person;
let elsewhere: Person;

beforeAll(async () => {
  server = await openTestServer({ config: { licenceKey: vendorKey } });
  estate = await buildEstate(server.services);
  manager = await makePerson(server, estate, { permissions: ['can_view_licenses', 'can_manage_licenses'], in: [estate.groups.town] });
  viewer = await makePerson(server, estate, { permissions: ['can_view_licenses'], in: [estate.groups.town] });
  stranger = await makePerson(server, estate, { permissions: [], in: [estate.groups.town] });
  elsewhere = await makePerson(server, estate, { permissions: ['can_manage_licenses'], in: [estate.groups.abroad], project: estate.there });
});
afterAll(() => server.close());
beforeEach(async () => {
  server.pass(1);
  await server.services.db.delete(licences);
  await server.services.db.update(groups).set({ licence: {} });
});

const now = () => Math.floor(server.services.now().getTime() / 1_000);
const overview = async (who = manager) => dataOf<LicenceOverview>(await who.client.get('/licenses'));
const licenceStatus = async (who = manager) => dataOf<LicenceStatusReport>(await who.client.get('/licenses/outlook'));
const profile = async (who: Person) => dataOf<Profile>(await who.client.get('/profile'));
const lastEntry = async (action: string) =>
  (await server.services.db.select().from(auditEvents).where(eq(auditEvents.action, action)).orderBy(desc(auditEvents.createdAt)).limit(1))[0];
/** Somebody for whom a group's licence is open, counts included unless said otherwise. */
const groupManager = (permissions: Parameters<typeof makePerson>[2]['permissions'], at: keyof Estate['groups'] = 'town') =>
  makePerson(server, estate, { permissions: permissions ?? [], in: [estate.groups[at]] });

describe('adding a licence from its file', () => {
  it('switches on what it gives, for whoever is signed in, and is in the trail', async () => {
    expect(await overview()).toMatchObject({ licenses: [], active: [], is_required: true, has_cloud: false });
    const before = await profile(stranger);
    expect(before.features.elevator.is_enabled).toBe(false);
    const answer = await upload(manager.client, signed({ features: counting(10) }));
    const { licenses, active, seats } = dataOf<LicenceOverview>(answer);
    expect(licenses).toMatchObject([{ type: 'basic', status: 'active', state: 'active', source: 'file', is_enabled: true, is_trusted: true }]);
    expect(active).toEqual([licenses[0]?.id]);
    expect(seats.find(({ feature }) => feature === 'ukey2')).toEqual({ feature: 'ukey2', used: 0, available: 10 });
    const after = await profile(stranger);
    expect(after.features.elevator.is_enabled).toBe(true);
    expect(after.version).not.toBe(before.version);
    expect(await lastEntry('create')).toMatchObject({
      area: 'licenses',
      action: 'create',
      userId: manager.id,
      entityName: licenses[0]?.number.slice(0, 8).toUpperCase(),
    });
    expect(dataOf<typeof allLicensed>(await stranger.client.get('/licenses/feature-state')).elevator.is_enabled).toBe(true);
  });

  it.each<[what: string, file: () => string | Promise<string>, code: string]>([
    ['signed by somebody else', () => forged(), 'licence_bad_signature'],
    ['for another project', () => signed({ project: 'there' }), 'licence_not_applicable'],
    ['for another installation', () => signed({ instance: randomUUID() }), 'licence_not_applicable'],
    ['an extension without a basic one', () => signed({ type: 'extension' }), 'licence_not_applicable'],
    ['over, grace included', () => signed({ period: { from: 0, to: now() - 8 * day } }), 'licence_expired'],
    ['no licence', () => 'PK\u0003\u0004', 'corrupted_file'],
    ['empty', () => '', 'corrupted_file'],
    ['larger than any licence', () => 'x'.repeat(1_000_000), 'corrupted_file'],
  ])('is refused: %s', async (_what, file, code) => {
    expect(codeOf(await upload(manager.client, await file()))).toBe(code);
    expect((await overview()).licenses).toEqual([]);
  });

  it('is accepted for this installation, in grace, and before its time', async () => {
    const instance = await instanceId(server.services.db);
    const files = [
      signed({ instance }),
      signed({ period: { from: 0, to: now() - day } }),
      signed({ period: { from: now() + day, to: now() + 2 * day } }),
    ];
    for (const file of files) expect((await upload(manager.client, file)).statusCode).toBe(200);
    expect((await overview()).licenses.map(({ status, state }) => `${status} ${state}`).toSorted()).toEqual([
      'active active',
      'expired ending',
      'pending disabled',
    ]);
    expect((await overview()).instance_id).toBe(instance);
  });

  it('takes a licence once; a newer edition takes its place, an older one does not', async () => {
    const id = randomUUID();
    const edition = (issued_at: number, to: number) => signed({ id, issued_at, period: { from: 0, to } });
    expect((await upload(manager.client, edition(1_000, now() + 5 * day))).statusCode).toBe(200);
    expect(codeOf(await upload(manager.client, edition(1_000, now() + 5 * day)))).toBe('licence_instance_registered');
    expect((await upload(manager.client, edition(2_000, now() + 500 * day))).statusCode).toBe(200);
    expect(codeOf(await upload(manager.client, edition(1_500, now() + 900 * day)))).toBe('licence_instance_registered');
    expect((await overview()).licenses).toMatchObject([{ issued_at: 2_000, period: { to: now() + 500 * day } }]);
  });

  it('lets one of twenty add the same file at once (C6)', async () => {
    const file = signed();
    const answers = await Promise.all(Array.from({ length: 20 }, () => upload(manager.client, file)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect((await overview()).licenses).toHaveLength(1);
  });

  it('believes no file that was changed in the database', async () => {
    await upload(manager.client, signed());
    await server.services.db.update(licences).set({ file: forged() });
    expect((await overview()).licenses).toMatchObject([{ is_trusted: false, status: 'disabled', state: 'disabled' }]);
    expect((await overview()).active).toEqual([]);
    await server.services.db.update(licences).set({ file: 'nonsense' });
    expect((await overview()).licenses).toEqual([]);
  });
});

describe('who may do what', () => {
  it.each([
    ['GET', '/licenses', 200, 403],
    ['GET', '/licenses/seats/ukey2', 200, 403],
    ['POST', '/licenses/file', 403, 403],
    ['POST', '/licenses/cloud', 403, 403],
    ['PATCH', '/licenses/settings', 403, 403],
    ['PATCH', `/licenses/${randomUUID()}`, 403, 403],
    ['DELETE', `/licenses/${randomUUID()}`, 403, 403],
  ] as const)('%s %s: viewers %i, others %i', async (method, path, forViewers, forOthers) => {
    expect([(await viewer.client.send(method, path)).statusCode, (await stranger.client.send(method, path)).statusCode]).toEqual([
      forViewers,
      forOthers,
    ]);
    expect((await server.as(null).send(method, path)).statusCode).toBe(401);
    const [refused] = await server.services.db
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.userId, stranger.id), eq(auditEvents.area, 'licenses'), eq(auditEvents.action, 'refused')));
    expect(refused).toBeDefined();
  });

  it('nobody reaches the licences of another project', async () => {
    await upload(manager.client, signed());
    const [{ id } = { id: '' }] = (await overview()).licenses;
    expect(codeOf(await elsewhere.client.delete(`/licenses/${id}`))).toBe('not_found');
    expect(codeOf(await elsewhere.client.patch(`/licenses/${id}`, { is_enabled: false }))).toBe('not_found');
    expect((await overview(elsewhere)).licenses).toEqual([]);
    expect(codeOf(await upload(elsewhere.client, signed()))).toBe('licence_not_applicable');
  });

  it('of what ends only those hear who manage it', async () => {
    await upload(manager.client, signed({ period: { from: 0, to: now() + 3 * day } }));
    expect(await licenceStatus()).toMatchObject({ status: 'will_expire', reminders: [{ group: null, mode: 'everyday' }] });
    for (const who of [viewer, stranger]) expect(await licenceStatus(who)).toMatchObject({ status: 'normal', reminders: [] });
    expect((await licenceStatus(stranger)).changes_at).toBe(now() + 3 * day);
  });
});

describe('a licence that is there', () => {
  it('is switched off and on again, and what it gave goes and comes', async () => {
    await upload(manager.client, signed());
    const [{ id } = { id: '' }] = (await overview()).licenses;
    const off = dataOf<LicenceOverview>(await manager.client.patch(`/licenses/${id}`, { is_enabled: false }));
    expect([off.licenses[0]?.status, off.active, off.features.amenity.is_enabled]).toEqual(['disabled', [], false]);
    expect((await licenceStatus()).status).toBe('no_license');
    expect(await lastEntry('update')).toMatchObject({ area: 'licenses', action: 'update', changes: { is_enabled: { before: true, after: false } } });
    const on = dataOf<LicenceOverview>(await manager.client.patch(`/licenses/${id}`, { is_enabled: true }));
    expect([on.licenses[0]?.status, on.active]).toEqual(['active', [id]]);
  });
  it('that is over is not switched', async () => {
    await upload(manager.client, signed({ period: { from: 0, to: now() + 60 }, grace_days: 0 }));
    const [{ id } = { id: '' }] = (await overview()).licenses;
    server.pass(120_000);
    expect(codeOf(await manager.client.patch(`/licenses/${id}`, { is_enabled: false }))).toBe('licence_expired');
  });
  it('is removed once', async () => {
    await upload(manager.client, signed());
    const [{ id } = { id: '' }] = (await overview()).licenses;
    expect(dataOf<LicenceOverview>(await manager.client.delete(`/licenses/${id}`)).licenses).toEqual([]);
    expect(await lastEntry('delete')).toMatchObject({ area: 'licenses', action: 'delete', entityId: id });
    expect(codeOf(await manager.client.delete(`/licenses/${id}`))).toBe('not_found');
  });
  it('runs out by the clock alone: in grace all goes on, then nothing (P8, expired now)', async () => {
    const id = randomUUID();
    const edition = (issued_at: number, to: number, grace_days: number) =>
      upload(manager.client, signed({ id, issued_at, period: { from: 0, to }, grace_days }));
    await edition(1, now() + 60, 0);
    const seen = async () => {
      const { status, reminders } = await licenceStatus();
      return [status, reminders.length, (await profile(stranger)).features.sip.is_enabled];
    };
    expect(await seen()).toEqual(['will_expire', 1, true]);
    server.pass(60_000);
    expect(await seen()).toEqual(['already_expired', 1, false]);
    await edition(2, now() - day, 2);
    expect(await seen()).toEqual(['already_expired', 1, true]);
  });
});

describe('the vendor’s cloud', () => {
  let cloud: Server;
  type Said = { status: number; body?: unknown } | 'silence';
  let answer: Said = { status: 200 };
  const asked: unknown[] = [];
  const asking = () =>
    addFromCloud(
      { ...server.services, config: { ...server.services.config, licenceUrl } },
      principalOf(manager),
      answer === 'silence' ? 300 : cloudTimeout,
    );
  let licenceUrl = '';
  const principalOf = ({ id }: Person) => ({ id, projectId: estate.here, name: 'Manager', ip: '', userAgent: null }) as never;

  beforeAll(async () => {
    cloud = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        asked.push(JSON.parse(body));
        if (answer === 'silence') return;
        response
          .writeHead(answer.status, { 'content-type': 'application/json', location: 'http://127.0.0.1:1/' })
          .end(JSON.stringify(answer.body ?? {}));
      });
    });
    await new Promise<void>((done) => cloud.listen(0, '127.0.0.1', done));
    const address = cloud.address();
    licenceUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/licences`;
  });
  afterAll(() => {
    cloud.closeAllConnections();
    cloud.close();
  });

  it('is asked for the project and the installation; what is new is added', async () => {
    answer = { status: 200, body: { licences: [signed(), signed({ type: 'extension', features: nothingLicensed })] } };
    expect(await asking()).toEqual({ added: 2, renewed: 0 });
    expect(asked.at(-1)).toEqual({ project: 'here', instance: await instanceId(server.services.db) });
    expect((await overview()).licenses.map(({ source }) => source)).toEqual(['cloud', 'cloud']);
    expect(await asking()).toEqual({ added: 0, renewed: 0 });
  });
  it.each<[what: string, said: () => Said, code: string]>([
    ['has none', () => ({ status: 404 }), 'licence_none_found'],
    ['has an empty list', () => ({ status: 200, body: { licences: [] } }), 'licence_none_found'],
    ['knows this installation under another licence', () => ({ status: 409 }), 'licence_instance_registered'],
    ['does not answer', () => 'silence', 'licence_server_silent'],
    ['fails', () => ({ status: 500 }), 'licence_server_silent'],
    ['sends elsewhere', () => ({ status: 302 }), 'licence_server_silent'],
    ['answers something else', () => ({ status: 200, body: { hello: 1 } }), 'licence_server_silent'],
    ['signs badly', () => ({ status: 200, body: { licences: [forged()] } }), 'licence_bad_signature'],
    ['sends one for another project', () => ({ status: 200, body: { licences: [signed({ project: 'there' })] } }), 'licence_not_applicable'],
    ['sends one that is over', () => ({ status: 200, body: { licences: [signed({ period: { from: 0, to: 5 } })] } }), 'licence_expired'],
  ])('%s', async (_what, said, code) => {
    answer = said();
    await expect(asking()).rejects.toMatchObject({ code });
    expect((await overview()).licenses).toEqual([]);
  });
  it('is not there where none is named', async () => {
    expect(codeOf(await manager.client.post('/licenses/cloud'))).toBe('licence_server_silent');
  });
});

describe('the licence of a group', () => {
  const licenceOf = async (who: Person, id: string) => dataOf<{ licenseInfo: GroupLicence }>(await who.client.get(`/groups/${id}`)).licenseInfo;
  const change = async (who: Person, id: string, over: Partial<GroupLicence>) =>
    who.client.patch(`/groups/${id}`, { licenseInfo: { ...(await licenceOf(who, id)), ...over } });
  const counted = (sip: number | null) => ({ info: { ...allLicensed, sip: { ...allLicensed.sip, license_count: sip } } });
  const every = ['can_manage_all_domain_licenses', 'can_view_all_groups', 'can_edit_license_counts', 'can_edit_all_groups'] as const;
  beforeEach(async () => {
    await upload(manager.client, signed({ features: counting(100) }));
    await upload(manager.client, signed({ type: 'device', features: nothingLicensed }));
  });

  it.each([
    ['own', 'can_manage_own_domain_licenses', { town: 403, north: 200, n1: 403 }],
    ['those below', 'can_manage_descendant_licenses', { town: 404, north: 403, n1: 200 }],
    ['all', 'can_manage_all_domain_licenses', { town: 200, north: 200, n1: 200 }],
    ['none, though they edit the whole group', 'can_edit_all_groups', { town: 403, north: 403, n1: 403 }],
  ] as const)('is for those who manage %s', async (_which, code, expected) => {
    const sees = code === 'can_manage_all_domain_licenses' || code === 'can_edit_all_groups' ? (['can_view_all_groups'] as const) : [];
    const who = await groupManager([code, ...sees], 'north');
    const found: [string, number][] = [];
    for (const name of ['town', 'north', 'n1'] as const) {
      const body = { licenseInfo: { ...initialGroupLicence, isEnabled: false } };
      found.push([name, (await who.client.patch(`/groups/${estate.groups[name]}`, body)).statusCode]);
    }
    const wanted = code === 'can_manage_own_domain_licenses' ? { ...expected, town: 404 } : expected;
    expect(Object.fromEntries(found)).toEqual(wanted);
  });
  it('opens no other part of the group to those who manage it', async () => {
    const who = await groupManager(['can_manage_descendant_licenses', 'can_manage_own_group_general'], 'north');
    expect(codeOf(await who.client.patch(`/groups/${estate.groups.n1}`, { name: 'Taken' }))).toBe('forbidden');
    expect((await who.client.patch(`/groups/${estate.groups.north}`, { name: 'north' })).statusCode).toBe(200);
  });
  it('has counts only for those who may edit them', async () => {
    const who = await groupManager(['can_manage_own_domain_licenses']);
    expect(codeOf(await change(who, estate.groups.town, counted(5)))).toBe('forbidden');
    expect((await change(who, estate.groups.town, { notifications: { period: 'never', notify_before: 3 } })).statusCode).toBe(200);
    const counting_ = await groupManager(['can_manage_own_domain_licenses', 'can_edit_license_counts']);
    expect((await change(counting_, estate.groups.town, counted(5))).statusCode).toBe(200);
  });
  it('refuses what goes beyond the parent, item by item, and changes nothing', async () => {
    const who = await groupManager(every);
    expect((await change(who, estate.groups.town, counted(50))).statusCode).toBe(200);
    const answer = await change(who, estate.groups.north, counted(51));
    expect([answer.statusCode, answer.json()]).toMatchObject([
      409,
      {
        error: { code: 'numbers_over_group' },
        data: {
          items: [
            {
              type: 'quantity_exceeded',
              feature: 'sip',
              license_type: null,
              relation: { parent: { id: estate.groups.town, name: 'town' }, child: { id: estate.groups.north, name: 'north' } },
              period: constants.unlimitedLicencePeriod,
              qty: { target: 51, available: 50 },
            },
          ],
        },
      },
    ]);
    expect((await licenceOf(who, estate.groups.north)).info.sip.license_count).toBe(null);
    const over = await change(who, estate.groups.town, counted(101));
    expect(codeOf(over)).toBe('numbers_over_project');
  });
  it('never lets parallel changes go beyond the parent together (C7)', async () => {
    const who = await groupManager(every);
    await change(who, estate.groups.north, counted(10));
    const children = [estate.groups.n1, estate.groups.n2];
    const answers = await Promise.all(children.map((id) => change(who, id, counted(6))));
    const rows = await server.services.db.select({ id: groups.id, licence: groups.licence }).from(groups);
    const sum = rows.filter(({ id }) => children.includes(id)).reduce((all, { licence }) => all + (licence.info?.sip.license_count ?? 0), 0);
    expect([sum, answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)]).toEqual([6, [200, 409]]);
  });
  it('refuses a period that does not fit, and reminders longer than it', async () => {
    const who = await groupManager(every);
    const until = (days: number) => ({ restrict_period: true, period: { from: 0, to: now() + days * day } });
    expect((await change(who, estate.groups.town, until(100))).statusCode).toBe(200);
    expect(codeOf(await change(who, estate.groups.north, until(101)))).toBe('period_conflicts_parent');
    expect((await change(who, estate.groups.n1, until(90))).statusCode).toBe(200);
    expect(codeOf(await change(who, estate.groups.town, until(80)))).toBe('period_conflicts_child');
    const short = {
      restrict_period: true,
      period: { from: now(), to: now() + 5 * day },
      notifications: { period: 'once' as const, notify_before: 14 },
    };
    const answer = await change(who, estate.groups.n2, short);
    expect(answer.json()).toMatchObject({
      data: { issues: [{ path: ['licenseInfo', 'notifications', 'notify_before'], rule: 'over_licence_period' }] },
    });
    const backwards = await change(who, estate.groups.n2, { period: { from: 10, to: 5 } });
    expect(backwards.json()).toMatchObject({ data: { issues: [{ path: ['licenseInfo', 'period', 'to'], rule: 'period_order' }] } });
  });
  it('moves only where it fits', async () => {
    const who = await groupManager([...every, 'can_create_root_group']);
    await change(who, estate.groups.s1, counted(30));
    await change(who, estate.groups.north, counted(20));
    expect(codeOf(await who.client.patch(`/groups/${estate.groups.s1}`, { parent_id: estate.groups.north }))).toBe('numbers_over_group');
    await change(who, estate.groups.s1, counted(20));
    expect((await who.client.patch(`/groups/${estate.groups.s1}`, { parent_id: estate.groups.north })).statusCode).toBe(200);
    expect((await who.client.patch(`/groups/${estate.groups.s1}`, { parent_id: estate.groups.south })).statusCode).toBe(200);
  });
  it('takes a feature from its people and those below at once; the profile’s version grows', async () => {
    const who = await groupManager(every);
    const inN1 = await makePerson(server, estate, { permissions: [], in: [estate.groups.n1] });
    const inSouth = await makePerson(server, estate, { permissions: [], in: [estate.groups.south] });
    const before = await profile(inN1);
    expect(before.features.elevator.is_enabled).toBe(true);
    await change(who, estate.groups.north, { info: { ...allLicensed, elevator: { is_enabled: false } } });
    const after = await profile(inN1);
    expect([after.features.elevator.is_enabled, (await profile(inSouth)).features.elevator.is_enabled]).toEqual([false, true]);
    expect(after.version).not.toBe(before.version);
    await change(who, estate.groups.north, { info: allLicensed, isEnabled: false });
    expect((await profile(inN1)).features).toMatchObject({ sip: { is_enabled: false }, amenity: { is_enabled: false } });
  });
  it('is reminded of to those who manage it, and its people learn when it changes', async () => {
    const who = await groupManager(['can_manage_own_domain_licenses'], 'north');
    await server.services.db
      .update(groups)
      .set({ licence: { restrict_period: true, period: { from: 0, to: now() + 120 }, notifications: { period: 'every_week', notify_before: 5 } } })
      .where(eq(groups.id, estate.groups.north));
    const statusRead = await licenceStatus(who);
    expect(statusRead).toMatchObject({
      status: 'will_expire',
      reminders: [{ group: { id: estate.groups.north, name: 'north' }, mode: 'every_week', ends_at: now() + 120 }],
    });
    expect(statusRead.changes_at).toBe(now() + 120);
    expect((await licenceStatus(stranger)).reminders).toEqual([]);
    server.pass(120_000);
    expect((await licenceStatus(who)).status).toBe('already_expired');
    await server.services.db
      .update(groups)
      .set({ licence: { restrict_period: true, period: { from: 0, to: now() + 2 * day }, notifications: { period: 'never', notify_before: 5 } } })
      .where(eq(groups.id, estate.groups.north));
    expect(await licenceStatus(who)).toMatchObject({ status: 'normal', reminders: [] });
  });
  it('lets devices in only where the device licence reaches', async () => {
    const who = await groupManager([...every, 'can_view_all_devices', 'can_create_devices', 'can_edit_devices']);
    const put = async (name: string, domain: string) => codeOf(await who.client.put('/devices', deviceBody({ name, login: name, domain })));
    expect(await put('first', estate.groups.n1)).toBe(200);
    // Taken away from under those who draw on it, it is refused with their names; from below upwards it goes.
    const off = { is_device_license_enabled: false };
    const { items } = dataOf<{ items: { type: string; relation: { child: { name: string } } }[] }>(await change(who, estate.groups.north, off));
    expect(items.map(({ type, relation }) => `${type} ${relation.child.name}`).toSorted()).toEqual([
      'license_type_missing n1',
      'license_type_missing n2',
    ]);
    for (const id of [estate.groups.n1, estate.groups.n2, estate.groups.north]) expect((await change(who, id, off)).statusCode).toBe(200);
    expect(await put('second', estate.groups.n1)).toBe('licence_restricted');
    const [device] = dataOf<{ id: string }[]>(await who.client.get('/devices'));
    expect((await who.client.patch(`/devices/${device?.id}`, { description: 'Still mine' })).statusCode).toBe(200);
    expect((await who.client.patch(`/devices/${device?.id}`, { domain: estate.groups.south })).statusCode).toBe(200);
    expect(codeOf(await who.client.patch(`/groups/${estate.groups.n2}`, { devices: [device?.id] }))).toBe('licence_restricted');
    await server.services.db.delete(licences);
    expect(await put('third', estate.groups.south)).toBe('licence_restricted');
  });
  it('says what it may be given and who holds its seats', async () => {
    const who = await groupManager(every);
    const holder = await makePerson(server, estate, { name: 'Holder', permissions: [], in: [estate.groups.n1] });
    await server.services.db
      .insert(mobileClients)
      .values({ userId: holder.id, clientId: 'c', platform: 'ios', info: 'iPhone', authTime: server.services.now(), vendorId: 'v' });
    const key = { projectId: estate.here, userId: holder.id, type: 'ukey2', name: 'K1' } as const;
    await server.services.db.insert(identifiers).values([
      { ...key, value: 'held' },
      { ...key, value: 'revoked', revokedAt: server.services.now() },
    ]);
    await change(who, estate.groups.town, counted(50));
    const allowance = dataOf<GroupAllowance>(await who.client.get(`/groups/${estate.groups.north}/licence`));
    expect(allowance).toMatchObject({
      types: ['basic', 'device'],
      parent: { name: 'town' },
      features: { sip: { license_count: 50 }, ukey2: { license_count: 100 } },
      seats: [
        { feature: 'sip', used: 0, available: 50 },
        { feature: 'mobile_app', used: 1, available: 100 },
        { feature: 'ukey2', used: 1, available: 100 },
      ],
      state: 'active',
    });
    const seats = await makePerson(server, estate, {
      permissions: ['can_view_all_users', 'can_view_all_groups', 'can_view_licenses'],
      in: [estate.groups.town],
    });
    const holders = (path: string) =>
      seats.client.get(path).then((answer) => dataOf<{ user: { name: string }; by: string }[]>(answer).map(({ user, by }) => `${user.name} ${by}`));
    expect(await holders('/licenses/seats/ukey2')).toEqual(['Holder K1']);
    expect(await holders(`/groups/${estate.groups.north}/seats/mobile_app`)).toEqual(['Holder iPhone']);
    expect(await holders(`/groups/${estate.groups.south}/seats/mobile_app`)).toEqual([]);
    expect(dataOf(await viewer.client.get('/licenses/seats/ukey2'))).toEqual([]);
    const mover = await makePerson(server, estate, {
      permissions: ['can_view_all_users', 'can_edit_all_users', 'can_view_all_groups', 'can_manage_own_domain_licenses', 'can_edit_license_counts'],
      in: [estate.groups.south],
    });
    const apps = { info: { ...allLicensed, mobile_app: { ...allLicensed.mobile_app, license_count: 0 } } };
    expect((await change(mover, estate.groups.south, apps)).statusCode).toBe(200);
    await server.services.db.update(projects).set({ description: null });
    const moved = await mover.client.patch(`/users/${holder.id}`, { domains: [estate.groups.south] });
    expect([codeOf(moved), moved.json()]).toMatchObject(['limit_exceeded', { message: 'limit exceeded, used 1, max 0' }]);
    expect(codeOf(await change(who, estate.groups.north, apps))).toBe('used_over_group');
  });
});

describe('what new groups start with', () => {
  it('is what the project’s settings say, as far as the project has that many', async () => {
    await upload(manager.client, signed({ features: counting(40) }));
    expect(codeOf(await manager.client.patch('/licenses/settings', { basic_period_days: 0, basic_quantity: 5 }))).toBe('invalid_data');
    const saved = dataOf<LicenceOverview>(await manager.client.patch('/licenses/settings', { basic_period_days: 30, basic_quantity: 30 }));
    expect(saved.settings).toEqual({ basic_period_days: 30, basic_quantity: 30 });
    const maker = await makePerson(server, estate, { permissions: ['can_create_root_group', 'can_view_all_groups'], in: [estate.groups.town] });
    const make = async (parent_id: string | null) => {
      const id = dataOf<string>(await maker.client.put('/groups', groupBody({ name: 'Made', parent_id })));
      return dataOf<{ licenseInfo: GroupLicence }>(await maker.client.get(`/groups/${id}`)).licenseInfo;
    };
    const first = await make(null);
    expect([first.restrict_period, first.period, first.info.sip.license_count]).toEqual([true, { from: now(), to: now() + 30 * day }, 30]);
    expect((await make(null)).info.sip.license_count).toBe(10);
    expect(await make(estate.groups.town)).toMatchObject({ restrict_period: false, info: allLicensed });
    const refused = await maker.client.put('/groups', groupBody({ licenseInfo: first }));
    expect(refused.json()).toMatchObject({ data: { issues: [{ path: ['licenseInfo'], rule: 'not_allowed' }] } });
  });
});
