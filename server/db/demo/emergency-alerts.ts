import { lengthOf } from '#models/time.ts';
import type { Db } from '../database.ts';
import { emergencyAlertGroups, emergencyAlertRecipients, emergencyAlerts } from '../schema/index.ts';
import { demoId, dice } from './chance.ts';
import type { DemoPerson } from './people.ts';
import type { DemoGroup } from './tree.ts';

interface Place {
  id: string;
  name: 'Riverside' | 'Harbour';
  tree: readonly DemoGroup[];
  staff: readonly DemoPerson[];
  people: readonly DemoPerson[];
  at: Date;
}
interface Plan {
  name: string;
  message: string;
  /** The group it concerns; null is the whole project. */
  group: string | null;
  deviceType: 'monitor' | 'panel';
  openLocks: boolean;
  /** So many days ago there was a drill. */
  drill?: number;
}

const plans: readonly Plan[] = [
  {
    name: 'Fire in Tower B',
    message: 'Fire in Tower B. Leave the building by the stairs, do not use the elevators. The meeting point is the courtyard.',
    group: 'Tower B',
    deviceType: 'monitor',
    openLocks: true,
    drill: 21,
  },
  {
    name: 'Gas leak',
    message: 'Gas leak. Open the windows, do not touch any switches, and leave the building. Wait at the river promenade.',
    group: null,
    deviceType: 'monitor',
    openLocks: true,
  },
  {
    name: 'Наводнение',
    message: 'Вода в реке поднимается. Заберите машины с парковки и не спускайтесь в подвалы.',
    group: null,
    deviceType: 'panel',
    openLocks: false,
  },
];

/** Prepared alerts, and one drill that is over. */
export async function seedEmergencyAlerts(db: Db, { id: projectId, name: project, tree, staff, people, at }: Place): Promise<void> {
  if (project !== 'Riverside') return;
  const author = staff.find(({ user }) => user.login === 'admin')?.user.id ?? null;
  for (const { name, message, group, deviceType, openLocks, drill } of plans) {
    const top = tree.find((one) => (group === null ? one.parentId === null : one.name === group));
    if (!top) throw new Error(`the demo has no ${group}`);
    const alertId = demoId(`emergency alert ${name}`);
    const madeAt = new Date(at.getTime() - lengthOf(80, 'day'));
    const startedAt = drill === undefined ? null : new Date(at.getTime() - lengthOf(drill, 'day'));
    await db.insert(emergencyAlerts).values({
      id: alertId,
      projectId,
      name,
      message,
      deviceType,
      openLocks,
      createdAt: madeAt,
      updatedAt: startedAt ?? madeAt,
      createdBy: author,
      ...(startedAt && { status: 'stopped', isDrill: true, startedAt, endedAt: new Date(startedAt.getTime() + lengthOf(25, 'minute')) }),
    });
    await db.insert(emergencyAlertGroups).values({ alertId, groupId: top.id });
    if (!startedAt) continue;
    const { chance, below } = dice(137);
    const inside = new Set(tree.filter(({ path }) => path.includes(top.id)).map((one) => one.id));
    const after = (minutes: number): Date => new Date(startedAt.getTime() + below(lengthOf(minutes, 'minute')));
    const recipients = [...staff, ...people]
      .filter(({ groupId }) => inside.has(groupId))
      .map(({ user }) => {
        const seenAt = chance(0.85) ? after(8) : null;
        return {
          alertId,
          userId: user.id,
          seenAt,
          safeAt: seenAt && chance(0.9) ? new Date(seenAt.getTime() + below(lengthOf(12, 'minute'))) : null,
        };
      });
    if (recipients.length > 0) await db.insert(emergencyAlertRecipients).values(recipients);
  }
}
