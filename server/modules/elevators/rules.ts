import { and, eq, sql } from 'drizzle-orm';
import { idArray } from '#server/access/measures.ts';
import { scopeOf, visibleIds } from '#server/access/scope.ts';
import type { Change } from '#server/crud/repository.ts';
import { onlySeen } from '#server/crud/json.ts';
import { devices, elevatorControllers, elevators } from '#server/db/schema/index.ts';
import { invalidField } from '#server/http-error.ts';

type Controller = typeof elevatorControllers.$inferInsert;
type Floors = (typeof elevators.$inferInsert)['floors'] & object;
const wantedOf = ({ fields }: Change) => fields['controllers'] as { device: string; mode: Controller['mode'] }[];

/** Elevators are controlled by elevator controllers. */
async function requireControllers(change: Change): Promise<void> {
  const ids = wantedOf(change).map(({ device }) => device);
  const [other] = await change.tx
    .select({ id: devices.id, name: devices.name })
    .from(devices)
    .where(and(sql`${devices.id} = any(${idArray(ids)})`, sql`${devices.type} <> 'lift_controller'`))
    .limit(1);
  if (other) throw invalidField(['controllers', ids.indexOf(other.id), 'device'], 'not_elevator_controller', { name: other.name });
}

/** The floors as they are kept: where the group that lies there is out of sight, it stays. */
async function storedFloors({ tx, principal, id, fields, verb }: Change): Promise<Floors> {
  const wanted = fields['floors'] as Floors;
  if (verb === 'create') return wanted;
  const { rows } = await tx.execute<{ number: number; group: string }>(sql`
    select (floor ->> 'number')::int as number, floor ->> 'group' as group from ${elevators}, jsonb_array_elements(${elevators.floors}) floor
    where ${elevators.id} = ${id} and (floor ->> 'group')::uuid in (select id from groups) and
      (floor ->> 'group')::uuid not in ${visibleIds(scopeOf(principal), 'groups')}`);
  const hidden = new Map(rows.map(({ number, group }) => [number, group]));
  return wanted.map((floor) => ({ ...floor, group: floor.group ?? hidden.get(floor.number) ?? null }));
}

/** The rules of an elevator before it is made or changed; answers its floors. */
export async function prepareElevator(change: Change): Promise<Record<string, unknown>> {
  if ('controllers' in change.fields) await requireControllers(change);
  return 'floors' in change.fields ? { floors: await storedFloors(change) } : {};
}

/** Links exactly the controllers that are named, as far as one sees them. One of another elevator is refused by the table's key. */
async function writeControllers(change: Change): Promise<void> {
  const { tx, principal, id } = change;
  const wanted = wantedOf(change);
  const ids = idArray(wanted.map(({ device }) => device));
  const { deviceId, elevatorId } = elevatorControllers;
  await tx
    .delete(elevatorControllers)
    .where(and(eq(elevatorId, id), sql`not ${deviceId} = any(${ids})`, onlySeen(scopeOf(principal), 'devices', deviceId)));
  const had = await tx.select({ device: deviceId }).from(elevatorControllers).where(eq(elevatorId, id));
  for (const { device, mode } of wanted)
    if (had.some((one) => one.device === device))
      await tx
        .update(elevatorControllers)
        .set({ mode })
        .where(and(eq(elevatorId, id), eq(deviceId, device)));
    else await tx.insert(elevatorControllers).values({ deviceId: device, elevatorId: id, mode });
}

/** A floor that is no more is opened by no rule. */
async function forgetFloors({ tx, id, fields }: Change): Promise<void> {
  const numbers = (fields['floors'] as Floors).map(({ number }) => number);
  const left = sql`array(select number from unnest(floors) number where number = any(${`{${numbers.join(',')}}`}::int[]) order by number)`;
  await tx.execute(sql`update elevator_rule_floors set floors = ${left} where elevator_id = ${id}`);
  await tx.execute(sql`delete from elevator_rule_floors where elevator_id = ${id} and cardinality(floors) = 0`);
}

/** What follows from an elevator that was written: its controllers, and the floors that rules open. */
export async function settleElevator(change: Change): Promise<void> {
  if ('controllers' in change.fields) await writeControllers(change);
  if (change.verb === 'edit' && 'floors' in change.fields) await forgetFloors(change);
}
