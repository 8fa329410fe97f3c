import { inArray } from 'drizzle-orm';
import type { Db } from '../database.ts';
import {
  calls,
  forwardRules,
  groupForwardNumbers,
  groupForwardQueues,
  groupForwardRules,
  groups,
  sipNumberForwards,
  sipNumbers,
  sipTrunkGroups,
  sipTrunks,
} from '../schema/index.ts';
import { demoCalls } from './calls.ts';
import { demoId } from './chance.ts';
import { insertRows } from './insert-rows.ts';
import { type DemoNumber, demoNumbers, type NumberedWorld } from './numbers.ts';

/** So many calls a day. */
const busy = { Riverside: 46, Harbour: 9 } as const;
/** Seconds the people of a flat are rung before the desk is. */
const ringsAtHome = 20;

const plannedRules = [
  { key: 'desk', name: 'Apartment first, then the desk', isImmediately: false, timeout: ringsAtHome, redirectIfError: true },
  { key: 'all', name: 'Everyone at once', isImmediately: true, timeout: 10, redirectIfError: true },
  { key: 'patient', name: 'Ring for a minute', isImmediately: false, timeout: 60, redirectIfError: false },
] as const;

async function seedRules(db: Db, projectId: string, createdAt: Date): Promise<void> {
  await db
    .insert(forwardRules)
    .values(
      plannedRules.map(({ key, ...rule }) => ({ ...rule, id: demoId(`${projectId} rule ${key}`), projectId, createdAt, updatedAt: createdAt })),
    );
}

/** Every flat whose people have numbers rings them first, and the desk when nobody comes. */
async function seedFlats(db: Db, { id, tree, staff, people }: NumberedWorld, numbers: readonly DemoNumber[], queue: DemoNumber): Promise<void> {
  const home = new Map([...staff, ...people].map(({ user, groupId }) => [user.id, groupId]));
  const flats = tree
    .filter(({ type }) => type === 'Apartment')
    .map((flat) => ({ flat, rung: numbers.filter(({ userId }) => home.get(userId ?? '') === flat.id) }));
  const reached = flats.filter(({ rung }) => rung.length > 0);
  const queueId = (group: string, position: number): string => demoId(`queue ${group} ${position}`);
  await insertRows(
    db,
    groupForwardQueues,
    reached.flatMap(({ flat }) =>
      [0, 1].map((position) => ({ id: queueId(flat.id, position), groupId: flat.id, position, delay: position === 0 ? ringsAtHome : 60 })),
    ),
  );
  await insertRows(
    db,
    groupForwardNumbers,
    reached.flatMap(({ flat, rung }) => [
      ...rung.map((number, position) => ({ queueId: queueId(flat.id, 0), position, numberId: number.id })),
      { queueId: queueId(flat.id, 1), position: 0, numberId: queue.id },
    ]),
  );
  await insertRows(
    db,
    groupForwardRules,
    reached.map(({ flat }) => ({ groupId: flat.id, ruleId: demoId(`${id} rule desk`) })),
  );
  if (reached.length === 0) return;
  const on = reached.map(({ flat }) => flat.id);
  await db.update(groups).set({ forwardEnabled: true }).where(inArray(groups.id, on));
}

async function seedTrunk(db: Db, { id, name, seal, at }: NumberedWorld): Promise<void> {
  const trunk = { id: demoId(`${id} trunk`), projectId: id, createdAt: at, updatedAt: at };
  await db.insert(sipTrunks).values({
    ...trunk,
    name: 'City line',
    terminationUri: 'sip:trunk.cityline.example:5060',
    outgoingNumber: '+4930200100',
    login: 'riverside',
    passwordCipher: seal('not-a-real-line'),
  });
  await db.insert(sipTrunkGroups).values({ trunkId: trunk.id, groupId: demoId(`${name} root`) });
}

/** The telephony of a demo project: who is reached under which number, how calls go on, the line to the town, and sixty days of calls. */
export async function seedTelephony(db: Db, world: NumberedWorld, seed: number): Promise<void> {
  const { id, name, staff, people, devices, at } = world;
  const numbers = demoNumbers(world);
  const [queue] = numbers;
  if (!queue) return;
  await insertRows(db, sipNumbers, numbers);
  await seedRules(db, id, queue.createdAt ?? at);
  await seedFlats(db, world, numbers, queue);
  const manager = numbers.find(({ forwardMode }) => forwardMode === 'manual');
  if (manager) await db.insert(sipNumberForwards).values({ numberId: manager.id, position: 0, phone: '+4930200120' });
  if (name === 'Riverside') await seedTrunk(db, world);
  const around = { projectId: id, numbers, devices, people: [...staff, ...people], queue, at };
  await insertRows(db, calls, demoCalls(around, busy[name], seed));
}
