import { amenityCalls } from './amenity-calls.ts';
import { amenityReservationCalls } from './amenity-reservation-calls.ts';
import { z } from 'zod';
import { call } from './define-call.ts';
import { named } from './define-model.ts';
import { denialReasons, identifierTypes } from './device-events.ts';

/** What is asked of an identifier before it opens, in this order. */
export const accessSteps = ['known', 'usable', 'owner', 'licence', 'period', 'passes', 'prohibition', 'rule', 'schedule', 'restriction'] as const;
export type AccessStep = (typeof accessSteps)[number];
export const stepOutcomes = ['passed', 'failed', 'skipped'] as const;

/** Features that an identifier can need a licence of. */
export const accessFeatures = ['licensePlate', 'ukey2', 'guests', 'guestFaces'] as const;
export type AccessFeature = (typeof accessFeatures)[number];

const reason = z.enum(denialReasons).nullable();
const moment = z.iso.datetime();
/** A rule that decided; `name` null: one that the asker may not see. */
const decidingRule = z.strictObject({ id: z.uuid().nullable(), name: z.string().nullable() });

const explainedStep = z.strictObject({
  step: z.enum(accessSteps),
  /** `skipped`: it does not apply. */
  outcome: z.enum(stepOutcomes),
  reason,
  rules: z.array(decidingRule),
  schedules: z.array(named),
  /** The feature that is not licensed. */
  feature: z.enum(accessFeatures).nullable(),
});

/** Why one identifier opens a device at a moment, or does not. */
export const accessExplanation = z.strictObject({
  identifier: z.strictObject({ id: z.uuid(), name: z.string(), type: z.enum(identifierTypes), mask: z.string() }).nullable(),
  owner: named.nullable(),
  is_granted: z.boolean(),
  /** Of the first step that failed. */
  reason,
  steps: z.array(explainedStep),
  rule: decidingRule.nullable(),
  schedule: named.nullable(),
  /** Until when it stays granted; null where that does not end within 400 days, or it is refused. */
  until: moment.nullable(),
  /** When it would be granted next; null where that is not within 400 days unless something is changed, or it is granted. */
  next: moment.nullable(),
  /** What the device decides by itself; null where nothing is known of what it holds. */
  device: z
    .strictObject({
      is_granted: z.boolean(),
      reason,
      /** When it answered to hold what it holds. */
      synced_at: moment,
      /** Something has changed for it since, and it will be told. */
      is_waiting: z.boolean(),
    })
    .nullable(),
});
export type AccessExplanation = z.infer<typeof accessExplanation>;

const question = {
  device: z.uuid(),
  /** Now, when it is left out. */
  at: moment.optional(),
  lock: z.int().min(1).max(64).optional(),
  floor: z.int().min(-99).max(999).optional(),
};

/** Questions about who opens what. */
export const accessCalls = {
  ...amenityCalls,
  ...amenityReservationCalls,
  explainAccess: call({
    method: 'POST',
    reads: true,
    path: '/access/explain',
    access: { area: 'identifiers', verb: 'view' },
    summary: 'Why an identifier, each identifier of a user, or a presented value opens a device at a moment or not: the chain of the decision',
    body: z.union([
      z.strictObject({ ...question, identifier: z.uuid() }),
      z.strictObject({ ...question, user: z.uuid() }),
      z.strictObject({ ...question, type: z.enum(identifierTypes), value: z.string().trim().min(1).max(200) }),
    ]),
    answer: z.strictObject({ device: named, at: moment, explanations: z.array(accessExplanation) }),
  }),
} as const;
