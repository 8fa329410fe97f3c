import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allLicensed, nothingLicensed } from '#models/licence-info.ts';
import { copyFor } from '#server/access/device-copy.ts';
import { loadLicences } from '#server/access/load-licences.ts';
import { worldForDevices, worldForPage, worldForQuestion } from '#server/access/load.ts';
import type { World } from '#server/access/world.ts';
import type { Db } from '#server/db/database.ts';
import { amenities, amenityReservations, amenityRules, deviceEvents, groups, projectSettings } from '#server/db/schema/index.ts';
import { credentialOf } from '#tests/support/credential.ts';
import { eq } from 'drizzle-orm';
import { type AccessEstate, buildAccessEstate, minutesAgo, noon, one } from './access-estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let { estate, anna, bob, cleo, device, rule, schedule, card } = {} as AccessEstate;
const db = () => server.services.db;
const passed = (deviceId: string, identifierId: string, at: Date, type: 'access_granted' | 'access_denied' = 'access_granted') =>
  db().insert(deviceEvents).values({ projectId: estate.here, deviceId, deviceName: 'Door', identifierId, type, occurredAt: at });

beforeAll(async () => {
  server = await openTestServer();
  ({ estate, anna, bob, cleo, device, rule, schedule, card } = await buildAccessEstate(server));
});
afterAll(() => server.close());

const all = () => ({ projectId: estate.here, people: [anna.id, bob.id], devices: [device.lobby, device.garage, device.lift], at: noon });
const plain = (world: World) => ({
  credentials: [...world.credentials.values()].toSorted((a, b) => (a.value < b.value ? -1 : 1)),
  doors: [...world.doors.values()],
  rules: Object.fromEntries([...world.rules].map(([id, list]) => [id, list.map((each) => each.id)])),
});

