import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { permissionCodes } from '#models/permission-catalogue.ts';
import {
  accessRules,
  amenities,
  amenityGroups,
  amenityReservations,
  amenityRules,
  auditEvents,
  calendarFeeds,
  groups,
  users,
} from '#server/db/schema/index.ts';
import { roleOf } from './calls-support.ts';
import { buildEstate, codeOf, dataOf, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let resident: Person;
let neighbour: Person;
let sauna: string;

const db = () => server.services.db;
const hour = 3_600;
const everyDay = { mon: true, tue: true, wed: true, thu: true, fri: true, sat: true, sun: true };

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town], name: 'Boss' });
  resident = await makePerson(server, estate, { permissions: roleOf('resident'), in: [estate.groups.n1], name: 'Boris' });
  neighbour = await makePerson(server, estate, { permissions: roleOf('resident'), in: [estate.groups.n1], name: 'Anna' });
  await db().update(groups).set({ timeZoneName: 'Europe/Berlin' }).where(eq(groups.id, estate.groups.north));
  const timeSlots = { duration: hour, items: [{ days: everyDay, from: 0, to: 24 * hour }] };
  const place = { projectId: estate.here, name: 'Sauna; north, 1', address: 'Lindenallee 4', personsMin: 1, personsMax: 8, timeSlots };
  const [row] = await db().insert(amenities).values(place).returning();
  sauna = row?.id ?? '';
  const [rule] = await db().insert(accessRules).values({ projectId: estate.here, name: 'Sauna' }).returning();
  await db().insert(amenityGroups).values({ amenityId: sauna, groupId: estate.groups.north });
  await db()
    .insert(amenityRules)
    .values({ amenityId: sauna, ruleId: rule?.id ?? '' });
});
afterAll(() => server.close());
beforeEach(async () => {
  await db().delete(amenityReservations);
  await db().delete(calendarFeeds);
});

async function booked(from = 10, who = resident, date = '2031-07-05'): Promise<string> {
  const timeSlots = { from: from * hour, to: (from + 1) * hour };
  const answer = await who.client.put('/amenity-reservations', { amenity: sauna, date, timeSlots, numberOfPersons: 2, user_offset: 0 });
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<string>(answer);
}
/** The address of a new feed, below /api/v0. */
async function subscribed(who = resident, amenity: string | null = null): Promise<string> {
  const answer = await who.client.post('/calendar-feeds', { amenity });
  expect(answer.statusCode, answer.body).toBe(200);
  const { secret_url: url } = dataOf<{ secret_url: string }>(answer);
  expect(new URL(url).pathname).toMatch(/^\/api\/v0\/calendar\/[\w-]{43}\.ics$/);
  return new URL(url).pathname.replace('/api/v0', '');
}
const read = (path: string, headers = {}) => server.as(null).get(path, headers);
/** The content lines of a calendar, unfolded (RFC 5545, 3.1). */
const linesOf = (text: string) => text.replaceAll('\r\n ', '').split('\r\n');
const events = (text: string) =>
  text
    .split('BEGIN:VEVENT')
    .slice(1)
    .map((part) => linesOf(part));

