import { randomUUID } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReservationCalendar, ReservationLogEntry } from '#models/amenity-reservation-calls.ts';
import type { AmenityReservation, ReservationStatus } from '#models/amenity-reservations.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { decide, judge } from '#server/access/decide.ts';
import { sentCopy, terseCopy } from '#server/access/copy-wire.ts';
import { copyFor, worldOfCopy } from '#server/access/device-copy.ts';
import { worldForDevices, worldForQuestion } from '#server/access/load.ts';
import {
  accessRuleDevices,
  accessRules,
  amenities,
  amenityGroups,
  amenityReservations,
  amenityRules,
  auditEvents,
  devices,
  deviceTasks,
  groups,
  identifiers,
  users,
} from '#server/db/schema/index.ts';
import { roleOf } from './calls-support.ts';
import { buildEstate, codeOf, dataOf, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let keeper: Person;
let resident: Person;
let neighbour: Person;
let stranger: Person;
let door: string;
let rule: string;
let made = 0;

const db = () => server.services.db;
const hour = 3_600;
const minute = 60_000;
const everyDay = { mon: true, tue: true, wed: true, thu: true, fri: true, sat: true, sun: true };

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town], name: 'Boss' });
  keeper = await makePerson(server, estate, {
    permissions: [
      'can_view_descendants_amenities',
      'can_view_descendants_amenity_reservations',
      'can_create_descendants_amenity_reservations',
      'can_edit_descendants_amenity_reservations',
      'can_cancel_descendants_amenity_reservations',
      'can_view_descendants_amenity_reservation_log',
      'can_view_users',
    ],
    in: [estate.groups.north],
    name: 'Keeper',
  });
  resident = await makePerson(server, estate, { permissions: roleOf('resident'), in: [estate.groups.n1], name: 'Boris' });
  neighbour = await makePerson(server, estate, { permissions: roleOf('resident'), in: [estate.groups.n2], name: 'Anna' });
  stranger = await makePerson(server, estate, { permissions: roleOf('resident'), in: [estate.groups.s1], name: 'Clara' });
  const [device] = await db()
    .insert(devices)
    .values(deviceRow({ projectId: estate.here, domainId: estate.groups.north }))
    .returning();
  door = device?.id ?? '';
  const [given] = await db().insert(accessRules).values({ projectId: estate.here, name: 'Sauna by reservation' }).returning();
  rule = given?.id ?? '';
  await db().insert(accessRuleDevices).values({ ruleId: rule, deviceId: door });
});
afterAll(() => server.close());

/** An amenity of the north that is open all day, in slots of an hour. */
async function makeAmenity(over: Partial<typeof amenities.$inferInsert> = {}, groupId = estate.groups.north): Promise<string> {
  const timeSlots = { duration: hour, items: [{ days: everyDay, from: 0, to: 24 * hour }] };
  const [row] = await db()
    .insert(amenities)
    .values({ projectId: estate.here, name: `Sauna ${(made += 1)}`, personsMin: 1, personsMax: 8, timeSlots, ...over })
    .returning();
  const id = row?.id ?? '';
  await db().insert(amenityGroups).values({ amenityId: id, groupId });
  await db().insert(amenityRules).values({ amenityId: id, ruleId: rule });
  return id;
}
const bodyOf = (amenity: string, over: Record<string, unknown> = {}) => ({
  amenity,
  date: '2031-05-05',
  timeSlots: { from: 10 * hour, to: 11 * hour },
  numberOfPersons: 2,
  user_offset: 180,
  ...over,
});
const book = (amenity: string, over: Record<string, unknown> = {}, who = resident) => who.client.put('/amenity-reservations', bodyOf(amenity, over));
async function booked(amenity: string, over: Record<string, unknown> = {}, who = resident): Promise<string> {
  const answer = await book(amenity, over, who);
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<string>(answer);
}
const read = async (id: string, who = boss): Promise<AmenityReservation> =>
  dataOf<AmenityReservation>(await who.client.get(`/amenity-reservations/${id}`));
