import { Transformer } from '@napi-rs/image';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shownNumber, storedNumber, storedValue, valueIssue } from '#models/identifier-value.ts';
import type { Identifier } from '#models/identifiers.ts';
import type { Job } from '#models/job.ts';
import { allLicensed } from '#models/licence-info.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { auditEvents, groups, identifiers, users } from '#server/db/schema/index.ts';
import { buildEstate, codeOf, dataOf, type Estate, jobIsOver, makePerson, type Person } from './estate.ts';
import { form, hostileFiles, pngOf } from './hostile-files.ts';
import { openTestServer, type TestServer } from './support.ts';

type Json = Record<string, unknown>;
let server: TestServer;
let estate: Estate;
let admin: Person;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  admin = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town], name: 'Anna' });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.services.db.delete(identifiers);
  await server.services.db.update(users).set({ licenseInfo: allLicensed });
  await server.services.db.update(groups).set({ guestLimits: { max_passes_count: null, max_period_days: null } });
});

const put = (over: Json, who = admin) => who.client.put('/identifiers', { name: 'A card', ...over });
const make = async (over: Json): Promise<string> => {
  const answer = await put(over);
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<string>(answer);
};
const read = async (id: string, who = admin): Promise<Identifier> => dataOf<Identifier>(await who.client.get(`/identifiers/${id}`));
const issueOf = (answer: { json: () => unknown }): unknown =>
  (answer.json() as { data: { issues: { path: unknown; rule: string }[] } }).data.issues[0];
