import { and, eq } from 'drizzle-orm';
import { hasPermission } from '#models/permissions.ts';
import type { Db } from '#server/db/database.ts';
import { sipNumbers } from '#server/db/schema/index.ts';
import { callable } from '../callable.ts';
import type { CalledGroup, Holder } from './directory.ts';
import { singleFlight } from '../single-flight.ts';

const share = (some: readonly string[], others: readonly string[]): boolean => some.some((id) => others.includes(id));

/** May somebody call a number? As far as their contacts reach, and whoever sits at the desk of a group above. */
async function mayCallNumber(db: Db, caller: Holder, callee: Holder): Promise<boolean> {
  if (hasPermission(callee, 'can_receive_call_as_concierge') && share(callee.groups, caller.path)) return true;
  const who = { id: caller.userId ?? '', projectId: caller.projectId, permissions: caller.permissions, domains: caller.groups };
  const found = await singleFlight(db, ['callable', callee.numberId, who], async () =>
    db
      .select({ id: sipNumbers.id })
      .from(sipNumbers)
      .where(and(eq(sipNumbers.id, callee.numberId), callable(who))),
  );
  return found.length > 0;
}

/** May somebody call a group by its logical address? Own groups and what is below, as their role says; what is above always. */
function mayCallGroup(caller: Holder, group: CalledGroup): boolean {
  if (hasPermission(caller, 'can_call_all') || caller.path.includes(group.id)) return true;
  if (hasPermission(caller, 'can_call_own_group') && caller.groups.includes(group.id)) return true;
  return hasPermission(caller, 'can_call_descendants') && share(group.path, caller.groups);
}

/** May this caller call there? Panels and calls from outside (null) reach everything of the project, people what their role says. */
export async function mayCall(db: Db, caller: Holder | null, callee: Holder | null, group: CalledGroup | null): Promise<boolean> {
  if (!caller || caller.userId === null) return true;
  if (callee) return mayCallNumber(db, caller, callee);
  return group !== null && mayCallGroup(caller, group);
}
