import { z } from 'zod';
import { callDirections, historyStatuses, trunkRefusal } from './call.ts';
import { defineModel, named, picture, type RowOf } from './define-model.ts';

/** A direction and how it ended, in one word (clauses CALL-18, CALL-19). */
export const historyTypes = callDirections.flatMap((direction) => historyStatuses.map((status) => `${direction}_${status}` as const));

/** One end of a call: number and name as they were then, and who or what that was, if still there and in sight. */
const end = z.strictObject({
  number: z.string(),
  name: z.string().nullable(),
  user: named.nullable(),
  device: named.nullable(),
  group: named.nullable(),
  /** The way down to the group. */
  address: z.string().nullable(),
});
const party = z.strictObject({ number: z.string(), name: z.string().nullable() });
export type CallEnd = z.infer<typeof end>;

/** Calls that are over: who called whom, from where, how it ended, which door was opened. */
export const callHistory = defineModel({
  name: 'call-history',
  feature: 'sip',
  fields: {},
  shown: {
    type: z.enum(historyTypes),
    /** Incoming is what comes from a panel, to a queue or from outside; people's own calls go out. */
    direction: z.enum(callDirections),
    status: z.enum(historyStatuses),
    from: end,
    to: end,
    /** Who took it, as they were called then. */
    answered_by: party.nullable(),
    /** Of a call that a transfer made: who handed it on. */
    transferred_by: party.nullable(),
    /** Of a call that was handed on: to whom. */
    transferred_to: party.nullable(),
    /** Of the panel, or else of whoever was called. */
    group: named.nullable(),
    device: named.nullable(),
    /** Seconds of talk. */
    duration: z.int(),
    /** Seconds from the call to its answer, or to its end without one. */
    waited: z.int(),
    ended_at: z.iso.datetime().nullable(),
    end_reason: z.string().nullable(),
    /** Why the line outside was of no use. */
    refusal: trunkRefusal.nullable(),
    sos: z.boolean(),
    video: z.boolean(),
    door_opened: z.boolean(),
    door_name: z.string().nullable(),
    door_opened_by: z.string().nullable(),
    /** Why it was opened, as the trail has it. */
    door_reason: z.string().nullable(),
    note: z.string().nullable(),
    /** What the caller's camera showed, where somebody kept it; for 30 days. */
    image_url: picture.nullable(),
  },
  initial: {},
  filters: {
    from: 'text',
    to: 'text',
    status: 'choice',
    direction: 'choice',
    group: 'ref',
    device: 'ref',
    door_opened: 'flag',
    sos: 'flag',
    duration: 'number',
    created_at: 'time',
  },
  sorts: ['created_at', 'from', 'to', 'status', 'duration', 'waited'],
});
export type HistoryCall = RowOf<typeof callHistory>;