const cancel = (id: string, who = resident) => who.client.post(`/amenity-reservations/${id}/cancel`);
/** Moves the time of a reservation, so that it lies around now. */
const moveTo = (id: string, from: number, to: number) =>
  db()
    .update(amenityReservations)
    .set({ startsAt: new Date(Date.now() + from), endsAt: new Date(Date.now() + to) })
    .where(eq(amenityReservations.id, id));

describe('a reservation', () => {
  it('of an amenity that is not there, or not to be seen, finds none (ERR-091)', async () => {
    const southern = await makeAmenity({}, estate.groups.s1);
    for (const unknown of [randomUUID(), southern]) {
      const answer = await book(unknown);
      expect([answer.statusCode, codeOf(answer)]).toEqual([404, 'amenity_not_found']);
    }
    const id = await booked(await makeAmenity());
    expect(codeOf(await resident.client.patch(`/amenity-reservations/${id}`, { amenity: randomUUID() }))).toBe('amenity_not_found');
  });

  it('is called by its day as its reader writes dates', async () => {
    const name = `Reading room ${(made += 1)}`;
    const id = await booked(await makeAmenity({ name }));
    await db().update(users).set({ timeFormat: 'YYYY-MM-DD' }).where(eq(users.id, resident.id));
    expect((await read(id, resident)).name).toBe(`${name}, 2031-05-05 10:00`);
    expect((await read(id)).name).toBe(`${name}, 05-05-2031 10:00`);
    await db().update(users).set({ timeFormat: 'DD-MM-YYYY' }).where(eq(users.id, resident.id));
  });

  it("is one's own where nobody is named, with its times, its offset and who made it", async () => {
    const name = `Library ${(made += 1)}`;
    const amenity = await makeAmenity({ name });
    const row = await read(await booked(amenity));
    expect(row).toMatchObject({
      amenity: { id: amenity, name },
      user: { id: resident.id, name: 'Boris' },
      createdByUser: { id: resident.id, name: 'Boris' },
      name: `${name}, 05-05-2031 10:00`,
      date: '2031-05-05',
      timeSlots: { from: 10 * hour, to: 11 * hour },
      numberOfPersons: 2,
      user_offset: 180,
      status: 'active',
      starts_at: '2031-05-05T10:00:00.000Z',
      ends_at: '2031-05-05T11:00:00.000Z',
      canceled_at: null,
    });
  });

  it('of several slots that follow one another is one', async () => {
    const id = await booked(await makeAmenity(), { timeSlots: { from: 10 * hour, to: 13 * hour } });
    expect(await read(id)).toMatchObject({ starts_at: '2031-05-05T10:00:00.000Z', ends_at: '2031-05-05T13:00:00.000Z' });
  });

  const gap = { duration: hour, items: [10, 12].map((from) => ({ days: everyDay, from: from * hour, to: (from + 1) * hour })) };
  it.each([
    ['more people than it takes (ERR-092)', {}, { numberOfPersons: 9 }, 'persons_limit'],
    ['fewer people than it takes (ERR-092)', { personsMin: 2 }, { numberOfPersons: 1 }, 'persons_limit'],
    ['a time that is no slot (ERR-093)', {}, { timeSlots: { from: 10 * hour + 600, to: 11 * hour } }, 'slot_mismatch'],
    ['a time that ends before it begins (ERR-093)', {}, { timeSlots: { from: 11 * hour, to: 10 * hour } }, 'slot_mismatch'],
    ['slots with a gap between them (ERR-094)', { timeSlots: gap }, { timeSlots: { from: 10 * hour, to: 13 * hour } }, 'slots_inconsistent'],
    ['a day that is over (ERR-095)', {}, { date: '2020-05-05' }, 'not_in_future'],
    ['an amenity that is switched off (ERR-090)', { isActive: false }, {}, 'amenity_not_allowed'],
  ] as const)('for %s is refused', async (_, amenity, over, code) => {
    expect(codeOf(await book(await makeAmenity(amenity as object), over))).toBe(code);
  });

  it('without a time is refused (VALID-56)', async () => {
    const { timeSlots: _none, ...body } = bodyOf(await makeAmenity());
    const answer = await resident.client.put('/amenity-reservations', body);
    expect(answer.statusCode).toBe(422);
    const { issues } = (answer.json() as { data: { issues: { path: string[]; rule: string }[] } }).data;
    expect(issues).toMatchObject([{ path: ['timeSlots'], rule: 'reservation_needs_slot' }]);
  });

  it('lasts as long as the clocks there say, on the day they are moved too', async () => {
    await db().update(groups).set({ timeZoneName: 'Europe/Berlin' }).where(eq(groups.id, estate.groups.n1));
    const amenity = await makeAmenity({}, estate.groups.n1);
    const over = (date: string, from: number, to: number) => ({ date, timeSlots: { from: from * hour, to: to * hour } });
    const spring = await read(await booked(amenity, over('2031-03-30', 1, 4)));
    expect([spring.starts_at, spring.ends_at]).toEqual(['2031-03-30T00:00:00.000Z', '2031-03-30T02:00:00.000Z']);
    const autumn = await read(await booked(amenity, over('2031-10-26', 1, 4)));
    expect([autumn.starts_at, autumn.ends_at]).toEqual(['2031-10-25T23:00:00.000Z', '2031-10-26T03:00:00.000Z']);
    expect(autumn.time_zone_name).toBe('Europe/Berlin');
    // Two o'clock is skipped in spring.
    expect(codeOf(await book(amenity, over('2031-03-30', 2, 3)))).toBe('slot_mismatch');
  });
});

