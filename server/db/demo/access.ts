import { hasDoor } from '#models/device-models.ts';
import { utc } from '#models/time.ts';
import type { Db } from '../database.ts';
import { accessRuleDevices, accessRuleGroups, accessRules, accessRuleSchedules, accessRuleUsers, groupHolidays, schedules } from '../schema/index.ts';
import { demoId } from './chance.ts';
import type { DemoDevice } from './devices.ts';
import { insertRows } from './insert-rows.ts';
import type { DemoPerson } from './people.ts';
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

const hour = 3_600;
const weekdays = { mon: true, tue: true, wed: true, thu: true, fri: true, sat: false, sun: false };
const everyDay = { ...weekdays, sat: true, sun: true };
const hours = [
  { name: 'Working hours', ...weekdays, fromSeconds: 9 * hour, toSeconds: 18 * hour, holidayMode: 'rests', description: 'Offices and workshops' },
  {
    name: 'Club opening hours',
    ...everyDay,
    fromSeconds: 7 * hour,
    toSeconds: 22 * hour,
    holidayMode: 'own_hours',
    holidayFrom: 10 * hour,
    holidayTo: 18 * hour,
  },
  { name: 'Cleaning', ...weekdays, mon: false, wed: false, thu: false, fromSeconds: 6 * hour, toSeconds: 9 * hour },
  { name: 'Night shift', ...everyDay, fromSeconds: 22 * hour, toSeconds: 6 * hour, description: 'Until the next morning' },
  { name: 'Monthly maintenance', ...everyDay, fromSeconds: 8 * hour, toSeconds: 16 * hour, repeatMode: 'monthly', validFrom: '2026-01-15' },
] as const;

/** Whose doors stand in a group or below it. */
const within = ({ tree, devices }: Place, name: string): DemoDevice[] => {
  const top = tree.find((group) => group.name === name);
  const below = new Set(tree.filter(({ path }) => top && path.includes(top.id)).map(({ id }) => id));
  return devices.filter((device) => below.has(device.domainId) && hasDoor(device));
};
const called = ({ devices }: Place, ...names: string[]): DemoDevice[] => devices.filter((device) => names.includes(device.name));

interface Plan {
  name: string;
  doors: readonly DemoDevice[];
  groups?: readonly string[];
  people?: readonly DemoPerson[];
  schedule?: string;
  prohibition?: boolean;
  shareable?: boolean;
  description?: string;
}

/** Residents come into their own house, the yard, the parking and the clubhouse; others at their hours. */
function riverside(place: Place): Plan[] {
  // The meeting room opens to who has reserved it.
  const club = within(place, 'Clubhouse').filter(({ name }) => name !== 'Meeting rooms');
  const gates = called(place, 'Main gate', 'River gate');
  const cleaners = place.people.filter((_, at) => at % 97 === 5).slice(0, 3);
  return [
    { name: 'Residents of Tower A', doors: within(place, 'Tower A'), groups: ['Tower A'], shareable: true },
    { name: 'Residents of Tower B', doors: within(place, 'Tower B'), groups: ['Tower B'], shareable: true },
    { name: 'Gates', doors: gates, groups: ['Riverside'], shareable: true, description: 'Everyone who lives or works here' },
    { name: 'Parking', doors: within(place, 'Parking'), groups: ['Tower A', 'Tower B'] },
    { name: 'Clubhouse for residents', doors: club, groups: ['Tower A', 'Tower B'], schedule: 'Club opening hours', shareable: true },
    { name: 'Staff', doors: place.devices.filter(hasDoor), people: place.staff },
    { name: 'Cleaners', doors: [...within(place, 'Tower A'), ...within(place, 'Tower B')], people: cleaners, schedule: 'Cleaning' },
    { name: 'Pool closed at night', doors: called(place, 'Pool'), groups: ['Tower A', 'Tower B'], schedule: 'Night shift', prohibition: true },
  ];
}
const harbour = (place: Place): Plan[] => [
  { name: 'Tenants of Pier 1', doors: [...within(place, 'Pier 1'), ...called(place, 'Quay barrier')], groups: ['Pier 1'], shareable: true },
  { name: 'Tenants of Pier 2', doors: [...within(place, 'Pier 2'), ...called(place, 'Quay barrier')], groups: ['Pier 2'], schedule: 'Working hours' },
  { name: 'Staff', doors: place.devices.filter(hasDoor), people: place.staff },
];

const holidays = [
  ['2026-12-25', 'Christmas Day'],
  ['2026-12-26', 'Boxing Day'],
  ['2027-01-01', 'New Year'],
  ['2027-05-01', 'Labour Day'],
] as const;

/** Whom and what the rules name. */
async function linkRules(
  db: Db,
  { tree }: Place,
  plans: readonly (Plan & { ruleId: string })[],
  scheduleOf: (name: string) => string,
): Promise<void> {
  const groupOf = (name: string): string => tree.find((group) => group.name === name)?.id ?? '';
  const links = <Row>(rows: (plan: Plan & { ruleId: string }) => Row[]): Row[] => plans.flatMap(rows);
  await insertRows(
    db,
    accessRuleDevices,
    links(({ ruleId, doors }) => doors.map(({ id: deviceId }) => ({ ruleId, deviceId }))),
  );
  await insertRows(
    db,
    accessRuleGroups,
    links(({ ruleId, groups = [] }) => groups.map((name) => ({ ruleId, groupId: groupOf(name) }))),
  );
  await insertRows(
    db,
    accessRuleUsers,
    links(({ ruleId, people = [] }) => people.map(({ user }) => ({ ruleId, userId: user.id }))),
  );
  await insertRows(
    db,
    accessRuleSchedules,
    links(({ ruleId, schedule }) => (schedule ? [{ ruleId, scheduleId: scheduleOf(schedule) }] : [])),
  );
}

/** Who may open what and when in a demo project: schedules, access rules, the holidays of its first group. */
export async function seedAccess(db: Db, place: Place): Promise<void> {
  const projectId = place.id;
  const madeAt = utc(place.at).subtract(91, 'day').toDate();
  const stamp = { projectId, createdAt: madeAt, updatedAt: madeAt };
  const idOf = (kind: string, name: string): string => demoId(`${projectId} ${kind} ${name}`);
  await db.insert(schedules).values(hours.map((one) => ({ ...one, ...stamp, id: idOf('schedule', one.name) })));
  const root = place.tree[0];
  if (root) await db.insert(groupHolidays).values(holidays.map(([date, name]) => ({ groupId: root.id, date, name })));
  const plans = (place.name === 'Riverside' ? riverside(place) : harbour(place)).map((plan) => ({ ...plan, ruleId: idOf('rule', plan.name) }));
  await db.insert(accessRules).values(
    plans.map(({ ruleId, name, description = null, prohibition = false, shareable = false }) => ({
      ...stamp,
      id: ruleId,
      name,
      description,
      prohibition,
      isShareable: shareable,
    })),
  );
  await linkRules(db, place, plans, (name) => idOf('schedule', name));
}
