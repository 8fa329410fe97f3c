import { Transformer } from '@napi-rs/image';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Amenity } from '#models/amenities.ts';
import type { AmenityState } from '#models/amenity-calls.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { accessRuleDevices, accessRules, amenityReservations, devices } from '#server/db/schema/index.ts';
import { buildEstate, codeOf, dataOf, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { form } from './hostile-files.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let resident: Person;
let rule: string;
let doorless: string;
let made = 0;

const db = () => server.services.db;
const everyDay = { mon: true, tue: true, wed: true, thu: true, fri: true, sat: true, sun: true };
const hour = 3_600;

function slots(duration: number, ...lines: Record<string, unknown>[]) {
  return { timeSlots: { duration, items: lines.map((line) => ({ days: everyDay, from: 10 * hour, to: 13 * hour, ...line })) } };
}
const none = { mon: false, tue: false, wed: false, thu: false, fri: false, sat: false, sun: false };

async function ruleWith(...doors: string[]): Promise<string> {
  const [row] = await db()
    .insert(accessRules)
    .values({ projectId: estate.here, name: `Rule ${(made += 1)}`, isShareable: true })
    .returning();
  const id = row?.id ?? '';
  if (doors.length > 0)
    await db()
      .insert(accessRuleDevices)
      .values(doors.map((deviceId) => ({ ruleId: id, deviceId })));
  return id;
}

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town] });
  resident = await makePerson(server, estate, { permissions: ['can_view_own_amenities', 'can_view_domain_amenities'], in: [estate.groups.n1] });
  const [door] = await db()
    .insert(devices)
    .values(deviceRow({ projectId: estate.here, domainId: estate.groups.town }))
    .returning();
  rule = await ruleWith(door?.id ?? '');
  doorless = await ruleWith();
});
afterAll(() => server.close());

const bodyOf = (over: Record<string, unknown> = {}) => ({
  name: `Sauna ${(made += 1)}`,
  domains: [estate.groups.north],
  accessRules: [rule],
  numberOfPersons: { min: 1, max: 8 },
  timeSlots: { duration: hour, items: [{ days: everyDay, from: 10 * hour, to: 13 * hour }] },
  ...over,
});
async function makeAmenity(over: Record<string, unknown> = {}): Promise<string> {
  const answer = await boss.client.put('/amenities', bodyOf(over));
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<string>(answer);
}
const read = async (id: string): Promise<Amenity> => dataOf<Amenity>(await boss.client.get(`/amenities/${id}`));
const reserve = async (amenityId: string, from: string, to: string, canceledAt: Date | null = null): Promise<void> => {
  const [startsAt, endsAt] = [new Date(from), new Date(to)];
  await db()
    .insert(amenityReservations)
    .values({
      projectId: estate.here,
      amenityId,
      userId: resident.id,
      persons: 2,
      date: from.slice(0, 10),
      fromSeconds: 0,
      toSeconds: hour,
      startsAt,
      endsAt,
      canceledAt,
    });
};

describe('an amenity', () => {
  it.each([
    ['no group (VALID-48)', { domains: [] }, 'domains', 'amenity_needs_group'],
    ['no access rule (VALID-49)', { accessRules: [] }, 'accessRules', 'amenity_needs_rule'],
    ['no slot (VALID-50)', { timeSlots: { duration: hour, items: [] } }, 'timeSlots', 'amenity_needs_slot'],
    ['a slot that ends before it begins (VALID-51)', slots(hour, { from: 5 * hour, to: 4 * hour }), 'timeSlots', 'slot_order'],
    ['hours that are no multiple of the duration (VALID-52)', slots(2 * hour, { from: 0, to: 3 * hour }), 'timeSlots', 'slot_duration'],
    ['a slot without a day (VALID-53)', slots(hour, { days: { ...everyDay, ...none } }), 'timeSlots', 'slot_needs_day'],
    ['hours that overlap (VALID-54)', slots(hour, {}, { from: 12 * hour, to: 14 * hour }), 'timeSlots', 'slot_overlap'],
    ['too many people (VALID-55)', { numberOfPersons: { min: 1, max: 501 } }, 'numberOfPersons', 'persons'],
    ['fewer at most than at least', { numberOfPersons: { min: 9, max: 8 } }, 'numberOfPersons', 'persons'],
  ])('with %s is refused', async (_, over, field, issue) => {
    const answer = await boss.client.put('/amenities', bodyOf(over));
    expect(answer.statusCode, answer.body).toBe(422);
    const { issues } = (answer.json() as { data: { issues: { path: string[]; rule: string }[] } }).data;
    expect(issues.map(({ path, rule: found }) => [path[0], found])).toContainEqual([field, issue]);
  });

  it('with a rule that opens no door is refused (ERR-100)', async () => {
    expect(codeOf(await boss.client.put('/amenities', bodyOf({ accessRules: [doorless] })))).toBe('rule_with_unsupported_devices');
  });

  it('is seen by those who live below its group, and changed by none of them', async () => {
    const id = await makeAmenity({ domains: [estate.groups.town] });
    expect((await resident.client.get(`/amenities/${id}`)).statusCode).toBe(200);
    expect((await resident.client.patch(`/amenities/${id}`, { description: 'mine' })).statusCode).toBe(403);
    const elsewhere = await makeAmenity({ domains: [estate.groups.s1] });
    expect((await resident.client.get(`/amenities/${elsewhere}`)).statusCode).toBe(404);
  });

  it('of the whole town is not changed by who looks after a part of it', async () => {
    const keeper = await makePerson(server, estate, {
      permissions: ['can_view_domain_amenities', 'can_edit_domain_amenities', 'can_create_domain_amenities'],
      in: [estate.groups.north],
    });
    const town = await makeAmenity({ domains: [estate.groups.town] });
    const own = await makeAmenity({ domains: [estate.groups.north] });
    expect((await keeper.client.patch(`/amenities/${town}`, { description: 'x' })).statusCode).toBe(403);
    expect((await keeper.client.patch(`/amenities/${own}`, { description: 'x' })).statusCode).toBe(200);
  });

  it('is not deleted while it is reserved (AMEN-06, ERR-089), and is afterwards', async () => {
    const id = await makeAmenity();
    const now = server.services.now().getTime();
    await reserve(id, new Date(now - hour * 1000).toISOString(), new Date(now + hour * 1000).toISOString());
    expect(codeOf(await boss.client.delete(`/amenities/${id}`))).toBe('active_reservations');
    await db().update(amenityReservations).set({ canceledAt: server.services.now() });
    expect((await boss.client.delete(`/amenities/${id}`)).statusCode).toBe(200);
  });

  it('holds its group and its access rule', async () => {
    await makeAmenity();
    expect(codeOf(await boss.client.delete(`/access-rules/${rule}`))).toBe('in_use');
  });
});

