import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { callDirections } from './elevator-events.ts';
import { controllerModes, shownFloor } from './elevators.ts';
import { text } from './rules.ts';

export type CallDirection = (typeof callDirections)[number];

/** What came of calling an elevator: `confirmed` once the controller has said so itself. */
export const elevatorCalled = z.strictObject({
  outcome: z.enum(['confirmed', 'unconfirmed']),
  /** The name of the floor that the car comes to. */
  floor: z.string(),
  direction: z.enum(callDirections),
});
export type ElevatorCalled = z.infer<typeof elevatorCalled>;

/** What is done with elevators besides keeping them. */
export const elevatorCalls = {
  elevatorFloors: call({
    method: 'GET',
    path: '/elevators/{id}/floors',
    access: { area: 'elevators', verb: 'view' },
    feature: 'elevator',
    summary: 'The floors of an elevator; with a mode, only if one of its controllers works in it',
    params: byId,
    query: z.strictObject({ mode: z.enum(controllerModes).optional() }),
    answer: z.array(shownFloor),
  }),
  callElevator: call({
    method: 'POST',
    path: '/elevators/{id}/call',
    access: { area: 'elevators', verb: 'view' },
    feature: 'elevator',
    urgent: true,
    summary: 'Call the car of an elevator to a floor, or to the floor of an apartment, to go up or down from there',
    params: byId,
    body: z.strictObject({
      /** By its relay; null: where the apartment is. */
      floor: z.int().min(1).max(64).nullable().default(null),
      apartment: text(31).nullable().default(null),
      direction: z.enum(callDirections),
    }),
    answer: elevatorCalled,
    timeout: 8_000,
  }),
} as const;
