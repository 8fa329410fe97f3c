import { and, eq, sql } from 'drizzle-orm';
import { idArray } from '#server/access/measures.ts';
import { seesAll, scopeOf } from '#server/access/scope.ts';
import type { Change } from '#server/crud/repository.ts';
import { onlySeen } from '#server/crud/json.ts';
import { elevatorRuleFloors, elevators } from '#server/db/schema/index.ts';
import { HttpError, invalidField } from '#server/http-error.ts';
import { beyond } from '../access-rules/rules.ts';
import { openedElevators, ruledUsers } from './links.ts';

interface Opened {
  elevator: string;
  floors: number[];
}

/** Whether a rule names a person or an elevator out of somebody's sight. */
async function reachesBeyond({ tx, principal, id }: Change): Promise<boolean> {
  const scope = scopeOf(principal);
  if (seesAll(scope, 'elevator-access-rules')) return false;
  const { rows } = await tx.execute<{ beyond: boolean }>(
    sql`select (${beyond(scope, ruledUsers, id)} or ${beyond(scope, openedElevators, id)}) as beyond`,
  );
  return rows[0]?.beyond === true;
}

/** Floors are opened that the elevator has. */
async function requireFloors({ tx, fields }: Change): Promise<void> {
  const wanted = fields['elevators'] as Opened[];
  const known = await tx
    .select({ id: elevators.id, floors: elevators.floors })
    .from(elevators)
    .where(sql`${elevators.id} = any(${idArray(wanted.map(({ elevator }) => elevator))})`);
  wanted.forEach(({ elevator, floors }, at) => {
    const has = known.find(({ id }) => id === elevator)?.floors.map(({ number }) => number) ?? [];
    if (floors.some((floor) => !has.includes(floor))) throw invalidField(['elevators', at, 'floors'], 'elevator_floor_unknown');
  });
}

/** A rule that reaches beyond one's groups is for those who see all of it. */
export async function prepareElevatorRule(change: Change): Promise<void> {
  if (change.verb === 'edit' && (await reachesBeyond(change))) throw new HttpError('editing_prohibited');
  if ('elevators' in change.fields) await requireFloors(change);
}
export async function beforeElevatorRuleDelete(change: Change): Promise<void> {
  if (await reachesBeyond(change)) throw new HttpError('deleting_prohibited');
}

/** Keeps the floors that the rule opens. */
export async function settleElevatorRule({ tx, principal, id, fields }: Change): Promise<void> {
  if (!('elevators' in fields)) return;
  const { ruleId, elevatorId } = elevatorRuleFloors;
  await tx.delete(elevatorRuleFloors).where(and(eq(ruleId, id), onlySeen(scopeOf(principal), 'elevators', elevatorId)));
  const rows = (fields['elevators'] as Opened[]).map(({ elevator, floors }) => ({ ruleId: id, elevatorId: elevator, floors }));
  if (rows.length > 0) await tx.insert(elevatorRuleFloors).values(rows);
}
