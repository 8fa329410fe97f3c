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
    body: '<p>The left elevator is out of service on <strong>Thursday from 8 to 12</strong>.</p><p>The right elevator runs as usual. If you need help with heavy items, call the front desk.</p>',
    group: null,
    status: 'started',
    age: 2,
  },
  {
    title: 'Which plants for the courtyard?',
    body: '<p>The courtyard will be replanted in spring. The gardener offers three plans:</p><ul><li><p>roses along the wall</p></li><li><p>herbs for everyone to use</p></li><li><p>tall grasses</p></li></ul>',
    group: 'Tower B',
    status: 'started',
    age: 1,
    answers: ['Roses', 'Herbs', 'Grasses'],
    customAnswer: true,
  },
  {
    title: 'Summer party in the yard',
    body: '<p>Saturday from 16:00. Bring a cake; drinks are provided.</p>',
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

type Recipient = typeof announceRecipients.$inferInsert;

/** Who has read it, and who of them has answered. */
function receivedBy(
  { staff, people, at }: Place,
  announceId: string,
  { answers = [], customAnswer = false }: Plan,
  sentAt: Date,
  inside: ReadonlySet<string>,
) {
  const { chance, below } = dice(91 + answers.length);
  const passed = Math.max(1, at.getTime() - sentAt.getTime() - lengthOf(1, 'hour'));
  const recipients = [...staff, ...people]
    .filter(({ groupId }) => inside.has(groupId))
    .map(({ user }): Recipient & { seenAt: Date | null } => ({
      announceId,
      userId: user.id,
      seenAt: user.login !== 'resident' && chance(0.6) ? new Date(sentAt.getTime() + below(passed)) : null,
    }));
  const votes = recipients.flatMap(({ userId, seenAt }) => {
    if (answers.length === 0 || seenAt === null || !chance(0.7)) return [];
    const isOwn = customAnswer && chance(0.05);
    const answer = isOwn ? null : Math.min(below(answers.length), below(answers.length));
    return [{ announceId, userId, answer, custom: isOwn ? 'A fig tree' : null, createdAt: seenAt }];
  });
  return { recipients, votes };
}

async function seedOne(db: Db, place: Place, plan: Plan): Promise<void> {
  const { id: projectId, tree, staff, at } = place;
  const { title, body, group, status, age, answers = [], customAnswer = false } = plan;
  const sender = staff.find(({ user }) => user.login === 'admin')?.user.id ?? null;
  const id = demoId(`announce ${title}`);
  const sentAt = new Date(at.getTime() - age * lengthOf(1, 'day'));
  const end = new Date(sentAt.getTime() + lengthOf(7, 'day'));
  const top = tree.find((one) => (group === null ? one.parentId === null : one.name === group));
  if (!top) throw new Error(`the demo has no ${group}`);
  const isOut = status !== 'new';
  const type = answers.length > 0 ? ('poll' as const) : ('info' as const);
  await db.insert(announces).values({
    id,
    projectId,
    type,
    status,
    title,
    body,
    answers,
    customAnswer,
    sendVia: [],
    token: demoAnnounceToken(title),
    createdAt: sentAt,
    updatedAt: sentAt,
    createdBy: sender,
    ...(isOut && { startedAt: sentAt, senderId: sender }),
    ...(status === 'expired' && { endsAt: end, endedAt: end }),
  });
  await db.insert(announceGroups).values({ announceId: id, groupId: top.id });
  if (!isOut) return;
  const inside = new Set(tree.filter(({ path }) => path.includes(top.id)).map((one) => one.id));
  const { recipients, votes } = receivedBy(place, id, plan, sentAt, inside);
  await insertRows(db, announceRecipients, recipients);
  await insertRows(db, announceVotes, votes);
}

/** Announcements that are out, over and being written, with who has read and answered them. */
export async function seedAnnounces(db: Db, place: Place): Promise<void> {
  if (place.name === 'Riverside') for (const plan of plans) await seedOne(db, place, plan);
}
