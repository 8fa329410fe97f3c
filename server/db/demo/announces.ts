import { lengthOf } from '#models/time.ts';
import type { Db } from '../database.ts';
import { announceGroups, announceRecipients, announces, announceVotes } from '../schema/index.ts';
import { demoId, dice } from './chance.ts';
import { insertRows } from './insert-rows.ts';
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
  title: string;
  body: string;
  /** The group it goes to; null is the whole project. */
  group: string | null;
  status: 'new' | 'started' | 'expired';
  /** Days ago. */
  age: number;
  answers?: string[];
  customAnswer?: boolean;
}

const plans: readonly Plan[] = [
  {
    title: 'Elevator service on Thursday',
    body: '<p>The left elevator is out of service on <strong>Thursday from 8 to 12</strong>.</p><p>The right elevator runs as usual. If you need help with heavy things, call the front desk.</p>',
    group: null,
    status: 'started',
    age: 2,
  },
  {
    title: 'Which plants for the courtyard?',
    body: '<p>The courtyard is replanted in spring. The gardener offers three plans:</p><ul><li><p>roses along the wall</p></li><li><p>herbs that everybody may use</p></li><li><p>tall grasses</p></li></ul>',
    group: 'Tower B',
    status: 'started',
    age: 1,
    answers: ['Roses', 'Herbs', 'Grasses'],
    customAnswer: true,
  },
  {
    title: 'Summer party in the yard',
    body: '<p>Saturday from 16:00. Bring a cake; drinks are there.</p>',
    group: null,
    status: 'expired',
    age: 90,
  },
  {
    title: 'Bicycle racks in the garage',
    body: '<p>There is room for twenty racks at the north wall. Would you use one?</p>',
    group: 'Tower B',
    status: 'new',
    age: 0,
    answers: ['Yes', 'No'],
  },
];

/** By which the demo's announcement of that name is opened. */
export const demoAnnounceToken = (title: string): string => demoId(`announce token ${title}`);

/** Announcements that are out, over and being written, with who has read and answered them. */
export async function seedAnnounces(db: Db, { id: projectId, name, tree, staff, people, at }: Place): Promise<void> {
  if (name !== 'Riverside') return;
  const { chance, below } = dice(91);
  const sender = staff.find(({ user }) => user.login === 'admin')?.user;
  for (const { title, body, group, status, age, answers = [], customAnswer = false } of plans) {
    const id = demoId(`announce ${title}`);
    const sentAt = new Date(at.getTime() - age * lengthOf(1, 'day'));
    const top = tree.find((one) => (group === null ? one.parentId === null : one.name === group));
    if (!top) throw new Error(`the demo has no ${group}`);
    const inside = new Set(tree.filter(({ path }) => path.includes(top.id)).map((one) => one.id));
    const isOut = status !== 'new';
    await db.insert(announces).values({
      id,
      projectId,
      type: answers.length > 0 ? 'poll' : 'info',
      status,
      title,
      body,
      sendVia: [],
      answers,
      customAnswer,
      token: demoAnnounceToken(title),
      createdAt: sentAt,
      updatedAt: sentAt,
      createdBy: sender?.id ?? null,
      ...(isOut && { startedAt: sentAt, senderId: sender?.id ?? null }),
      ...(status === 'expired' && {
        endsAt: new Date(sentAt.getTime() + lengthOf(7, 'day')),
        endedAt: new Date(sentAt.getTime() + lengthOf(7, 'day')),
      }),
    });
    await db.insert(announceGroups).values({ announceId: id, groupId: top.id });
    if (!isOut) continue;
    const passed = Math.max(1, at.getTime() - sentAt.getTime() - lengthOf(1, 'hour'));
    const recipients = [...staff, ...people]
      .filter(({ groupId }) => inside.has(groupId))
      .map(({ user }) => ({
        announceId: id,
        userId: user.id,
        seenAt: user.login !== 'resident' && chance(0.6) ? new Date(sentAt.getTime() + below(passed)) : null,
      }));
    await insertRows(db, announceRecipients, recipients);
    const votes = recipients.flatMap(({ userId, seenAt }) => {
      if (answers.length === 0 || seenAt === null || !chance(0.7)) return [];
      const isOwn = customAnswer && chance(0.05);
      return [
        {
          announceId: id,
          userId,
          answer: isOwn ? null : Math.min(below(answers.length), below(answers.length)),
          custom: isOwn ? 'A fig tree' : null,
          createdAt: seenAt,
        },
      ];
    });
    await insertRows(db, announceVotes, votes);
  }
}