describe('the world as it is loaded', () => {
  it('has the identifiers of the people in question', async () => {
    expect(plain(await worldForPage(server.services, all())).credentials).toEqual([
      credentialOf({ id: card.anna, value: 'AA', ownerId: anna.id, isActive: false, locks: [2] }),
      credentialOf({
        id: card.guest,
        value: 'BB',
        ownerId: anna.id,
        isGuest: true,
        isLost: true,
        period: { from: minutesAgo(60).getTime(), to: null },
        passes: { count: 1, max: 3 },
      }),
      credentialOf({ id: card.bob, value: 'CC', ownerId: bob.id, isRevoked: true }),
    ]);
  });

  it('has each door with the clock and the holidays of the nearest group that says any', async () => {
    const world = await worldForPage(server.services, all());
    const zone = (zoneName: string) => ({ zoneHours: 0, zoneName });
    const passback = { area: 'hall', way: 'in', forgivenAfter: 90 * 60_000 };
    expect(world.doors.get(device.lobby)).toEqual({
      id: device.lobby,
      isLift: false,
      zone: zone('Asia/Kolkata'),
      holidays: ['2026-12-25'],
      antiPassback: passback,
    });
    const ofSouth = { zone: zone('Europe/Berlin'), holidays: ['2026-06-18', '2026-06-19'] };
    const inside = { area: estate.groups.s1, way: 'in', forgivenAfter: null };
    expect(world.doors.get(device.garage)).toEqual({ id: device.garage, isLift: false, ...ofSouth, antiPassback: inside });
    expect(world.doors.get(device.lift)).toEqual({ id: device.lift, isLift: true, ...ofSouth, antiPassback: null });
    await db().update(groups).set({ timeZoneName: null }).where(eq(groups.id, estate.groups.town));
    await db()
      .insert(projectSettings)
      .values({ projectId: estate.here, block: 'general', value: { time_zone_name: 'Europe/Oslo' } });
    expect((await worldForPage(server.services, all())).doors.get(device.lift)?.zone).toEqual(zone('Europe/Oslo'));
    await db().delete(projectSettings);
    expect((await worldForPage(server.services, all())).doors.get(device.lift)?.zone).toEqual({ zoneHours: 0, zoneName: null });
    await db().update(groups).set({ timeZoneName: 'Europe/Berlin' }).where(eq(groups.id, estate.groups.town));
  });

  it('has the rules of these devices by name, with whom they name, and their schedules by name', async () => {
    const world = await worldForPage(server.services, all());
    expect(plain(world).rules).toEqual({
      [device.lobby]: [rule.closed, rule.open],
      [device.garage]: [rule.open],
      [device.lift]: [rule.floors],
    });
    const [closed, open] = world.rules.get(device.lobby) ?? [];
    expect(closed).toMatchObject({ isProhibition: true, schedules: [], users: new Set([anna.id, cleo.id]), groups: new Set(), floors: null });
    expect(open).toEqual({
      id: rule.open,
      isProhibition: false,
      devices: new Set([device.lobby, device.garage]),
      schedules: [schedule.early, schedule.late],
      users: new Set(),
      identifiers: new Set([card.nobody]),
      groups: new Set([estate.groups.north]),
      floors: null,
    });
    expect(world.rules.get(device.lift)?.[0]).toEqual({
      id: rule.floors,
      isProhibition: false,
      devices: new Set([device.lift]),
      schedules: [],
      users: new Set([bob.id]),
      identifiers: new Set(),
      groups: new Set(),
      floors: new Set([1, 3]),
    });
    expect([...world.schedules.keys()].toSorted()).toEqual([schedule.early, schedule.late].toSorted());
    expect(world.schedules.get(schedule.late)).toMatchObject({
      from: 64_800,
      to: 79_200,
      valid_from: '2026-01-02',
      valid_to: '2026-12-30',
      is_all_day: true,
      repeat_mode: 'weekly',
      holiday_mode: 'own_hours',
      holiday_from: 60,
      holiday_to: 120,
    });
    expect(world.schedules.get(schedule.late)?.days).toEqual({ mon: false, tue: true, wed: true, thu: true, fri: true, sat: true, sun: false });
  });

  it('has the people with their groups, what is above those, and their licences where an identifier needs one', async () => {
    const world = await worldForPage(server.services, all());
    const { town, north, south, n1, n2, s1 } = estate.groups;
    const features = (id: string) => world.people.get(id)?.licences.map(({ feature }) => feature);
    expect(world.people.get(anna.id)).toMatchObject({ isActive: true, isBarredFromLifts: true, groups: [n1, s1].toSorted() });
    expect(world.people.get(bob.id)).toMatchObject({ isBarredFromLifts: false, groups: [n2] });
    expect(features(anna.id)).toEqual(['licensePlate', 'guests', 'guestFaces']);
    expect(world.people.get(anna.id)?.licences[0]).toMatchObject({ from: null, until: null });
    expect(world.parents).toEqual(
      new Map([
        [town, null],
        [north, town],
        [south, town],
        [n1, north],
        [n2, north],
        [s1, south],
      ]),
    );
    expect(world.licences.map(({ feature }) => feature)).toEqual(['licensePlate', 'ukey2', 'guests', 'guestFaces']);
  });

  it('has who went through which area last, until the moment in question', async () => {
    await passed(device.lobby, card.anna, minutesAgo(30));
    await passed(device.yard, card.anna, minutesAgo(20));
    await passed(device.lobby, card.anna, minutesAgo(10), 'access_denied');
    await passed(device.garage, card.anna, minutesAgo(5));
    await passed(device.lobby, card.anna, minutesAgo(-1));
    await passed(device.lift, card.anna, minutesAgo(1));
    await passed(device.lobby, card.nobody, minutesAgo(1));
    const passages = async (doors: string[], at = noon) =>
      [...(await worldForPage(server.services, { ...all(), devices: doors, at })).passages.values()].toSorted((one, other) => one.at - other.at);
    const went = (way: 'in' | 'out', area: string, at: Date) => ({ credentialId: card.anna, way, area, at: at.getTime() });
    expect(await passages([device.lobby])).toEqual([went('out', 'hall', minutesAgo(20)), went('in', estate.groups.s1, minutesAgo(5))]);
    expect(await passages([device.lobby], minutesAgo(25))).toEqual([went('in', 'hall', minutesAgo(30))]);
    expect(await passages([device.yard, device.lift])).toEqual([]);
  });

  it('for one question has one identifier, by its id or by its value', async () => {
    const ids = async (asked: { id: string } | { type: 'card' | 'qr'; value: string }) => [
      ...(
        await worldForQuestion(server.services, { projectId: estate.here, deviceId: device.lobby, credential: asked, at: noon })
      ).credentials.keys(),
    ];
    expect([await ids({ id: card.bob }), await ids({ type: 'card', value: 'BB' }), await ids({ type: 'qr', value: 'BB' })]).toEqual([
      [card.bob],
      [card.guest],
      [],
    ]);
    const abroad = { projectId: estate.there, deviceId: device.lobby, credential: { id: card.bob }, at: noon };
    expect((await worldForQuestion(server.services, abroad)).credentials.size).toBe(0);
  });

  it('for the copies of devices has whomever a rule that permits reaches there', async () => {
    const known = async (...ids: string[]) =>
      plain(await worldForDevices(server.services, { projectId: estate.here, ids }, noon)).credentials.map(({ value }) => value);
    expect([await known(device.lobby), await known(device.yard), await known(device.lift)]).toEqual([['AA', 'BB', 'CC', 'DD'], ['B1'], ['CC']]);
    expect(await known(device.yard, device.lift)).toEqual(['B1', 'CC']);
    expect(await known()).toEqual([]);
  });
});

