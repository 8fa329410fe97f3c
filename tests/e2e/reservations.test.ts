import { afterAll, beforeEach, expect, it } from 'vitest';
import type { AmenityReservation } from '#models/amenity-reservations.ts';
import type { SimulatorState } from '#models/simulator.ts';
import { lengthOf, utc } from '#models/time.ts';
import { clockAt, momentAt } from '#models/zone.ts';
import { inTime } from '#tests/support/in-time.ts';
import { barriers } from './support/barriers.ts';
import { simulated } from './support/alarms.ts';
import { movedClock } from './support/moved-clock.ts';
import { atWork } from './support/person.ts';
import { change, make, named, read, type StoredRow } from './support/records.ts';
import { api, tokenOf } from './support/server.ts';
import { setStage } from './support/stage.ts';

// It is ten to nine in the morning at the amenities; the first slot of the day begins at nine.
const zone = { zoneHours: 0, zoneName: 'Europe/Berlin' };
const date = clockAt(zone, Date.now()).add(1, 'day').format('YYYY-MM-DD');
const at = (hours: number): number => momentAt(zone, utc(date).valueOf() + lengthOf(hours, 'hour'));
const second = lengthOf(1, 'second');
const early = at(9) - lengthOf(10, 'minute');
const clock = movedClock(early);
const stage = setStage(clock.env);
beforeEach(() => clock.moveTo(early));
afterAll(() => clock.discard());

interface DOMBox {
  width: number;
  height: number;
}
const fresh = (): string => crypto.randomUUID().slice(0, 8);

/** A card of Boris's, a rule that nobody is in for a door that he has nothing to do with, and that door. */
async function prepare(run: string): Promise<{ card: string; rule: string; door: string }> {
  const door = await simulated(stage, 'Tower A lobby');
  const [boris] = await named(stage, 'users', 'Boris Hale');
  const card = await make(stage, 'identifiers', { name: `Card ${run}`, type: 'card', value: run.toUpperCase(), owner: boris?.id });
  const rule = await make(stage, 'access-rules', { name: `Hall ${run}`, devices: [door] });
  // Who works here has a rule for every door, and the demo counts all of its accounts among them.
  const [staff] = await named(stage, 'access-rules', 'Staff');
  const { users } = await read<StoredRow & { users: { id: string }[] }>(stage, 'access-rules', staff?.id ?? '');
  await change(stage, 'access-rules', staff?.id ?? '', { users: users.flatMap(({ id }) => (id === boris?.id ? [] : [id])) });
  return { card, rule, door };
}