describe('one’s own reservations in a calendar', () => {
  it('answers them as iCalendar without a session: moments in UTC, hours by the clock of the amenity', async () => {
    const id = await booked();
    await booked(12, neighbour);
    const answer = await read(await subscribed());
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-cache',
      'x-robots-tag': 'noindex, nofollow',
    });
    expect(linesOf(answer.body)).toEqual(expect.arrayContaining(['BEGIN:VCALENDAR', 'VERSION:2.0', 'METHOD:PUBLISH', 'X-WR-TIMEZONE:Europe/Berlin']));
    expect(events(answer.body)).toHaveLength(1);
    expect(events(answer.body)[0]).toEqual(
      expect.arrayContaining([
        `UID:${id}@doorward`,
        'SEQUENCE:0',
        'DTSTART:20310705T080000Z',
        'DTEND:20310705T090000Z',
        String.raw`SUMMARY:Sauna\; north\, 1`,
        'LOCATION:Lindenallee 4',
        String.raw`DESCRIPTION:10:00–11:00 (Europe/Berlin)\n2 people`,
        'STATUS:CONFIRMED',
      ]),
    );
    // Every line of at most 75 octets, ended by CRLF.
    for (const line of answer.body.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(answer.body.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it('keeps what was cancelled with its UID, as cancelled and newer than before', async () => {
    const path = await subscribed();
    const id = await booked();
    expect((await resident.client.post(`/amenity-reservations/${id}/cancel`)).statusCode).toBe(200);
    expect(events((await read(path)).body)[0]).toEqual(expect.arrayContaining([`UID:${id}@doorward`, 'SEQUENCE:1', 'STATUS:CANCELLED']));
  });

  it('answers 304 while nothing has changed', async () => {
    const path = await subscribed();
    const id = await booked();
    const { etag } = (await read(path)).headers;
    expect((await read(path, { 'if-none-match': `W/${etag}` })).statusCode).toBe(304);
    await resident.client.patch(`/amenity-reservations/${id}`, { numberOfPersons: 3 });
    expect((await read(path, { 'if-none-match': etag })).statusCode).toBe(200);
  });

  it('speaks the language of its owner', async () => {
    await db().update(users).set({ locale: 'ru' }).where(eq(users.id, resident.id));
    await booked();
    expect((await read(await subscribed())).body).toContain('2 человека');
    await db().update(users).set({ locale: 'en' }).where(eq(users.id, resident.id));
  });
});

describe('the reservations of an amenity', () => {
  it('has the names of people for those who see them', async () => {
    await booked(10);
    await booked(12, neighbour);
    const found = events((await read(await subscribed(boss, sauna))).body);
    expect(found.map((lines) => lines.find((line) => line.startsWith('SUMMARY')))).toEqual(['SUMMARY:Boris', 'SUMMARY:Anna']);
  });

  it('is refused to those who see only their own', async () => {
    const answer = await resident.client.post('/calendar-feeds', { amenity: sauna });
    expect([answer.statusCode, codeOf(answer)]).toEqual([403, 'forbidden']);
  });

  it('is refused, as one’s own is, to those who see no reservations', async () => {
    const dealer = await makePerson(server, estate, { permissions: ['can_view_all_amenities'], in: [estate.groups.town], name: 'Dealer' });
    const answers = [
      await dealer.client.get('/calendar-feeds'),
      await dealer.client.post('/calendar-feeds', { amenity: null }),
      await dealer.client.post('/calendar-feeds', { amenity: sauna }),
      await dealer.client.delete('/calendar-feeds'),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403]);
    expect((await server.as(null).get('/calendar-feeds')).statusCode).toBe(401);
  });

  it('is not there for an amenity out of sight', async () => {
    const answer = await boss.client.post('/calendar-feeds', { amenity: '00000000-0000-4000-8000-000000000000' });
    expect([answer.statusCode, codeOf(answer)]).toEqual([404, 'amenity_not_found']);
  });
});

describe('the secret address', () => {
  it('is answered once, kept as a hash, and never logged', async () => {
    const path = await subscribed();
    await read(path);
    const key = path.split('/').at(-1)?.replace('.ics', '') ?? '';
    expect(JSON.stringify(await db().select().from(calendarFeeds))).not.toContain(key);
    expect((await resident.client.get('/calendar-feeds')).body).not.toContain(key);
    expect(server.logged()).not.toContain(key);
    expect(JSON.stringify(await db().select().from(auditEvents))).not.toContain(key);
  });

  it('tells when it was made and when a calendar last asked', async () => {
    const path = await subscribed();
    const standing = async () => dataOf<{ feed: { read_at: string | null } | null }>(await resident.client.get('/calendar-feeds')).feed;
    expect(await standing()).toMatchObject({ read_at: null });
    await read(path);
    expect((await standing())?.read_at).not.toBeNull();
    expect(dataOf(await neighbour.client.get('/calendar-feeds'))).toEqual({ feed: null });
  });

  it('is over once it is renewed or revoked', async () => {
    const first = await subscribed();
    const second = await subscribed();
    expect((await read(first)).statusCode).toBe(404);
    expect((await read(second)).statusCode).toBe(200);
    expect((await resident.client.delete('/calendar-feeds')).statusCode).toBe(200);
    expect((await read(second)).statusCode).toBe(404);
    expect((await resident.client.delete('/calendar-feeds')).statusCode).toBe(200);
    const trail = await db().select({ action: auditEvents.action }).from(auditEvents).where(eq(auditEvents.area, 'calendar-feeds'));
    expect(trail.slice(-3).map(({ action }) => action)).toEqual(['generate', 'generate', 'delete']);
  });

  it('opens nothing once its owner may no longer see reservations, or is gone', async () => {
    const clerk = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town], name: 'Clerk' });
    const path = await subscribed(clerk, sauna);
    expect((await read(path)).statusCode).toBe(200);
    const [role] = await db().select({ role: users.roleId }).from(users).where(eq(users.id, resident.id));
    await db()
      .update(users)
      .set({ roleId: role?.role ?? '' })
      .where(eq(users.id, clerk.id));
    expect((await read(path)).statusCode).toBe(404);
    await db().delete(users).where(eq(users.id, clerk.id));
    expect((await read(path)).statusCode).toBe(404);
  });

  it('is not guessed: after twenty wrong ones an address waits', async () => {
    server.pass(120_000);
    const wrong = `/calendar/${'a'.repeat(43)}.ics`;
    const statuses = [];
    for (let tries = 0; tries < 21; tries++) statuses.push((await read(wrong)).statusCode);
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 404));
    expect(statuses[20]).toBe(429);
  });
});