describe('no two have an amenity at once', () => {
  it('of 200 who reserve a slot in the same moment one has it, and 199 are told so (ERR-096)', async () => {
    const amenity = await makeAmenity();
    const answers = await Promise.all(Array.from({ length: 200 }, (_, at) => book(amenity, {}, [resident, neighbour, keeper][at % 3])));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const refused = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(new Set(refused.map((answer) => [answer.statusCode, codeOf(answer)].join(' ')))).toEqual(new Set(['409 no_free_places']));
    const standing = and(eq(amenityReservations.amenityId, amenity), isNull(amenityReservations.canceledAt));
    expect(await db().$count(amenityReservations, standing)).toBe(1);
  });

  it('overlaps are refused, made or moved; what was cancelled is free again', async () => {
    const amenity = await makeAmenity();
    const first = await booked(amenity, { timeSlots: { from: 10 * hour, to: 12 * hour } });
    expect(codeOf(await book(amenity, { timeSlots: { from: 11 * hour, to: 13 * hour } }, neighbour))).toBe('no_free_places');
    const second = await booked(amenity, { timeSlots: { from: 12 * hour, to: 13 * hour } }, neighbour);
    const moved = await neighbour.client.patch(`/amenity-reservations/${second}`, { timeSlots: { from: 11 * hour, to: 12 * hour } });
    expect(codeOf(moved)).toBe('no_free_places');
    // Its own time does not stand in its way.
    const longer = { timeSlots: { from: 9 * hour, to: 12 * hour } };
    expect((await resident.client.patch(`/amenity-reservations/${first}`, longer)).statusCode).toBe(200);
    expect((await cancel(first)).statusCode).toBe(200);
    await booked(amenity, { timeSlots: { from: 10 * hour, to: 12 * hour } }, neighbour);
  });
});