describe('the state of a date', () => {
  const stateOf = async (id: string, date: string): Promise<AmenityState> => {
    const answer = await resident.client.get(`/amenities/${id}/state?date=${date}`);
    expect(answer.statusCode, answer.body).toBe(200);
    return dataOf<AmenityState>(answer);
  };

  it('names the free places of each slot; taken ones have none, cancelled ones do not count', async () => {
    const id = await makeAmenity();
    await reserve(id, '2031-05-05T11:00:00Z', '2031-05-05T12:00:00Z');
    await reserve(id, '2031-05-05T12:00:00Z', '2031-05-05T13:00:00Z', new Date());
    const { slots: found } = await stateOf(id, '2031-05-05');
    expect(found.map(({ from, places, is_taken }) => [from / hour, places, is_taken])).toEqual([
      [10, 8, false],
      [11, 0, true],
      [12, 8, false],
    ]);
  });

  it('is by the clock of the group, and knows the day on which the clocks are moved', async () => {
    expect((await boss.client.patch(`/groups/${estate.groups.north}`, { time_zone_name: 'Europe/Berlin' })).statusCode).toBe(200);
    const id = await makeAmenity(slots(hour, { from: 0, to: 4 * hour }));
    const { slots: found, time_zone_name } = await stateOf(id, '2031-03-30');
    expect(time_zone_name).toBe('Europe/Berlin');
    // Two o'clock is skipped there.
    expect(found.map(({ from, starts_at }) => [from / hour, starts_at.slice(11, 16)])).toEqual([
      [0, '23:00'],
      [1, '00:00'],
      [3, '01:00'],
    ]);
  });

  it('has no place in the past, and is not there once the amenity is switched off (ERR-097)', async () => {
    const id = await makeAmenity();
    expect((await stateOf(id, '2020-01-01')).slots.map(({ places }) => places)).toEqual([0, 0, 0]);
    await boss.client.patch(`/amenities/${id}`, { is_active: false });
    expect(codeOf(await resident.client.get(`/amenities/${id}/state?date=2031-05-05`))).toBe('state_not_found');
    expect(codeOf(await resident.client.get(`/amenities/${estate.here}/state?date=2031-05-05`))).toBe('amenity_not_found');
  });
});

describe('the files of an amenity', () => {
  const upload = (id: string, path: string, name: string, bytes: Buffer, who = boss) => {
    const { body, headers } = form({}, bytes, 'file', 'application/octet-stream', name);
    return who.client.send('POST', `/amenities/${id}/${path}`, body, headers);
  };

  it('are uploaded, replaced and deleted', async () => {
    const id = await makeAmenity();
    const png = await Transformer.fromRgbaPixels(Buffer.alloc(32 * 32 * 4, 80), 32, 32).png();
    const image = await upload(id, 'image', 'image', png);
    expect(image.statusCode, image.body).toBe(200);
    const terms = await upload(id, 'terms-of-use', 'terms', Buffer.from('%PDF-1.4\nrules of the sauna\n%%EOF'));
    expect(terms.statusCode, terms.body).toBe(200);
    const row = await read(id);
    expect([row.image, row.terms_of_use].map((url) => url?.startsWith('/api/v0/files/'))).toEqual([true, true]);
    expect((await boss.client.send('DELETE', `/amenities/${id}/image`)).statusCode).toBe(200);
    expect((await boss.client.send('DELETE', `/amenities/${id}/terms-of-use`)).statusCode).toBe(200);
    expect(await read(id)).toMatchObject({ image: null, terms_of_use: null });
    expect(codeOf(await boss.client.send('DELETE', `/amenities/${id}/image`))).toBe('file_not_found');
  });

  it('are refused where they are not what they should be, and from who may only look', async () => {
    const id = await makeAmenity();
    expect(codeOf(await upload(id, 'terms-of-use', 'terms', Buffer.from('<script>alert(1)</script>')))).toBe('invalid_file');
    expect((await upload(id, 'terms-of-use', 'terms', Buffer.from('%PDF-1.4\n%%EOF'), resident)).statusCode).toBe(403);
    expect((await resident.client.send('DELETE', `/amenities/${id}/terms-of-use`)).statusCode).toBe(403);
  });
});
