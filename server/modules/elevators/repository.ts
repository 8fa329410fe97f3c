import { type SQL, sql } from 'drizzle-orm';
import type { ViewScope } from '#server/access/scope.ts';
import { byRules, type Link } from '#server/crud/repository.ts';
import { defineRepository } from '#server/crud/define-repository.ts';
import { oneGroup } from '#server/crud/group-path.ts';
import { inNameOrder, jsonObject, onlySeen, stampsOf } from '#server/crud/json.ts';
import { devices, elevatorControllers, elevators, groups } from '#server/db/schema/index.ts';
import { seenGroupName } from './columns.ts';
import { prepareElevator, settleElevator } from './rules.ts';

const controllerLink: Link = {
  area: 'devices',
  table: elevatorControllers,
  own: elevatorControllers.elevatorId,
  other: elevatorControllers.deviceId,
};
const { mode, deviceId, elevatorId } = elevatorControllers;

/** The devices that control it, those one may see, each with what it is for. */
const controllers = (scope: ViewScope): SQL =>
  sql`(select coalesce(json_agg(${jsonObject({ device: jsonObject({ id: devices.id, name: devices.name }), mode })} order by ${inNameOrder(devices.name)}, ${devices.id}), '[]'::json)
    from ${elevatorControllers} join ${devices} on ${devices.id} = ${deviceId} where ${elevatorId} = ${elevators.id}
      and ${onlySeen(scope, 'devices', devices.id) ?? sql`true`})`;

/** The floors as they were put in order, with the groups that lie there, as far as one may see them. */
const floors = (scope: ViewScope): SQL =>
  sql`(select coalesce(json_agg(${jsonObject({
    number: sql`(floor.value ->> 'number')::int`,
    name: sql`floor.value ->> 'name'`,
    group: oneGroup(scope, sql`(floor.value ->> 'group')::uuid`),
  })} order by floor.place), '[]'::json) from jsonb_array_elements(${elevators.floors}) with ordinality floor(value, place))`;

const freesFloors = sql`exists (select from ${elevatorControllers} where ${elevatorId} = ${elevators.id} and ${mode} = 'access')`;
const groupName = sql`(select ${groups.name} from ${groups} where ${groups.id} = ${elevators.domainId})`;
const count = sql`jsonb_array_length(${elevators.floors})`;

/** Elevators in the database. With one go the floors that rules open there. */
export const elevatorsRepository = defineRepository({
  area: 'elevators',
  table: elevators,
  compared: {
    name: { column: elevators.name, order: inNameOrder(elevators.name) },
    description: { column: elevators.description },
    domain: { columnFor: seenGroupName, column: groupName, order: (scope) => inNameOrder(seenGroupName(scope)) },
    domain_id: { column: elevators.domainId, area: 'groups' },
    controllers: { link: controllerLink },
    floors_count: { column: count },
    hasAccessModeController: { column: freesFloors },
    created_at: { column: elevators.createdAt },
    updated_at: { column: elevators.updatedAt },
  },
  shown: (scope) => ({
    ...stampsOf(elevators),
    name: sql`${elevators.name}`,
    description: sql`${elevators.description}`,
    domain: seenGroupName(scope),
    domain_id: oneGroup(scope, elevators.domainId),
    controllers: controllers(scope),
    floors: floors(scope),
    floors_count: count,
    hasAccessModeController: freesFloors,
    created_by: sql`${elevators.createdBy}`,
  }),
  dependants: [],
  written: { name: 'name', description: 'description', domain_id: 'domainId', controllers: byRules, floors: byRules },
  prepare: prepareElevator,
  settle: settleElevator,
});