describe('the life of a reservation', () => {
  const statusAfter = async (from: number, to: number): Promise<[string, ReservationStatus]> => {
    const id = await booked(await makeAmenity());
    await moveTo(id, from, to);
    return [id, (await read(id)).status];
  };

  it('is to come (active), in use (reserved) and over by its times alone', async () => {
    expect((await statusAfter(minute, 2 * minute))[1]).toBe('active');
    expect((await statusAfter(-minute, minute))[1]).toBe('reserved');
    expect((await statusAfter(-2 * minute, -minute))[1]).toBe('expired');
  });

  it('what has begun is neither changed nor cancelled nor deleted (ERR-085, ERR-086)', async () => {
    for (const [from, to] of [
      [-minute, minute],
      [-2 * minute, -minute],
    ] as const) {
      const [id] = await statusAfter(from, to);
      expect(codeOf(await resident.client.patch(`/amenity-reservations/${id}`, { numberOfPersons: 3 }))).toBe('reservation_not_editable');
      expect(codeOf(await cancel(id))).toBe('reservation_not_cancelable');
      expect(codeOf(await boss.client.delete(`/amenity-reservations/${id}`))).toBe('reservation_not_cancelable');
    }
  });

  it('is inactive while its amenity is switched off, and can be cancelled then', async () => {
    const amenity = await makeAmenity();
    const id = await booked(amenity);
    await db().update(amenities).set({ isActive: false }).where(eq(amenities.id, amenity));
    expect((await read(id)).status).toBe('inactive');
    expect(codeOf(await resident.client.patch(`/amenity-reservations/${id}`, { numberOfPersons: 3 }))).toBe('reservation_not_editable');
    expect(dataOf<AmenityReservation>(await cancel(id)).status).toBe('canceled');
    expect(codeOf(await cancel(id))).toBe('reservation_not_cancelable');
  });

  it('is not given back once its time has begun, though its amenity is switched off', async () => {
    const amenity = await makeAmenity();
    const id = await booked(amenity);
    await moveTo(id, server.services.now().getTime() - Date.now() - minute, minute);
    await db().update(amenities).set({ isActive: false }).where(eq(amenities.id, amenity));
    expect((await read(id)).status).toBe('inactive');
    expect(codeOf(await cancel(id))).toBe('reservation_not_cancelable');
    expect(codeOf(await boss.client.delete(`/amenity-reservations/${id}`))).toBe('reservation_not_cancelable');
  });

  it('is written down, step by step, with who took it', async () => {
    const amenity = await makeAmenity();
    const id = await booked(amenity);
    await keeper.client.patch(`/amenity-reservations/${id}`, { numberOfPersons: 5, user: neighbour.id });
    await cancel(id, keeper);
    const logs = dataOf<ReservationLogEntry[]>(await keeper.client.get(`/amenity-reservations/${id}/logs`));
    expect(logs.map(({ action, user }) => [action, user?.name])).toEqual([
      ['canceled', 'Keeper'],
      ['edited', 'Keeper'],
      ['created', 'Boris'],
    ]);
    expect(logs[1]?.changes).toEqual({ numberOfPersons: { before: 2, after: 5 }, user: { before: 'Boris', after: 'Anna' } });
    const trail = await db().select({ action: auditEvents.action }).from(auditEvents).where(eq(auditEvents.entityId, id));
    expect(trail.map(({ action }) => action).toSorted()).toEqual(['create', 'update', 'update']);
  });
});

describe('who may what', () => {
  it("a resident reserves for oneself, at amenities of one's house alone, and sees and cancels nobody else's", async () => {
    const amenity = await makeAmenity();
    expect((await book(amenity, { user: neighbour.id })).statusCode).toBe(422);
    expect((await book(amenity, {}, stranger)).statusCode).toBe(404);
    const id = await booked(amenity);
    expect((await neighbour.client.get(`/amenity-reservations/${id}`)).statusCode).toBe(404);
    expect((await cancel(id, neighbour)).statusCode).toBe(404);
    expect((await resident.client.delete(`/amenity-reservations/${id}`)).statusCode).toBe(403);
    expect((await resident.client.get(`/amenity-reservations/${id}/logs`)).statusCode).toBe(403);
  });

  it('nobody reserves for people whom the amenity is not for (ERR-090), nor for those whom they do not look after', async () => {
    const amenity = await makeAmenity();
    expect(codeOf(await book(amenity, { user: stranger.id }, boss))).toBe('amenity_not_allowed');
    const helper = await makePerson(server, estate, {
      permissions: [
        'can_view_users',
        'can_view_all_users',
        'can_view_all_amenities',
        'can_create_own_amenity_reservations',
        'can_view_all_amenity_reservations',
      ],
      in: [estate.groups.north],
    });
    expect((await book(amenity, { user: resident.id }, helper)).statusCode).toBe(403);
  });

  it('who sees a reservation cancels it only with the right to', async () => {
    const id = await booked(await makeAmenity());
    const reader = await makePerson(server, estate, {
      permissions: ['can_view_all_amenity_reservations', 'can_cancel_own_amenity_reservations', 'can_view_own_amenity_reservation_log'],
      in: [estate.groups.north],
    });
    expect((await reader.client.get(`/amenity-reservations/${id}`)).statusCode).toBe(200);
    expect((await cancel(id, reader)).statusCode).toBe(403);
    expect((await reader.client.get(`/amenity-reservations/${id}/logs`)).statusCode).toBe(403);
    expect((await cancel(id, keeper)).statusCode).toBe(200);
  });
});

