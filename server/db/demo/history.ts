import type { auditEvents } from '../schema/index.ts';
import { demoId, dice } from './chance.ts';
import type { DemoGroup } from './tree.ts';
import type { UserRow } from './people.ts';
import { lengthOf } from '#models/time.ts';

type Entry = typeof auditEvents.$inferInsert;
const day = lengthOf(1, 'day');

/** Ninety days of small changes, so that the trail of the demo has something to read. */
export function demoHistory(
  projectId: string,
  actors: readonly UserRow[],
  people: readonly UserRow[],
  groups: readonly DemoGroup[],
  at: Date,
): Entry[] {
  const { below, pick, chance } = dice(20_26);
  const by = (actor: UserRow, index: number, time: number) => ({
    id: demoId(`${projectId} audit ${index}`),
    projectId,
    userId: actor.id,
    userName: actor.name,
    ip: `192.0.2.${10 + below(40)}`,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156',
    createdAt: new Date(time),
  });
  return Array.from({ length: 180 }, (_, index): Entry => {
    const actor = pick(actors);
    const head = by(actor, index, at.getTime() - below(90 * day));
    return { ...head, ...changeOf({ actor, user: pick(people), group: pick(groups), barred: chance(0.5) }, below(5)) };
  });
}

interface Moment {
  actor: UserRow;
  user: UserRow;
  group: DemoGroup;
  barred: boolean;
}
/** What was done, by the number that was thrown. */
function changeOf({ actor, user, group, barred }: Moment, thrown: number): Pick<Entry, 'area' | 'entityId' | 'entityName' | 'action' | 'changes'> {
  const ofUser = { area: 'users', entityId: user.id, entityName: user.name };
  const phone = { before: null, after: user.phone ?? '+49305550123' };
  const description = { before: null, after: group.description ?? 'Checked during the spring inspection' };
  switch (thrown) {
    case 0:
      return { ...ofUser, action: 'update', changes: { 'profile.phone': phone } };
    case 1:
      return { ...ofUser, action: 'update', changes: { elevator_access_disabled: { before: !barred, after: barred } } };
    case 2:
      return { area: 'groups', entityId: group.id, entityName: group.name, action: 'update', changes: { description } };
    case 3:
      return { ...ofUser, action: 'registration_link' };
    default:
      return { area: 'users', entityId: actor.id, entityName: actor.name, action: 'sign_in' };
  }
}