/** Whether the door opens to the card: its own answer, given by what it was sent. */
async function opens(door: string, card: string): Promise<boolean> {
  const token = await tokenOf(stage.server, 'admin');
  const { status, body } = await api<{ data: SimulatorState }>(stage.server, 'POST', `/simulator/devices/${door}`, {
    token,
    body: { act: 'present', type: 'card', identifier_id: card },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.devices.find(({ id }) => id === door)?.last?.reason === null;
}

/** An amenity made by hand, open from nine to nine in slots of an hour. */
async function makeAmenity(name: string, rule: string): Promise<void> {
  const admin = await atWork(stage);
  await admin.open('Amenities');
  await admin.press('Add amenity');
  await admin.fill('Name', name);
  await admin.choose('domains', 'Riverside');
  await admin.choose('accessRules', rule);
  expect(await barriers(admin.page)).toEqual([]);
  await admin.press('Save');
  await admin.page.locator('tbody tr', { hasText: name }).waitFor();
  await admin.close();
}

it('what the administrator cancels is told to whoever has booked it', async () => {
  const run = fresh();
  const { rule } = await prepare(run);
  const [group] = await named(stage, 'groups', 'Riverside');
  const token = await tokenOf(stage.server, 'admin');
  const desk = { server: stage.server, token };
  const amenity = await make(desk, 'amenities', { name: `Court ${run}`, domains: [group?.id], accessRules: [rule] });
  const [boris] = await named<AmenityReservation>(desk, 'users', 'Boris Hale');
  const next = utc(date).add(1, 'day').format('YYYY-MM-DD');
  await make(desk, 'amenity-reservations', { amenity, user: boris?.id, date: next, timeSlots: { from: 36_000, to: 39_600 }, numberOfPersons: 1 });

  const admin = await atWork(stage, 'admin', { at: '/amenities/reservations' });
  await admin.page.getByRole('searchbox').first().fill(`Court ${run}`);
  const row = admin.page.locator('tbody tr', { hasText: `Court ${run}` }).first();
  await row.getByRole('button', { name: new RegExp(`Court ${run}`) }).click();
  await admin.page.getByRole('menuitem', { name: 'Cancel reservation' }).click();
  await admin.page.getByRole('dialog').getByRole('button', { name: 'Cancel reservation' }).click();
  await row.getByText('Cancelled').waitFor();
  await admin.close();

  const resident = await atWork(stage, 'resident', { at: '/notifications' });
  await resident.page
    .getByText(new RegExp(`cancelled your reservation: Court ${run}`))
    .first()
    .waitFor();
  await resident.context.close();
});

it('a reservation is moved in the calendar by the keyboard, after a question', async () => {
  const run = fresh();
  const { rule } = await prepare(run);
  const [group] = await named(stage, 'groups', 'Riverside');
  const desk = { server: stage.server, token: await tokenOf(stage.server, 'admin') };
  const amenity = await make(desk, 'amenities', { name: `Studio ${run}`, domains: [group?.id], accessRules: [rule] });
  const day = utc(date).add(2, 'day').format('YYYY-MM-DD');
  const id = await make(desk, 'amenity-reservations', { amenity, date: day, timeSlots: { from: 36_000, to: 39_600 }, numberOfPersons: 1 });

  const admin = await atWork(stage, 'admin', { at: `/amenities/reservations?view=calendar&show=day&date=${day}` });
  const booking = admin.page.locator(`.booking[data-id="${id}"]`);
  await booking.waitFor();
  expect(await barriers(admin.page)).toEqual([]);
  await booking.focus();
  await admin.page.keyboard.press('m');
  await admin.page.getByRole('button', { name: `Reserve Studio ${run}, 11:00–12:00` }).focus();
  await admin.page.keyboard.press('Enter');
  await admin.page.getByRole('dialog').getByText('11:00–12:00').waitFor();
  await admin.page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
  await admin.page.locator(`.booking[data-id="${id}"][title^="11:00–12:00"]`).waitFor();
  for (const show of ['week', 'month']) {
    await admin.page.goto(`/amenities/reservations?view=calendar&show=${show}&date=${day}`);
    await admin.page.locator('.booking').first().waitFor();
    expect(await barriers(admin.page)).toEqual([]);
  }
  await admin.close();
});

it('slots of five minutes are told apart and hit in the calendar of a day, and are chosen one by one in the form', async () => {
  const run = fresh();
  const { rule } = await prepare(run);
  const [group] = await named(stage, 'groups', 'Riverside');
  const everyDay = { mon: true, tue: true, wed: true, thu: true, fri: true, sat: true, sun: true };
  const timeSlots = { duration: lengthOf(5, 'minute') / second, items: [{ days: everyDay, from: 32_400, to: 43_200 }] };
  await make(stage, 'amenities', { name: `Charger ${run}`, domains: [group?.id], accessRules: [rule], timeSlots });
  const day = utc(date).add(3, 'day').format('YYYY-MM-DD');
  const admin = await atWork(stage, 'admin', { at: `/amenities/reservations?view=calendar&show=day&date=${day}` });
  const slots = admin.page.getByRole('button', { name: new RegExp(`^Reserve Charger ${run}`) });
  await slots.nth(35).waitFor();
  const boxes = await slots.evaluateAll((found) =>
    found.map((slot) => (slot as unknown as { getBoundingClientRect(): DOMBox }).getBoundingClientRect()),
  );
  expect(Math.min(...boxes.flatMap(({ width, height }) => [width, height]))).toBeGreaterThanOrEqual(24);
  expect(await slots.allInnerTexts()).toContain('09:05');
  expect(await barriers(admin.page)).toEqual([]);
  await admin.page.getByRole('button', { name: `Reserve Charger ${run}, 09:05–09:10` }).click();
  await admin.page.getByRole('button', { name: '09:05–09:10', pressed: true }).waitFor();
  await admin.press('Save');
  await admin.page.getByRole('button', { name: new RegExp(`^09:05–09:10, Charger ${run}`) }).waitFor();
  await admin.close();

  const phone = await atWork(stage, 'admin', { at: `/amenities/reservations?view=calendar&date=${day}`, width: 390, height: 844 });
  await phone.page.getByRole('button', { name: `Reserve Charger ${run}, 09:00–10:00, 11 free slots` }).click();
  await phone.page.getByRole('button', { name: '09:00–09:05', pressed: true }).waitFor();
  await phone.close();
});

// The last one: by its end whoever signed in before has to do so again.
it('a room made by an administrator is booked on a phone, opens for the booker from the minute it begins to the minute it ends, and is taken for all others', async () => {
  const run = fresh();
  const { card, door } = await prepare(run);
  await makeAmenity(`Room ${run}`, `Hall ${run}`);
  const [amenity] = await named(stage, 'amenities', `Room ${run}`);

  const resident = await atWork(stage, 'resident', { at: `/amenities/reservations?view=calendar&date=${date}`, width: 390, height: 844 });
  const { page } = resident;
  const slot = page.getByRole('button', { name: `Reserve Room ${run}, 09:00–10:00` });
  await slot.waitFor();
  expect(await barriers(resident.page)).toEqual([]);
  await slot.click();
  await page.getByRole('button', { name: '09:00–10:00', pressed: true }).waitFor();
  expect(await barriers(resident.page)).toEqual([]);
  await resident.press('Save');
  await resident.showsNotice('Done');
  await page.goto('/amenities/reservations');
  await page.getByText(`Room ${run}`).first().waitFor();
  await page.getByText('Upcoming').first().waitFor();
  expect(await barriers(resident.page)).toEqual([]);

  // Somebody else sees it as taken, and is told so who tries.
  const manager = await atWork(stage, 'manager', { at: `/amenities/reservations/add?amenity=${amenity?.id}&date=${date}&from=${9 * 3_600}` });
  const taken = manager.page.getByRole('button', { name: /^09:00–10:00\s*Taken$/ });
  await taken.waitFor();
  expect(await taken.isDisabled()).toBe(true);
  const tried = await api(stage.server, 'PUT', '/amenity-reservations', {
    token: await tokenOf(stage.server, 'manager'),
    body: { amenity: amenity?.id, date, timeSlots: { from: 9 * 3_600, to: 10 * 3_600 }, numberOfPersons: 1, user_offset: 60 },
  });
  expect([tried.status, JSON.stringify(tried.body)]).toEqual([409, expect.stringContaining('no free places')]);
  await manager.close();

  await expect.poll(() => opens(door, card), { timeout: inTime(30_000), interval: 500 }).toBe(false);
  await clock.moveTo(at(9) - 5 * second);
  expect(await opens(door, card)).toBe(false);
  await clock.moveTo(at(9) + second);
  // The door has what it needs, or is about to be sent it.
  await expect.poll(() => opens(door, card), { timeout: inTime(30_000), interval: 500 }).toBe(true);
  await clock.moveTo(at(10) - 5 * second);
  expect(await opens(door, card)).toBe(true);
  await clock.moveTo(at(10) + second);
  await expect.poll(() => opens(door, card), { timeout: inTime(5_000), interval: 200 }).toBe(false);
  await resident.context.close();
});
