import { z } from 'zod';
import { defineModel, named, picture, type RowOf } from './define-model.ts';
import { denialReasons, identifierTypes } from './device-events.ts';
import { personThen } from './hidden-name.ts';

/** What of a controller's events is about its elevator: floors freed by an identifier or refused, the car called, the car there. */
export const elevatorEventTypes = ['access_granted', 'access_denied', 'elevator_called', 'elevator_arrived'] as const;
/** Which way somebody wants to go. */
export const callDirections = ['up', 'down'] as const;

/** The log of elevators: who went where with what, who was refused and why, who called the car. Names are those of the time. */
export const elevatorEvents = defineModel({
  name: 'elevator-events',
  fields: {},
  shown: {
    type: z.enum(elevatorEventTypes),
    /** The elevator itself, if it is still there and in sight, with the name of its group. */
    elevator: z.strictObject({ ...named.shape, domain: z.string().nullable() }).nullable(),
    elevator_name: z.string(),
    device: named.nullable(),
    device_name: z.string(),
    user: personThen.nullable(),
    identifier: z.uuid().nullable(),
    identifier_type: z.enum(identifierTypes).nullable(),
    /** The end of the identifier, never the whole. */
    identifier_mask: z.string().nullable(),
    /** The floors that were freed, or the one the car was called to. */
    floor: z.string().nullable(),
    direction: z.enum(callDirections).nullable(),
    apartment: z.string().nullable(),
    reason: z.enum(denialReasons).nullable(),
    /** What the rule that decided was called. */
    rule: z.string().nullable(),
    image_url: picture.nullable(),
    occurred_at: z.iso.datetime(),
  },
  initial: {},
  filters: {
    type: 'choice',
    elevator: 'ref',
    elevator_name: 'text',
    user: 'ref',
    floor: 'text',
    direction: 'choice',
    identifier_type: 'choice',
    reason: 'choice',
    occurred_at: 'time',
  },
  sorts: ['occurred_at', 'type', 'elevator_name', 'floor'],
  feature: 'elevator',
});
export type ElevatorEvent = RowOf<typeof elevatorEvents>;
