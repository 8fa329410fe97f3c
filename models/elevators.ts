import { z } from 'zod';
import { defineModel, named, placedGroup, type RowOf } from './define-model.ts';
import type { Issue } from './issues.ts';
import { choice, name, optionalText, placeIn, ref, requiredText, rule } from './rules.ts';

/** What a controller is for (spec A4.1): it calls the car up, down or both ways, or frees floors for those who may go there. */
export const controllerModes = ['up', 'down', 'up_and_down', 'access'] as const;
export type ControllerMode = (typeof controllerModes)[number];

const controller = z.strictObject({ device: ref('devices'), mode: choice(controllerModes) });
/** One floor of the shaft, from the lowest up: the relay that frees it, what people call it, and the group that lies there. */
export const elevatorFloor = z.strictObject({
  number: placeIn(1, 64, 'relays_out_of_range'),
  name: requiredText(31),
  group: ref('groups').nullable(),
});
export const shownFloor = elevatorFloor.extend({ group: placedGroup.nullable() });
export type ElevatorFloor = z.infer<typeof shownFloor>;

/** Elevators: where they stand, which devices control them, which floors they have. */
export const elevators = defineModel({
  name: 'elevators',
  fields: {
    name: name(),
    description: optionalText(),
    domain_id: z.uuid({ error: 'elevator_needs_group' }).meta({ kind: 'ref', ref: 'groups' }),
    controllers: z
      .array(controller)
      .max(16)
      .refine((list) => list.length > 0, rule('elevator_needs_controller'))
      .meta({ kind: 'controllers' }),
    floors: z
      .array(elevatorFloor)
      .max(64)
      .refine((list) => list.length > 0, rule('elevator_needs_floors'))
      .meta({ kind: 'elevator-floors' }),
  },
  shown: {
    /** The name of its group. */
    domain: z.string().nullable(),
    domain_id: placedGroup.nullable(),
    controllers: z.array(controller.extend({ device: named })),
    floors: z.array(shownFloor),
    floors_count: z.int(),
    /** Whether one of its controllers frees floors. */
    hasAccessModeController: z.boolean(),
    created_by: z.uuid().nullable(),
  },
  initial: { name: '', description: '', domain_id: null, controllers: [], floors: [] },
  filters: {
    name: 'text',
    description: 'text',
    domain_id: 'ref',
    controllers: 'refs',
    hasAccessModeController: 'flag',
    created_at: 'time',
  },
  sorts: ['name', 'domain', 'floors_count', 'hasAccessModeController', 'created_at', 'updated_at'],
  refine: elevatorIssues,
  feature: 'elevator',
});
export type Elevator = RowOf<typeof elevators>;

/** The places in a list whose value stood there before. */
const repeated = (values: readonly unknown[]): number[] => values.flatMap((value, at) => (values.indexOf(value) < at ? [at] : []));

/** A device controls an elevator once, and a relay frees one floor. */
function elevatorIssues({ controllers, floors }: Record<string, unknown>): Issue[] {
  const devices = Array.isArray(controllers) ? controllers.map(({ device }: { device?: unknown }) => device) : [];
  const numbers = Array.isArray(floors) ? floors.map(({ number }: { number?: unknown }) => number) : [];
  return [
    ...repeated(devices).map((at) => ({ path: ['controllers', at, 'device'], rule: 'unique', params: {} })),
    ...repeated(numbers).map((at) => ({ path: ['floors', at, 'number'], rule: 'unique', params: {} })),
  ];
}
