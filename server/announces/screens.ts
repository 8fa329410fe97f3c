import { and, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import { picturesIn } from '#models/picture-sources.ts';
import { ownTree } from '../access/measures.ts';
import { type ViewScope, scopeOf, visibleIds } from '../access/scope.ts';
import type { Principal } from '../context.ts';
import type { Db } from '../db/database.ts';
import {
  announceGroups,
  announceMarkers,
  announceMessages,
  announceRecipients,
  announceRoles,
  announces,
  devices,
  deviceTasks,
  groups,
  userDomains,
} from '../db/schema/index.ts';
import { queueTask } from '../devices/queue.ts';
import { moveTasks } from '../devices/tasks.ts';
import type { StoredAnnounce } from './audience.ts';
import { plainBody } from './sanitise.ts';

/** More does not fit on a screen. */
const longestText = 1_000;

/** Groups that the sender may put something on the screens of. */
const inScope = (scope: ViewScope): SQL =>
  sql`(${groups.id} in ${visibleIds(scope, 'groups')}${scope.principal ? sql` or ${groups.id} = any(${ownTree(scope.principal)})` : sql``})`;

/**
 * The screens on which an announcement is read: monitors of the groups its recipients belong to, and, where it is for everybody in a group, the
 * panels and monitors of that group and of all below. What is for some of them only is never read at a door.
 */
export const screensOf = (scope: ViewScope, { people, whole }: { people: SQL; whole: SQL }): SQL => sql`
  select ${devices.id} as id from ${devices}
  where ${devices.projectId} = ${scope.projectId} and ${devices.protocol} <> 'none' and (
    (${devices.type} = 'monitor' and ${devices.domainId} in (select ${userDomains.groupId} from ${userDomains} where ${userDomains.userId} in (${people})))
    or (${devices.type} in ('monitor', 'panel')
      and ${devices.domainId} in (select ${groups.id} from ${groups} where ${groups.path} && ${whole} and ${inScope(scope)})))`;

/** Puts down a message for each screen. What was on one before it was withdrawn is shown there anew. */
export async function addressScreens(tx: Db, principal: Principal, { id }: StoredAnnounce, at: Date): Promise<void> {
  await tx.delete(announceMessages).where(and(eq(announceMessages.announceId, id), isNotNull(announceMessages.deviceId)));
  const people = sql`select ${announceRecipients.userId} from ${announceRecipients} where ${announceRecipients.announceId} = ${id}`;
  const narrowed = sql`exists (select from ${announceRoles} where ${announceRoles.announceId} = ${id})
    or exists (select from ${announceMarkers} where ${announceMarkers.announceId} = ${id})`;
  const whole = sql`array(select ${announceGroups.groupId} from ${announceGroups} where ${announceGroups.announceId} = ${id} and not (${narrowed}))`;
  await tx.execute(sql`insert into ${announceMessages} (announce_id, device_id, channel, changed_at)
    select ${id}::uuid, screen.id, 'devices', ${at.toISOString()}::timestamptz from (${screensOf(scopeOf(principal), { people, whole })}) screen`);
}

/** Has a device show an announcement; answers by which task. A device that is offline shows it when it is back. */
export const showOn = (tx: Db, { id, projectId, title, body, endsAt, senderId }: StoredAnnounce, deviceId: string): Promise<string> => {
  const text = Array.from(plainBody(body));
  const [picture] = picturesIn(body);
  const payload = {
    announce: id,
    title,
    text: text.length > longestText ? `${text.slice(0, longestText - 1).join('')}…` : text.join(''),
    until: endsAt?.toISOString() ?? null,
    ...(picture !== undefined && { picture }),
  };
  return queueTask(tx, { projectId, deviceId, kind: 'show_message', payload, createdBy: senderId });
};

/** Screens that one transaction clears: the embedded database does nothing else meanwhile. */
const clearedAtOnce = 50;

/** Takes an announcement from some of its screens: those that are yet to show it never do. @returns whether others are left */
export async function clearScreens(tx: Db, { id, projectId }: StoredAnnounce, by: string | null, at: Date): Promise<boolean> {
  const { announceId, deviceId, taskId } = announceMessages;
  const shown = await tx
    .select({ id: announceMessages.id, device: deviceId, task: taskId })
    .from(announceMessages)
    .where(and(eq(announceId, id), isNotNull(deviceId), isNotNull(taskId)))
    .orderBy(announceMessages.id)
    .limit(clearedAtOnce + 1);
  const shows = shown.slice(0, clearedAtOnce);
  const tasks = shows.flatMap(({ task }) => (task === null ? [] : [task]));
  const unsent = and(inArray(deviceTasks.id, tasks), inArray(deviceTasks.status, ['new', 'queued', 'waiting']));
  const never = await moveTasks(tx, and(unsent, eq(deviceTasks.attempts, 0)), 'task.stop', { finishedAt: at }, at);
  // One that gave no answer may show it all the same.
  await moveTasks(tx, unsent, 'task.stop', { finishedAt: at }, at);
  const withdrawn = never.map((task) => task.id);
  await tx.delete(announceMessages).where(inArray(taskId, withdrawn));
  for (const { device, task } of shows)
    if (device !== null && task !== null && !withdrawn.includes(task))
      await queueTask(tx, { projectId, deviceId: device, kind: 'hide_message', payload: { announce: id }, createdBy: by });
  await tx.delete(announceMessages).where(and(inArray(taskId, tasks), eq(announceMessages.state, 'queued')));
  // What has no task any more is cleared.
  await tx.update(announceMessages).set({ taskId: null }).where(inArray(taskId, tasks));
  return shown.length > shows.length;
}

/** What devices were told to show and show still, the oldest first. */
export const messagesOn = (db: Db, deviceIds: readonly string[]) =>
  db
    .select({ deviceId: announceMessages.deviceId, payload: deviceTasks.payload })
    .from(announceMessages)
    .innerJoin(announces, eq(announces.id, announceMessages.announceId))
    .innerJoin(deviceTasks, eq(deviceTasks.id, announceMessages.taskId))
    .where(and(inArray(announceMessages.deviceId, [...deviceIds]), eq(announceMessages.state, 'sent'), eq(announces.status, 'started')))
    .orderBy(announceMessages.changedAt);
