import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { accessRules, amenities, amenityGroups, amenityReservations, amenityRules, mails, notifications, users } from '#server/db/schema/index.ts';
import { remindOfReservations } from '#server/modules/amenity-reservations/reminders.ts';
import { roleOf } from './calls-support.ts';
import { buildEstate, dataOf, type Estate, makePerson, type Person } from './estate.ts';
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
  await db().update(users).set({ email: 'boris@example.org', locale: 'ru', timeFormat: 'DD-MM-YYYY' }).where(eq(users.id, resident.id));
  await db().update(users).set({ email: 'anna@example.org', locale: 'en', timeFormat: 'YYYY-MM-DD' }).where(eq(users.id, neighbour.id));
  const timeSlots = { duration: hour, items: [{ days: everyDay, from: 0, to: 24 * hour }] };
  const [row] = await db().insert(amenities).values({ projectId: estate.here, name: 'Sauna', personsMin: 1, personsMax: 8, timeSlots }).returning();
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
  await db().delete(mails);
  await db().delete(notifications);
});

async function booked(from = 10, date = '2031-05-05', who = resident): Promise<string> {
  const timeSlots = { from: from * hour, to: (from + 1) * hour };
  const answer = await who.client.put('/amenity-reservations', { amenity: sauna, date, timeSlots, numberOfPersons: 2, user_offset: 0 });
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<string>(answer);
}
const mailed = () => db().select({ to: mails.recipient, subject: mails.subject, body: mails.body, once: mails.once }).from(mails);
const notifiedOf = (who: Person) =>
  db().select({ type: notifications.type, data: notifications.data }).from(notifications).where(eq(notifications.userId, who.id));

describe('whoever has a reservation is told what others do with it', () => {
  it('cancelled: by mail and in the inbox, in their language', async () => {
    const id = await booked();
    expect((await boss.client.post(`/amenity-reservations/${id}/cancel`)).statusCode).toBe(200);
    const [mail, ...others] = await mailed();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: 'boris@example.org', subject: 'Бронирование отменено: Sauna, 05-05-2031, 10:00–11:00' });
    expect(mail?.body).toContain('Boss');
    expect(await notifiedOf(resident)).toEqual([
      { type: 'reservation_canceled', data: { title: 'Sauna, 05-05-2031, 10:00–11:00', user: { id: boss.id, name: 'Boss' } } },
    ]);
  });

  it('deleted: it is gone as well; what was cancelled before is not told of again', async () => {
    const id = await booked();
    expect((await boss.client.delete(`/amenity-reservations/${id}`)).statusCode).toBe(200);
    expect((await notifiedOf(resident)).map(({ type }) => type)).toEqual(['reservation_canceled']);
    const other = await booked(12);
    await resident.client.post(`/amenity-reservations/${other}/cancel`);
    expect((await boss.client.delete(`/amenity-reservations/${other}`)).statusCode).toBe(200);
    expect(await notifiedOf(resident)).toHaveLength(1);
  });

  it('moved: what it was and what it is', async () => {
    const id = await booked();
    const moved = await boss.client.patch(`/amenity-reservations/${id}`, { timeSlots: { from: 23 * hour, to: 24 * hour } });
    expect(moved.statusCode, moved.body).toBe(200);
    const [mail] = await mailed();
    expect(mail?.body).toContain('Было: Sauna, 05-05-2031, 10:00–11:00\nСтало: Sauna, 05-05-2031, 23:00–24:00');
    expect((await notifiedOf(resident)).map(({ type }) => type)).toEqual(['reservation_changed']);
  });

  it('given to somebody else: one loses it, the other has it', async () => {
    const id = await booked();
    const given = await boss.client.patch(`/amenity-reservations/${id}`, { user: neighbour.id });
    expect(given.statusCode, given.body).toBe(200);
    expect((await notifiedOf(resident)).map(({ type }) => type)).toEqual(['reservation_canceled']);
    expect((await notifiedOf(neighbour)).map(({ type }) => type)).toEqual(['reservation_changed']);
    expect((await mailed()).map(({ to }) => to).toSorted()).toEqual(['anna@example.org', 'boris@example.org']);
  });

  it('not what they do themselves, nor what nobody sees', async () => {
    const id = await booked();
    await resident.client.patch(`/amenity-reservations/${id}`, { numberOfPersons: 3 });
    await boss.client.patch(`/amenity-reservations/${id}`, { user_offset: 60 });
    await resident.client.post(`/amenity-reservations/${id}/cancel`);
    expect([await mailed(), await notifiedOf(resident)]).toEqual([[], []]);
  });
});

describe('reminders', () => {
  /** What is reserved for ten o'clock is due at eight. */
  const due = Date.parse('2031-05-05T08:00:00Z');
  const at = (moment: number) => ({ ...server.services, now: () => new Date(moment) });

  it('come once before the slot, whoever looks after them and however often', async () => {
    const id = await booked();
    expect(await remindOfReservations(at(due - 1))).toBe(0);
    const turns = await Promise.all([remindOfReservations(at(due)), remindOfReservations(at(due))]);
    expect(turns.toSorted()).toEqual([0, 1]);
    expect(await remindOfReservations(at(due + 1))).toBe(0);
    expect(await mailed()).toMatchObject([{ to: 'boris@example.org', subject: 'Напоминание: Sauna, 05-05-2031, 10:00–11:00', once: true }]);
    expect(await notifiedOf(resident)).toEqual([{ type: 'reservation_reminder', data: { title: 'Sauna, 05-05-2031, 10:00–11:00' } }]);
    // Moved, it is another time that can be forgotten.
    const moved = await resident.client.patch(`/amenity-reservations/${id}`, { timeSlots: { from: 15 * hour, to: 16 * hour } });
    expect(moved.statusCode, moved.body).toBe(200);
    expect(await remindOfReservations(at(due + 5 * hour * 1_000))).toBe(1);
  });

  it('are not marked as sent where nothing was written', async () => {
    await booked();
    expect(await remindOfReservations({ ...at(due), config: undefined as never })).toBe(0);
    expect([await mailed(), await notifiedOf(resident)]).toEqual([[], []]);
    expect(await remindOfReservations(at(due))).toBe(1);
  });

  it('do not come for what was cancelled, is switched off, has begun, or was made only within that time', async () => {
    const canceled = await booked();
    await resident.client.post(`/amenity-reservations/${canceled}/cancel`);
    expect(await remindOfReservations(at(due))).toBe(0);
    const id = await booked(10, '2031-05-05', neighbour);
    const made = (createdAt: Date) => db().update(amenityReservations).set({ createdAt }).where(eq(amenityReservations.id, id));
    await made(new Date(due + 1));
    expect(await remindOfReservations(at(due + 1))).toBe(0);
    await made(new Date(due - 1));
    await db().update(amenities).set({ isActive: false }).where(eq(amenities.id, sauna));
    expect(await remindOfReservations(at(due))).toBe(0);
    await db().update(amenities).set({ isActive: true }).where(eq(amenities.id, sauna));
    expect(await remindOfReservations(at(due + 2 * hour * 1_000))).toBe(0);
    expect(await remindOfReservations(at(due))).toBe(1);
  });
});