const listed = async (items: Json[], who = admin): Promise<string[]> => {
  const answer = await who.client.get(`/identifiers?${new URLSearchParams({ filters: JSON.stringify({ match: 'match_all', items }) })}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<Identifier[]>(answer).map(({ name }) => name);
};

describe('the value of an identifier', () => {
  it('of a card has one stored form, whatever notation it is typed in', () => {
    expect(storedNumber('11193310', 'dec')).toBe('00AACBDE');
    expect([storedNumber('aacbde', 'hex'), storedNumber('0xAACBDE', 'dec'), storedNumber('AA:CB:DE', 'dec')]).toEqual(Array(3).fill('00AACBDE'));
    expect([shownNumber('00AACBDE', 'dec'), shownNumber('00AACBDE', 'hex')]).toEqual(['0011193310', '00AACBDE']);
    expect(storedNumber(shownNumber('F'.repeat(32), 'dec'), 'dec')).toBe('F'.repeat(32));
    expect([storedNumber('', 'dec'), storedNumber('12G', 'hex'), storedNumber('1'.repeat(40), 'dec')]).toEqual([null, null, null]);
  });

  it('of a number plate is told alike in Latin and Cyrillic letters', () => {
    expect([storedValue('license_plate', 'а 123-вс 77'), storedValue('license_plate', 'A123BC77')]).toEqual(['A123BC77', 'A123BC77']);
  });

  it.each([
    ['card', '', 'required'],
    ['card', 'xyz', 'number_or_hex'],
    ['access_code', '123', 'access_code_digits'],
    ['access_code', '123456789', 'access_code_digits'],
    ['license_plate', 'A', 'license_plate_characters'],
    ['license_plate', 'AB<1>', 'license_plate_characters'],
  ])('of a %s is not “%s”', async (type, value, rule) => {
    expect(valueIssue(type, value)).toMatchObject({ path: ['value'], rule });
    expect(issueOf(await put({ type, value }))).toMatchObject({ path: ['value'], rule });
  });

  it('is one of its type in a project', async () => {
    await make({ type: 'card', value: '0xab12cd' });
    const twice = await put({ type: 'card', value: '00AB12CD' });
    expect([twice.statusCode, codeOf(twice), issueOf(twice)]).toMatchObject([409, 'identifier_exists', { path: ['value'] }]);
    await make({ type: 'ukey', value: '00AB12CD' });
  });

  it('is made by the server where nobody types it, with 128 bits', async () => {
    const [qr, url] = [await read(await make({ type: 'qr' })), await read(await make({ type: 'url' }))];
    expect(Buffer.from(qr.value, 'base64url')).toHaveLength(16);
    expect(qr.value).not.toBe(url.value);
    expect([qr.url, url.url]).toEqual([null, expect.stringMatching(/^\/guest-access\/[\w-]{22}$/)]);
    expect(issueOf(await put({ type: 'qr', value: 'mine' }))).toMatchObject({ path: ['value'], rule: 'value_generated' });
    expect(issueOf(await admin.client.patch(`/identifiers/${qr.id}`, { value: 'mine' }))).toMatchObject({ rule: 'value_generated' });
    expect(issueOf(await put({ type: 'ukey2' }))).toMatchObject({ path: ['type'], rule: 'ukey2_issued' });
  });

  it('is found in either notation, by its name and by its owner', async () => {
    await make({ name: 'Front door card', type: 'card', value: '00AACBDE', owner: admin.id });
    await make({ name: 'Other', type: 'access_code', value: '4711' });
    const found = (value: string) => listed([{ field: 'words', rule: 'contains', value }]);
    for (const words of ['aacbd', '11193310', '0011193310', 'front', 'anna']) expect(await found(words), words).toEqual(['Front door card']);
    expect(await found('4711')).toEqual(['Other']);
    expect(await found('10%')).toEqual([]);
  });

  it('is not found by what whoever asks may not read: an owner out of sight, the value of a mobile key', async () => {
    await make({ name: 'Front door card', type: 'card', value: '00AACBDE', owner: admin.id });
    await server.services.db
      .insert(identifiers)
      .values({ projectId: estate.here, name: 'Telephone', type: 'ukey2', value: 'secretvalue', userId: admin.id });
    const clerk = await makePerson(server, estate, { permissions: ['can_view_all_identifiers'], in: [estate.groups.n1] });
    const found = (value: string) => listed([{ field: 'words', rule: 'contains', value }], clerk);
    expect([await found('front'), await found('telephone')]).toEqual([['Front door card'], ['Telephone']]);
    expect([await found('anna'), await found('secretvalue')]).toEqual([[], []]);
  });

  it('stands in the audit trail with its end only', async () => {
    const id = await make({ type: 'card', value: '1234ABCD' });
    await admin.client.patch(`/identifiers/${id}`, { value: '9876FEDC' });
    const code = await make({ type: 'access_code', value: '4711' });
    const trail = JSON.stringify(await server.services.db.select({ changes: auditEvents.changes }).from(auditEvents));
    expect(trail).toContain('…FEDC');
    expect(trail).not.toMatch(/9876FEDC|1234ABCD|4711/);
    expect((await read(code)).value).toBe('4711');
  });
});

describe('an identifier', () => {
  it('that is limited names its period and its passes', async () => {
    const limited = { type: 'access_code', value: '2468', period_restrict_active: true };
    expect(issueOf(await put(limited))).toMatchObject({ path: ['period_restrict_from'], rule: 'required' });
    const period = { period_restrict_from: '2026-03-02T10:00:00Z', period_restrict_to: '2026-03-02T10:00:00Z' };
    expect(issueOf(await put({ ...limited, ...period }))).toMatchObject({ path: ['period_restrict_to'], rule: 'moment_order' });
    const passes = { type: 'access_code', value: '2468', passes_restrict_active: true };
    expect(issueOf(await put(passes))).toMatchObject({ path: ['passes_max_count'], rule: 'required' });
    expect(issueOf(await put({ ...passes, passes_max_count: 0 }))).toMatchObject({ path: ['passes_max_count'], rule: 'between' });
    const id = await make({ ...limited, ...period, period_restrict_to: '2026-03-02T11:00:00+00:00' }).catch(() => null);
    expect(id).toBeNull();
  });

  it('says what stands in its way, and is found by it', async () => {
    const now = Date.now();
    const at = (days: number): string => new Date(now + days * 86_400_000).toISOString();
    const period = (from: number, to: number) => ({ period_restrict_active: true, period_restrict_from: at(from), period_restrict_to: at(to) });
    await make({ name: 'Good', type: 'qr', ...period(-1, 1) });
    await make({ name: 'Over', type: 'qr', ...period(-2, -1) });
    await make({ name: 'Early', type: 'qr', ...period(1, 2) });
    await make({ name: 'Off', type: 'qr', is_active: false });
    await make({ name: 'Faceless', type: 'face' });
    const used = await make({ name: 'Used', type: 'qr', passes_restrict_active: true, passes_max_count: 1 });
    await server.services.db.update(identifiers).set({ passesCount: 1 }).where(eq(identifiers.id, used));
    const states = { active: 'Good', expired: 'Over', not_yet_valid: 'Early', inactive: 'Off', needs_photo: 'Faceless', passes_used: 'Used' };
    for (const [state, name] of Object.entries(states))
      expect(await listed([{ field: 'state', rule: 'equals', value: [state] }]), state).toEqual([name]);
  });

  it('is revoked and restored, lost and found, each on record', async () => {
    const id = await make({ type: 'card', value: '77' });
    const step = (verb: string, who = admin) => who.client.post(`/identifiers/${id}/${verb}`);
    expect((await step('revoke')).statusCode).toBe(200);
    expect(await read(id)).toMatchObject({ state: 'revoked', revoked_at: '2026-03-02T09:00:00.000Z' });
    await step('revoke');
    await step('lost');
    await step('restore');
    expect(await read(id)).toMatchObject({ state: 'lost', revoked_at: null });
    await step('found');
    expect(await read(id)).toMatchObject({ state: 'active', lost_at: null });
    const trail = await server.services.db.select().from(auditEvents).where(eq(auditEvents.entityId, id));
    expect(trail.map(({ action, changes }) => [action, Object.keys(changes)[0]]).slice(1)).toEqual([
      ['update', 'revoked_at'],
      ['update', 'lost_at'],
      ['update', 'revoked_at'],
      ['update', 'lost_at'],
    ]);
  });

  it('of the type ukey2 is revoked for good and never deleted', async () => {
    const [row] = await server.services.db
      .insert(identifiers)
      .values({ projectId: estate.here, name: 'Telephone', type: 'ukey2', value: 'key', userId: admin.id })
      .returning();
    const refused = await admin.client.delete(`/identifiers/${row?.id}`);
    expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'ukey2_not_deletable']);
    await admin.client.post(`/identifiers/${row?.id}/revoke`);
    expect(codeOf(await admin.client.post(`/identifiers/${row?.id}/restore`))).toBe('editing_prohibited');
  });

  it('is licensed by its type and by whom it is for', async () => {
    const resident = await makePerson(server, estate, { in: [estate.groups.n1] });
    const own = { ...allLicensed, license_plate: { is_enabled: false }, identifier: { is_guest_enabled: false } };
    await server.services.db.update(users).set({ licenseInfo: own }).where(eq(users.id, resident.id));
    const plate = await put({ type: 'license_plate', value: 'AB123', owner: resident.id });
    expect([plate.statusCode, codeOf(plate)]).toEqual([403, 'licence_restricted']);
    expect(codeOf(await put({ type: 'qr', owner: resident.id, owner_type: 'guest', guest_type: 'guest' }))).toBe('licence_restricted');
    await make({ type: 'license_plate', value: 'AB123', owner: admin.id });
  });

  it('for a guest stays within the strictest limits of the owner’s groups or the nearest above', async () => {
    const { db } = server.services;
    const resident = await makePerson(server, estate, { in: [estate.groups.n1] });
    await db
      .update(groups)
      .set({ guestLimits: { max_passes_count: 5, max_period_days: 2 } })
      .where(eq(groups.id, estate.groups.town));
    await db
      .update(groups)
      .set({ guestLimits: { max_passes_count: 3, max_period_days: null } })
      .where(eq(groups.id, estate.groups.n1));
    const guest = { type: 'qr', owner: resident.id, owner_type: 'guest', guest_type: 'guest' };
    const passes = { passes_restrict_active: true, passes_max_count: 3 };
    const period = { period_restrict_active: true, period_restrict_from: '2026-03-02T10:00:00Z', period_restrict_to: '2026-03-04T10:00:00Z' };
    expect(codeOf(await put({ ...guest, ...period }))).toBe('guest_passes_limit');
    const over = await put({ ...guest, ...period, ...passes, passes_max_count: 4 });
    expect([codeOf(over), issueOf(over), (over.json() as { message: string }).message]).toMatchObject([
      'guest_passes_limit',
      { path: ['passes_max_count'], params: { max_count: 3 } },
      'max passes count limit reached (3)',
    ]);
    expect(codeOf(await put({ ...guest, ...passes }))).toBe('guest_days_limit');
    expect(codeOf(await put({ ...guest, ...passes, ...period, period_restrict_to: '2026-03-04T10:00:01Z' }))).toBe('guest_days_limit');
    const id = await make({ ...guest, ...passes, ...period });
    expect(codeOf(await admin.client.patch(`/identifiers/${id}`, { passes_max_count: 4 }))).toBe('guest_passes_limit');
    expect((await admin.client.patch(`/identifiers/${id}`, { name: 'Renamed' })).statusCode).toBe(200);
    expect((await read(id)).url).toMatch(/^\/guest-access\/[\w-]{22}$/);
  });
});

describe('a person', () => {
  it('sees own identifiers, reports them lost, and does nothing else to them', async () => {
    const resident = await makePerson(server, estate, { permissions: ['can_view_own_identifiers'], in: [estate.groups.n1] });
    const own = await make({ name: 'Mine', type: 'card', value: '1', owner: resident.id });
    const other = await make({ name: 'Hers', type: 'card', value: '2', owner: admin.id });
    expect(await listed([], resident)).toEqual(['Mine']);
    expect((await resident.client.get(`/identifiers/${other}`)).statusCode).toBe(404);
    expect((await resident.client.post(`/identifiers/${own}/revoke`)).statusCode).toBe(403);
    expect((await resident.client.patch(`/identifiers/${own}`, { name: 'Changed' })).statusCode).toBe(403);
    expect((await resident.client.post(`/identifiers/${own}/lost`)).statusCode).toBe(200);
    expect((await resident.client.post(`/identifiers/${own}/found`)).statusCode).toBe(403);
    const neighbour = await makePerson(server, estate, { permissions: ['can_view_domain_identifiers'], in: [estate.groups.n1] });
    expect((await neighbour.client.post(`/identifiers/${own}/lost`)).statusCode).toBe(403);
  });

  it('is given identifiers that nobody has, and those let go stay in the group', async () => {
    const resident = await makePerson(server, estate, { in: [estate.groups.n1] });
    const [free, hers] = [
      await make({ name: 'Free', type: 'card', value: '1' }),
      await make({ name: 'Hers', type: 'card', value: '2', owner: admin.id }),
    ];
    const give = (ids: string[], who = admin) => who.client.patch(`/users/${resident.id}`, { identifiers: ids });
    const taken = await give([free, hers]);
    expect([taken.statusCode, issueOf(taken)]).toMatchObject([422, { path: ['identifiers'], rule: 'identifier_taken' }]);
    expect((await give([free])).statusCode).toBe(200);
    expect(dataOf<{ identifiers: unknown }>(await admin.client.get(`/users/${resident.id}`)).identifiers).toEqual([{ id: free, name: 'Free' }]);
    expect((await read(free)).owner).toMatchObject({ id: resident.id });
    expect((await give([])).statusCode).toBe(200);
    expect(await read(free)).toMatchObject({ owner: null, domain: { id: estate.groups.n1 } });
    const editor = await makePerson(server, estate, {
      permissions: permissionCodes.filter((code) => code !== 'can_edit_identifiers'),
      in: [estate.groups.town],
    });
    expect(issueOf(await give([free], editor))).toMatchObject({ path: ['identifiers'], rule: 'not_allowed' });
  });

  it('exports identifiers with the right to', async () => {
    await make({ name: 'Card (1)', type: 'card', value: '00AACBDF', owner: admin.id });
    const viewer = await makePerson(server, estate, { permissions: ['can_view_all_identifiers'], in: [estate.groups.town] });
    expect((await viewer.client.post('/identifiers/export', { export_format: 'csv' })).statusCode).toBe(403);
    const started = dataOf<Job>(await admin.client.post('/identifiers/export', { export_format: 'csv', columns: ['name', 'value', 'owner'] }));
    const job = await jobIsOver(admin.client, started);
    const file = await admin.client.get(`/jobs/${job.id}/file`);
    expect(file.body).toContain('Card (1),00AACBDF,Anna');
  });
});

describe('the photo of a face', () => {
  const send = async (id: string, bytes: Buffer) => {
    const { body, headers } = form({}, bytes);
    return admin.client.post(`/identifiers/${id}/photo`, body, headers);
  };
  /** Noise is sharp; drawn small and made large it is not. */
  const noise = (width: number, height: number): Buffer =>
    Buffer.from(Uint8Array.from({ length: width * height * 4 }, (_, at) => (at % 4 === 3 ? 255 : ((at * 2_654_435_761) >>> 13) & 255)));
  const sharp = (width: number, height: number) => Transformer.fromRgbaPixels(noise(width, height), width, height).png();
  const blurred = async (side: number) => {
    const grey = Buffer.alloc(side * side * 4, 128);
    return Transformer.fromRgbaPixels(grey, side, side).png();
  };

  it('is looked at, drawn anew, and shown by a signed link', async () => {
    const id = await make({ type: 'face' });
    const answer = await send(id, await sharp(300, 400));
    expect(answer.statusCode, answer.body).toBe(200);
    const row = await read(id);
    expect(row).toMatchObject({ state: 'active', photo: expect.stringContaining('signature=') as string });
    const shown = await server.app.inject(row.photo ?? '');
    expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/webp']);
  });

  it('that is too small, too narrow or blurred is refused with what is wrong', async () => {
    const id = await make({ type: 'face' });
    const answers = [await send(id, await sharp(120, 400)), await send(id, await sharp(300, 700)), await send(id, await blurred(400))];
    expect(answers.map((answer) => [answer.statusCode, codeOf(answer)])).toEqual(answers.map(() => [422, 'face_not_recognised']));
    expect(answers.map((answer) => (issueOf(answer) as { rule: string }).rule)).toEqual(['photo_too_small', 'photo_shape', 'photo_blurred']);
  });

  it('that is no picture, or more than one, is refused', async () => {
    const id = await make({ type: 'face' });
    const good = await sharp(300, 300);
    const jpeg = await new Transformer(good).jpeg();
    for (const [name, bytes] of [...hostileFiles(good, jpeg), ['a bomb', pngOf(30_000, 30_000)] as [string, Buffer]])
      expect([name, [413, 422].includes((await send(id, bytes)).statusCode)]).toEqual([name, true]);
    expect((await read(id)).photo).toBeNull();
    const card = await make({ type: 'card', value: '5' });
    expect(codeOf(await send(card, good))).toBe('editing_prohibited');
  });
});
