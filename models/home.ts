import { z } from 'zod';
import { call } from './define-call.ts';
import { named } from './define-model.ts';
import { denialReasons } from './device-events.ts';

/** How many things wait for a person; null is "not for this person's eyes". */
export const attention = z.strictObject({
  /** Alarms that nobody has seen to; of these, those that nobody has taken on. */
  alarms: z.strictObject({ open: z.int(), unclaimed: z.int() }).nullable(),
  devices_offline: z.int().nullable(),
  tasks_failed: z.int().nullable(),
  /** The demo's simulator is there, and for this person. */
  has_simulator: z.boolean(),
});
export type Attention = z.infer<typeof attention>;

/** One hour of the person's day: how many passed, and how many usually do by the mean of the fortnight before. */
const hourOfPasses = z.strictObject({ from: z.iso.datetime(), passes: z.int(), usual: z.number() });

/** What the home page draws; null is "not for this person's eyes". */
export const homeFigures = z.strictObject({
  as_of: z.iso.datetime(),
  /** The hours of today in the person's zone: 24, or one more or less where the clocks move. */
  passes: z.array(hourOfPasses).min(23).max(25).nullable(),
  /** The last seven days, most frequent first. */
  refusals: z
    .strictObject({ since: z.iso.datetime(), reasons: z.array(z.strictObject({ reason: z.enum(denialReasons), count: z.int() })) })
    .nullable(),
  /** The last seven days: the share of the time (0 to 1) that devices answered, all together and those that were away longest. */
  availability: z
    .strictObject({
      since: z.iso.datetime(),
      devices: z.int(),
      share: z.number(),
      worst: z.array(z.strictObject({ device: named, share: z.number() })).max(5),
    })
    .nullable(),
});
export type HomeFigures = z.infer<typeof homeFigures>;

/** What the home page asks for besides the lists. */
export const homeCalls = {
  attention: call({
    method: 'GET',
    path: '/attention',
    access: 'signedIn',
    summary: 'Number of alarms, devices and tasks that need attention, among those the user can view',
    answer: attention,
  }),
  homeFigures: call({
    method: 'GET',
    path: '/figures',
    access: 'signedIn',
    summary: 'Entries today, denials and availability of the last seven days for devices the user can view; up to 30 s old',
    answer: homeFigures,
  }),
} as const;