describe('the calendar', () => {
  const ask = async (who: Person, from = '2031-06-01', to = '2031-06-30'): Promise<ReservationCalendar> => {
    const answer = await who.client.get(`/amenity-reservations/calendar?from=${from}&to=${to}`);
    expect(answer.statusCode, answer.body).toBe(200);
    return dataOf<ReservationCalendar>(answer);
  };

  it('shows whoever may see them by name, of others only that the time is taken, and nothing that was cancelled', async () => {
    const amenity = await makeAmenity();
    const own = await booked(amenity, { date: '2031-06-01' });
    const other = await booked(amenity, { date: '2031-06-30' }, neighbour);
    await booked(amenity, { date: '2031-07-01' });
    await cancel(await booked(amenity, { date: '2031-06-02' }));
    const mine = await ask(resident);
    expect(mine.amenities.map(({ id }) => id)).toContain(amenity);
    expect(mine.reservations).toMatchObject([{ id: own, user: { name: 'Boris' }, date: '2031-06-01', status: 'active', may_change: true }]);
    expect(mine.taken).toEqual([{ amenity_id: amenity, date: '2031-06-30', timeSlots: { from: 10 * hour, to: 11 * hour } }]);
    const all = await ask(keeper);
    expect(all.reservations.map(({ id }) => id)).toEqual([own, other]);
    expect(all.taken).toEqual([]);
    expect(await ask(stranger)).toMatchObject({ reservations: [], taken: [] });
  });

  it('of more than six weeks, or backwards, is not read', async () => {
    for (const [from, to] of [
      ['2031-06-01', '2031-07-14'],
      ['2031-06-02', '2031-06-01'],
    ])
      expect((await resident.client.get(`/amenity-reservations/calendar?from=${from}&to=${to}`)).statusCode).toBe(400);
  });
});

describe('QR codes and doors that scan none', () => {
  it('whoever carries nothing but QR codes reserves nothing there (ERR-087), and does with a card, or where a door scans them', async () => {
    const carrier = await makePerson(server, estate, { permissions: roleOf('resident'), in: [estate.groups.n1], name: 'Dora' });
    const own = { projectId: estate.here, userId: carrier.id };
    const amenity = await makeAmenity();
    await db()
      .insert(identifiers)
      .values({ ...own, name: 'Code of Dora', type: 'qr', value: randomUUID() });
    const refused = await book(amenity, {}, carrier);
    expect([refused.statusCode, codeOf(refused)]).toEqual([422, 'devices_without_qr']);
    expect(codeOf(await book(amenity, { user: carrier.id }, keeper))).toBe('devices_without_qr');

    await db().update(devices).set({ model: 'DP-200 Keypad' }).where(eq(devices.id, door));
    const id = await booked(amenity, {}, carrier);
    await db().update(devices).set({ model: 'DP-140' }).where(eq(devices.id, door));
    // A change that bears on neither person nor place is not held up by doors that were exchanged since.
    expect((await carrier.client.patch(`/amenity-reservations/${id}`, { numberOfPersons: 3 })).statusCode).toBe(200);

    await db()
      .insert(identifiers)
      .values({ ...own, name: 'Card of Dora', type: 'card', value: '00AB12CE' });
    await booked(await makeAmenity(), {}, carrier);
  });
});

