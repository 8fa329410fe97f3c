import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { controllerModes, shownFloor } from './elevators.ts';

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
} as const;
