import { and, eq, sql } from 'drizzle-orm';
import { topics } from '#models/realtime.ts';
import { idArray } from '#server/access/measures.ts';
import { inVerbScope } from '#server/access/scope.ts';
import type { Change } from '#server/crud/repository.ts';
import { elevators } from '#server/db/schema/index.ts';
import { invalidField } from '#server/http-error.ts';
import { publish } from '#server/realtime/publish.ts';
import { refusedField } from '../roles/rules.ts';

/** Brings the elevators that a group's form names into the group: only those that the principal may edit. One is not let go, only taken by another group. */
export async function takeElevators({ tx, principal, id, at, fields, before }: Change): Promise<void> {
  const wanted = (fields['elevators'] ?? []) as string[];
  const were = ((before?.['elevators'] ?? []) as { id: string; name: string }[]).map((elevator) => elevator.id);
  if (were.some((elevator) => !wanted.includes(elevator))) throw invalidField(['elevators'], 'elevator_needs_group');
  const taken = wanted.filter((elevator) => !were.includes(elevator));
  if (taken.length === 0) return;
  const moved = await tx
    .update(elevators)
    .set({ domainId: id, version: sql`${elevators.version} + 1`, updatedAt: at })
    .where(
      and(sql`${elevators.id} = any(${idArray(taken)})`, eq(elevators.projectId, principal.projectId), inVerbScope(principal, 'edit', 'elevators')),
    )
    .returning({ id: elevators.id });
  if (moved.length < taken.length) throw refusedField('elevators', 'not_allowed');
  await publish(tx, principal.projectId, topics.area('elevators'), 'RowsChanged', { area: 'elevators', ids: moved.map((elevator) => elevator.id) });
}

/** The group lies on no floor any more. */
export async function clearFloors(tx: Change['tx'], group: string): Promise<void> {
  const cleared = sql`(select jsonb_agg(case when floor ->> 'group' = ${group} then floor || '{"group": null}' else floor end order by place)
    from jsonb_array_elements(${elevators.floors}) with ordinality floors(floor, place))`;
  await tx
    .update(elevators)
    .set({ floors: cleared, version: sql`${elevators.version} + 1` })
    .where(sql`${elevators.floors} @> jsonb_build_array(jsonb_build_object('group', ${group}::text))`);
}