describe('the doors of what is reserved', () => {
  let card: string;
  const times = { from: Date.parse('2031-05-05T10:00:00Z'), to: Date.parse('2031-05-05T11:00:00Z') };
  beforeAll(async () => {
    const [row] = await db()
      .insert(identifiers)
      .values({ projectId: estate.here, name: 'Card of Boris', type: 'card', value: '00AB12CD', userId: resident.id })
      .returning();
    card = row?.id ?? '';
    await db().update(amenityReservations).set({ canceledAt: new Date() });
  });
  const asked = (at: number) => ({ credential: { id: card }, deviceId: door, at });
  const opens = async (at: number): Promise<boolean> => {
    const credential = { id: card };
    const world = await worldForQuestion(server.services, { projectId: estate.here, deviceId: door, credential, at: new Date(at) });
    return judge(world, asked(at)).isGranted;
  };
  const synchronised = () => db().$count(deviceTasks, and(eq(deviceTasks.deviceId, door), eq(deviceTasks.kind, 'synchronise')));

  it('open to whoever has it from the minute it begins to the minute it ends, and to nobody else', async () => {
    const id = await booked(await makeAmenity());
    expect([await opens(times.from - 1), await opens(times.from), await opens(times.to - 1), await opens(times.to)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
    await db().update(identifiers).set({ userId: neighbour.id }).where(eq(identifiers.id, card));
    expect(await opens(times.from)).toBe(false);
    await db().update(identifiers).set({ userId: resident.id }).where(eq(identifiers.id, card));
    expect((await cancel(id)).statusCode).toBe(200);
    expect(await opens(times.from)).toBe(false);
  });

  it('know it beforehand: what a device holds opens and closes by its own clock', async () => {
    const amenity = await makeAmenity();
    await booked(amenity);
    const copy = copyFor(await worldForDevices(server.services, { projectId: estate.here, ids: [door] }, new Date()), door);
    const opened = [times.from - 1, times.from, times.to - 1, times.to].map((at) => judge(worldOfCopy(copy), asked(at)).isGranted);
    expect(opened).toEqual([false, true, true, false]);
    await db().update(amenities).set({ isActive: false }).where(eq(amenities.id, amenity));
    const off = await worldForDevices(server.services, { projectId: estate.here, ids: [door] }, new Date());
    expect(copyFor(off, door).credentials).toEqual([]);
  });

  it('open at the moments of the amenity, also where the door stands in another zone', async () => {
    const zoneAt = (timeZoneName: string | null) => db().update(groups).set({ timeZoneName }).where(eq(groups.id, estate.groups.north));
    await zoneAt('Asia/Tokyo');
    await db().update(groups).set({ timeZoneName: 'Europe/Berlin' }).where(eq(groups.id, estate.groups.n1));
    const at = { from: Date.parse('2031-05-06T21:00:00Z'), to: Date.parse('2031-05-06T22:00:00Z') };
    // Eleven in the evening in Berlin is six the next morning at the door.
    const id = await booked(await makeAmenity({}, estate.groups.n1), { date: '2031-05-06', timeSlots: { from: 23 * hour, to: 24 * hour } });
    const moments = [at.from - 1, at.from, at.to - 1, at.to];
    expect(await Promise.all(moments.map(opens))).toEqual([false, true, true, false]);
    const copy = copyFor(await worldForDevices(server.services, { projectId: estate.here, ids: [door] }, new Date()), door);
    const sent = sentCopy.parse(JSON.parse(JSON.stringify(terseCopy(copy))));
    expect(moments.map((moment) => judge(worldOfCopy(sent), asked(moment)).isGranted)).toEqual([false, true, true, false]);
    expect(decide(worldOfCopy(sent), asked(at.from - 1)).next).toBe(at.from);
    expect(decide(worldOfCopy(sent), asked(at.from)).until).toBe(at.to);
    await cancel(id);
    await zoneAt(null);
  });

  it('are told when it is made, moved and cancelled, not when more people come', async () => {
    const synchronises = async (work: () => Promise<unknown>): Promise<boolean> => {
      await db().delete(deviceTasks);
      await work();
      return (await synchronised()) > 0;
    };
    const amenity = await makeAmenity();
    let id = '';
    expect(await synchronises(async () => (id = await booked(amenity)))).toBe(true);
    const change = (body: object) => resident.client.patch(`/amenity-reservations/${id}`, body);
    expect(await synchronises(() => change({ numberOfPersons: 3 }))).toBe(false);
    expect(await synchronises(() => change({ timeSlots: { from: 12 * hour, to: 13 * hour } }))).toBe(true);
    expect(await synchronises(() => boss.client.patch(`/amenities/${amenity}`, { is_active: false }))).toBe(true);
    expect(await synchronises(() => boss.client.patch(`/amenities/${amenity}`, { is_active: true }))).toBe(true);
    expect(await synchronises(() => cancel(id))).toBe(true);
  });
});
