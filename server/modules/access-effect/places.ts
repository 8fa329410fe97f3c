import { and, sql } from 'drizzle-orm';
import type { Named } from '#models/define-model.ts';
import type { Place } from '#server/access/effect.ts';
import { loadDoors } from '#server/access/load.ts';
import { idArray } from '#server/access/measures.ts';
import { scopeOf, viewable } from '#server/access/scope.ts';
import type { Principal } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { devices, elevators } from '#server/db/schema/index.ts';
import { seenGroupName } from '../elevators/columns.ts';

/** A place by what people call it: the device, or the elevator with its floor. */
export interface SeenPlace extends Place {
  device: Named;
}

interface Floor extends Record<string, unknown> {
  controller: string;
  elevator: string;
  name: string;
  number: number;
}

/** The floors that some controllers free, of elevators in sight. */
async function seenFloors(db: Db, principal: Principal, controllers: readonly string[]): Promise<Floor[]> {
  const scope = scopeOf(principal);
  const { rows } = await db.execute<Floor>(sql`
    select controller.device_id as controller, ${elevators.id} as elevator, (floor ->> 'number')::int as number,
      concat_ws(' · ', ${seenGroupName(scope)}, ${elevators.name}, floor ->> 'name') as name
    from elevator_controllers controller join ${elevators} on ${elevators.id} = controller.elevator_id, jsonb_array_elements(${elevators.floors}) floor
    where controller.device_id = any(${idArray(controllers)}) and controller.mode = 'access' and ${viewable(scope, 'elevators')}`);
  return rows;
}

/** Of some devices the places in sight, by name: doors, and of the controllers of lifts the floors. */
export async function seenPlaces(db: Db, principal: Principal, ids: readonly string[]): Promise<SeenPlace[]> {
  const named = await db
    .select({ id: devices.id, name: devices.name })
    .from(devices)
    .where(and(sql`${devices.id} = any(${idArray(ids)})`, viewable(scopeOf(principal), 'devices')));
  const floors = await seenFloors(db, principal, ids);
  const doors = await loadDoors(db, [...new Set([...named.map(({ id }) => id), ...floors.map(({ controller }) => controller)])]);
  const doorOf = new Map(doors.map((door) => [door.id, door]));
  const places = named.flatMap((device): SeenPlace[] => {
    const door = doorOf.get(device.id);
    return door && !door.isLift ? [{ id: door.id, door, floor: null, device }] : [];
  });
  const above = floors.flatMap(({ controller, elevator, number, name }): SeenPlace[] => {
    const door = doorOf.get(controller);
    return door ? [{ id: `${controller} ${number}`, door, floor: number, device: { id: elevator, name } }] : [];
  });
  return [...places, ...above].toSorted((one, other) => one.device.name.localeCompare(other.device.name, undefined, { numeric: true }));
}
