import type { Db } from '../database.ts';
import { deviceEvents, devices, deviceTasks, identifiers } from '../schema/index.ts';
import { demoDeviceEvents, demoDeviceTasks } from './device-events.ts';
import { type DemoDevice, demoDevices } from './devices.ts';
import { type DemoIdentifier, demoIdentifiers } from './identifiers.ts';
import { insertRows } from './insert-rows.ts';
import type { DemoPerson } from './people.ts';
import type { DemoGroup } from './tree.ts';

/** A demo project as its devices need it. */
interface Deps {
  id: string;
  name: 'Riverside' | 'Harbour';
  tree: readonly DemoGroup[];
  staff: readonly DemoPerson[];
  people: readonly DemoPerson[];
  at: Date;
  seal: (text: string) => string;
  /** Where devices spoken to by HTTP answer. */
  port: number;
}
const busy = { Riverside: { perDay: 74, tasks: 160, seed: 11 }, Harbour: { perDay: 8, tasks: 20, seed: 12 } } as const;

/** Identifiers with when they opened first and last, as the log has it. */
function usedAsReported(held: readonly DemoIdentifier[], events: readonly (typeof deviceEvents.$inferInsert)[]): DemoIdentifier[] {
  const uses = new Map<string, { firstUsedAt: Date; lastUsedAt: Date }>();
  for (const { type, identifierId, occurredAt } of events)
    if (type === 'access_granted' && identifierId)
      uses.set(identifierId, { firstUsedAt: uses.get(identifierId)?.firstUsedAt ?? occurredAt, lastUsedAt: occurredAt });
  return held.map((one) => ({ ...one, ...(uses.get(one.id) ?? { firstUsedAt: null, lastUsedAt: null }) }));
}

/** The devices of a demo project with what they have been through: identifiers of the people, events, tasks. Answers the devices. */
export async function seedDevices(db: Db, { id, name, tree, staff, people, at, seal, port }: Deps): Promise<DemoDevice[]> {
  const { perDay, tasks, seed } = busy[name];
  const made = demoDevices({ id, name }, tree, at, { seal, port });
  const held = demoIdentifiers(id, [...staff, ...people], at, seed);
  const world = { projectId: id, devices: made, people: [...staff, ...people], identifiers: held, at };
  const [troubled] = made.filter(({ model, online }) => online && model === 'AC-2 Face');
  if (troubled)
    troubled.syncErrors = {
      identifiers: held.slice(40, 43).map((one) => ({ id: one.id, name: one.name, error: 'memory_full' })),
      schedules: [],
    };
  const events = demoDeviceEvents(world, perDay, seed);
  await insertRows(db, devices, made);
  await insertRows(db, identifiers, usedAsReported(held, events));
  await insertRows(db, deviceEvents, events);
  await insertRows(db, deviceTasks, demoDeviceTasks(world, tasks, seed));
  return made;
}
