import type { AmenitySlots } from '#models/amenity-slots.ts';
import { secondsIn, utc } from '#models/time.ts';
import type { Db } from '../database.ts';
import { accessRuleDevices, accessRules, amenities, amenityGroups, amenityRules } from '../schema/index.ts';
import { demoId } from './chance.ts';
import type { DemoDevice } from './devices.ts';
import { insertRows } from './insert-rows.ts';
import type { DemoPerson } from './people.ts';
import { seedReservations } from './reservations.ts';
import type { DemoGroup } from './tree.ts';

interface Place {
  id: string;
  name: 'Riverside' | 'Harbour';
  tree: readonly DemoGroup[];
  staff: readonly DemoPerson[];
  people: readonly DemoPerson[];
  devices: readonly DemoDevice[];
  at: Date;
}
interface Plan {
  name: string;
  address: string;
  description: string;
  group: string;
  door: string;
  persons: readonly [least: number, most: number];
  timeSlots: AmenitySlots;
}

const workdays = { mon: true, tue: true, wed: true, thu: true, fri: true, sat: false, sun: false };
const weekend = { mon: false, tue: false, wed: false, thu: false, fri: false, sat: true, sun: true };
const everyDay = { ...workdays, sat: true, sun: true };
const hours = (from: number, to: number) => ({ from: secondsIn(from, 'hour'), to: secondsIn(to, 'hour') });

const plans: Readonly<Record<Place['name'], readonly Plan[]>> = {
  Riverside: [
    {
      name: 'Meeting room',
      address: 'Clubhouse, ground floor',
      description: 'A table for twelve, a screen and a kitchenette.',
      group: 'Riverside',
      door: 'Meeting rooms',
      persons: [1, 12],
      timeSlots: {
        duration: secondsIn(1, 'hour'),
        items: [
          { days: workdays, ...hours(8, 22) },
          { days: weekend, ...hours(10, 20) },
        ],
      },
    },
    {
      name: 'Sauna',
      address: 'Clubhouse, pool',
      description: 'Heated by the start of the reservation. Towels are not provided.',
      group: 'Riverside',
      door: 'Pool',
      persons: [1, 8],
      timeSlots: { duration: secondsIn(2, 'hour'), items: [{ days: everyDay, ...hours(10, 22) }] },
    },
    {
      name: 'Tennis court',
      address: 'Behind the River gate',
      description: 'Rackets are in the locker by the gate.',
      group: 'Riverside',
      door: 'River gate',
      persons: [2, 4],
      timeSlots: { duration: secondsIn(90, 'minute'), items: [{ days: everyDay, ...hours(7, 22) }] },
    },
    {
      name: 'Barbecue terrace',
      address: 'Clubhouse, roof',
      description: 'Bring your own charcoal and tongs.',
      group: 'Riverside',
      door: 'Clubhouse entrance',
      persons: [2, 20],
      timeSlots: { duration: secondsIn(4, 'hour'), items: [{ days: everyDay, ...hours(10, 22) }] },
    },
  ],
  Harbour: [
    {
      name: 'Conference room',
      address: 'Pier 1, second floor',
      description: 'Seats thirty, with a projector.',
      group: 'Pier 1',
      door: 'Quay barrier',
      persons: [2, 30],
      timeSlots: { duration: secondsIn(1, 'hour'), items: [{ days: workdays, ...hours(8, 20) }] },
    },
  ],
};

/** The plans of a project with their ids. */
const foundIn = ({ id, name: project, tree, devices }: Place) =>
  plans[project].map((plan) => ({
    ...plan,
    id: demoId(`${id} amenity ${plan.name}`),
    ruleId: demoId(`${id} amenity rule ${plan.name}`),
    groupId: tree.find(({ name }) => name === plan.group)?.id ?? '',
    deviceId: devices.find(({ name }) => name === plan.door)?.id ?? '',
  }));

/** The amenities of a demo project, each with the rule that opens its door to whoever has reserved it. */
export async function seedAmenities(db: Db, place: Place): Promise<void> {
  const { tree } = place;
  const madeAt = utc(place.at).subtract(60, 'day').toDate();
  const stamp = { projectId: place.id, createdAt: madeAt, updatedAt: madeAt };
  const found = foundIn(place);
  const rules = found.map(({ ruleId: id, name }) => ({
    ...stamp,
    id,
    name: `${name} by reservation`,
    description: 'Applies during a reservation',
  }));
  const doors = found.map(({ ruleId, deviceId }) => ({ ruleId, deviceId }));
  const rows = found.map(
    ({ persons: [personsMin, personsMax], ruleId: _rule, groupId: _group, deviceId: _door, group: _called, door: _named, ...row }) => ({
      ...row,
      ...stamp,
      personsMin,
      personsMax,
    }),
  );
  const places = found.map(({ id: amenityId, groupId }) => ({ amenityId, groupId }));
  const given = found.map(({ id: amenityId, ruleId }) => ({ amenityId, ruleId }));
  await insertRows(db, accessRules, rules);
  await insertRows(db, accessRuleDevices, doors);
  await insertRows(db, amenities, rows);
  await insertRows(db, amenityGroups, places);
  await insertRows(db, amenityRules, given);
  // Everybody lives below the group at the top; who works at one pier only is left out.
  const shared = found.filter(({ groupId }) => tree.some(({ id, parentId }) => id === groupId && parentId === null));
  await seedReservations(db, { projectId: place.id, places: shared, people: [...place.staff, ...place.people], at: place.at });
}