describe('a reservation', () => {
  const [startsAt, endsAt] = [new Date('2026-06-17T12:00:00Z'), new Date('2026-06-17T13:00:00Z')];
  async function reserve(over: { canceledAt?: Date; isActive?: boolean; rule?: string }): Promise<string> {
    const { isActive = true, rule: ruleId = rule.other, ...rest } = over;
    const amenityId = one(
      await db()
        .insert(amenities)
        .values({ projectId: estate.here, name: randomUUID(), timeSlots: { duration: 3_600, items: [] }, isActive })
        .returning(),
    );
    await db().insert(amenityRules).values({ amenityId, ruleId });
    const times = { date: '2026-06-17', fromSeconds: 50_400, toSeconds: 54_000, startsAt, endsAt };
    return one(
      await db()
        .insert(amenityReservations)
        .values({ projectId: estate.here, amenityId, userId: bob.id, persons: 1, ...times, ...rest })
        .returning(),
    );
  }
  const worldAt = (at: Date) => worldForDevices(server.services, { projectId: estate.here, ids: [device.yard] }, at);

  it('is a rule of its own for who has it, between its two moments', async () => {
    const id = await reserve({});
    for (const over of [{ canceledAt: noon }, { isActive: false }, { rule: rule.closed }]) await reserve(over);
    const world = await worldAt(noon);
    expect(world.rules.get(device.yard)?.map((each) => each.id)).toEqual([rule.other, id]);
    expect(world.rules.get(device.yard)?.[1]).toEqual({
      id,
      isProhibition: false,
      devices: new Set([device.yard]),
      schedules: [id],
      users: new Set([bob.id]),
      identifiers: new Set(),
      groups: new Set(),
      floors: null,
    });
    expect(world.schedules.get(id)).toMatchObject({
      from: 50_400,
      to: 54_000,
      valid_from: '2026-06-17',
      valid_to: '2026-06-17',
      is_all_day: false,
      repeat_mode: 'never',
      holiday_mode: 'holds',
      span: { from: startsAt.getTime(), to: endsAt.getTime() },
    });
    expect(Object.values(world.schedules.get(id)?.days ?? {})).toEqual(Array.from({ length: 7 }, () => true));
    expect(
      copyFor(world, device.yard)
        .credentials.map(({ value }) => value)
        .toSorted(),
    ).toEqual(['B1', 'CC']);
  });
  it('is none once it is over', async () => {
    const world = await worldAt(endsAt);
    expect([world.rules.get(device.yard)?.length, plain(world).credentials.map(({ value }) => value)]).toEqual([1, ['B1']]);
  });
});

it('licences are read where an identifier needs one, and not else', async () => {
  const unread = { config: server.services.config, db: new Proxy({}, { get: () => expect.fail('the database is not asked') }) as Db };
  const { of, ofProject } = await loadLicences(unread, estate.here, noon, [credentialOf({ id: 'card' })]);
  expect([of([estate.groups.n1], allLicensed), ofProject]).toEqual([[], []]);
  const read = await loadLicences(server.services, estate.here, noon, [credentialOf({ id: 'key', type: 'ukey2' })]);
  const features = (flags: typeof allLicensed, ...places: string[]) => read.of(places, flags).map(({ feature }) => feature);
  expect(features(allLicensed, estate.groups.n1)).toContain('ukey2');
  expect([features(nothingLicensed, estate.groups.n1), features(allLicensed)]).toEqual([[], []]);
});
