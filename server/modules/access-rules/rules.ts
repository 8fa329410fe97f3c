import { type SQL, sql } from 'drizzle-orm';
import { hasPermission } from '#models/permissions.ts';
import { idArray } from '#server/access/measures.ts';
import { seesAll, type ViewScope, scopeOf, visibleIds } from '#server/access/scope.ts';
import type { Change, Link } from '#server/crud/repository.ts';
import { HttpError } from '#server/http-error.ts';
import { refusedField } from '../roles/rules.ts';
import { ruleDevices, ruleGroups, ruleIdentifiers, ruleUsers } from './links.ts';

/** Whether a row links one that is out of sight. */
export const beyond = (scope: ViewScope, { area, table, own, other }: Link, id: string): SQL =>
  sql`exists (select from ${table} where ${own} = ${id} and ${other} not in ${visibleIds(scope, area)})`;

/** Whether a rule names a device, group, person or identifier out of somebody's sight. */
async function reachesBeyond({ tx, principal, id }: Change): Promise<boolean> {
  const scope = scopeOf(principal);
  if (seesAll(scope, 'access-rules')) return false;
  const { rows } = await tx.execute<{ beyond: boolean }>(
    sql`select (${beyond(scope, ruleDevices, id)} or ${beyond(scope, ruleGroups, id)} or ${beyond(scope, ruleUsers, id)}
      or ${beyond(scope, ruleIdentifiers, id)}) as beyond`,
  );
  return rows[0]?.beyond === true;
}

/** A rule that reaches beyond one's groups is for those who see all of it: a change would open and close doors of others. */
export async function prepareRule(change: Change): Promise<void> {
  if (change.verb === 'edit' && (await reachesBeyond(change))) throw new HttpError('editing_prohibited');
}
export async function beforeRuleDelete(change: Change): Promise<void> {
  if (await reachesBeyond(change)) throw new HttpError('deleting_prohibited');
}

/**
 * Rules are given to people, groups and devices, and taken from them, by those who may change rules; a shareable one, and one's own, by whoever may change
 * the record it is given to.
 */
export async function requireMayGive({ tx, principal, fields, before }: Change): Promise<void> {
  const wanted = fields['access_rules'] as string[] | undefined;
  if (!wanted || hasPermission(principal, 'can_edit_access_rules')) return;
  const had = ((before?.['access_rules'] ?? []) as { id: string }[]).map(({ id }) => id);
  const changed = [...wanted.filter((id) => !had.includes(id)), ...had.filter((id) => !wanted.includes(id))];
  if (changed.length === 0) return;
  const { rows } = await tx.execute<{ id: string }>(
    sql`select id from access_rules where id = any(${idArray(changed)}) and (is_shareable or created_by = ${principal.id})`,
  );
  if (rows.length < changed.length) throw refusedField('access_rules', 'not_allowed');
}
