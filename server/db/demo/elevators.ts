import { utc } from '#models/time.ts';
import type { Db } from '../database.ts';
import { elevatorAccessRules, elevatorControllers, elevatorRuleFloors, elevatorRuleUsers, elevators } from '../schema/index.ts';
import { demoId } from './chance.ts';
import type { DemoDevice } from './devices.ts';
import { type DemoElevator, seedElevatorEvents } from './elevator-events.ts';
import { insertRows } from './insert-rows.ts';
import type { DemoPerson } from './people.ts';
import type { DemoGroup } from './tree.ts';

interface Place {
  id: string;
  tree: readonly DemoGroup[];
  staff: readonly DemoPerson[];
  people: readonly DemoPerson[];
  devices: readonly DemoDevice[];
  at: Date;
}
/** A house with its elevators and floors, the lowest first. */
interface House {
  top: DemoGroup;
  lifts: readonly DemoDevice[];
  floors: readonly DemoGroup[];
}

const housesOf = ({ tree, devices }: Place): House[] =>
  tree
    .filter(({ type }) => type === 'Building')
    .map((top) => ({
      top,
      lifts: devices.filter(({ type, domainId }) => type === 'lift_controller' && domainId === top.id),
      floors: tree.filter(({ type, parentId }) => type === 'Floor' && parentId === top.id),
    }))
    .filter(({ lifts, floors }) => lifts.length > 0 && floors.length > 0);

/** Who lives or works on a floor. */
const peopleOn = ({ tree, people }: Place, floor: DemoGroup): DemoPerson[] => {
  const below = new Set(tree.filter(({ path }) => path.includes(floor.id)).map(({ id }) => id));
  return people.filter(({ groupId }) => below.has(groupId));
};

/** What people call an elevator in its house. */
const nameOf = (top: DemoGroup, lift: DemoDevice): string => lift.name.replace(`${top.name} `, '').replace(/^./, (first) => first.toUpperCase());

interface Rule {
  name: string;
  description: string | null;
  people: readonly DemoPerson[];
  /** Elevators by id, with the relays of their floors. */
  opens: readonly { elevatorId: string; floors: number[] }[];
}

/** Everybody goes to the ground floor and their own; the staff go everywhere. */
function rulesOf(place: Place, houses: readonly House[], elevatorOf: (lift: DemoDevice) => string): Rule[] {
  const own = houses.flatMap(({ top, lifts, floors }) =>
    floors.flatMap((floor, at): Rule[] => {
      const people = peopleOn(place, floor);
      const opens = lifts.map((lift) => ({ elevatorId: elevatorOf(lift), floors: at === 0 ? [1] : [1, at + 1] }));
      return people.length === 0 ? [] : [{ name: `${top.name}, ${floor.name.toLowerCase()}`, description: null, people, opens }];
    }),
  );
  const everywhere = houses.flatMap(({ lifts, floors }) =>
    lifts.map((lift) => ({ elevatorId: elevatorOf(lift), floors: floors.map((_, at) => at + 1) })),
  );
  return everywhere.length === 0
    ? []
    : [...own, { name: 'Staff on all floors', description: 'Cleaning, repairs, concierge', people: place.staff, opens: everywhere }];
}

/** The elevators of a demo project and who may go where in them. */
export async function seedElevators(db: Db, place: Place): Promise<void> {
  const madeAt = utc(place.at).subtract(91, 'day').toDate();
  const stamp = { projectId: place.id, createdAt: madeAt, updatedAt: madeAt };
  const houses = housesOf(place);
  const elevatorOf = ({ id }: DemoDevice): string => demoId(`${place.id} elevator ${id}`);
  for (const { top, lifts, floors } of houses)
    for (const lift of lifts) {
      const shaft = floors.map(({ id, logicAddress }, at) => ({ number: at + 1, name: logicAddress ?? String(at + 1), group: id }));
      await db.insert(elevators).values({ ...stamp, id: elevatorOf(lift), domainId: top.id, name: nameOf(top, lift), floors: shaft });
      await db.insert(elevatorControllers).values({ deviceId: lift.id, elevatorId: elevatorOf(lift), mode: 'access' });
    }
  const rules = rulesOf(place, houses, elevatorOf).map((rule) => ({ ...rule, id: demoId(`${place.id} elevator rule ${rule.name}`) }));
  await insertRows(
    db,
    elevatorAccessRules,
    rules.map(({ id, name, description }) => ({ ...stamp, id, name, description })),
  );
  await insertRows(
    db,
    elevatorRuleUsers,
    rules.flatMap(({ id: ruleId, people }) => people.map(({ user }) => ({ ruleId, userId: user.id }))),
  );
  await insertRows(
    db,
    elevatorRuleFloors,
    rules.flatMap(({ id: ruleId, opens }) => opens.map((one) => ({ ruleId, ...one }))),
  );
  await seedElevatorEvents(db, { projectId: place.id, at: place.at, elevators: houses.flatMap((house) => riddenOf(place, house, elevatorOf)) });
}

/** The elevators of a house as people ride them. */
const riddenOf = (place: Place, { top, lifts, floors }: House, elevatorOf: (lift: DemoDevice) => string): DemoElevator[] =>
  lifts
    .filter(({ online }) => online !== null)
    .map((lift) => ({
      id: elevatorOf(lift),
      name: nameOf(top, lift),
      device: lift,
      floors: floors.map((floor, at) => ({
        number: at + 1,
        name: floor.logicAddress ?? String(at + 1),
        rule: `${top.name}, ${floor.name.toLowerCase()}`,
        people: peopleOn(place, floor).map(({ user }) => ({ id: user.id, name: user.name })),
      })),
    }));
