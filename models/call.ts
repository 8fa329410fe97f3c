import { z } from 'zod';

/** Where a call stands, in the console (clause CALL-01). */
export const callStatuses = ['new', 'calling', 'active', 'joining', 'paused', 'processed_paused', 'destroyed'] as const;
export type CallStatus = (typeof callStatuses)[number];
/** Where a call stands, as the server says it: answered is active in the console, waiting paused, answered_waiting processed_paused (clause CALL-02). */
export const serverCallStatuses = ['new', 'calling', 'answered', 'waiting', 'answered_waiting', 'destroyed'] as const;
export type ServerCallStatus = (typeof serverCallStatuses)[number];
export const callTypes = ['normal', 'awaiting'] as const;
export type CallType = (typeof callTypes)[number];
export const callDirections = ['outgoing', 'incoming'] as const;
export type CallDirection = (typeof callDirections)[number];

/** Who stands behind a number: where, which person, and whether it has a door; null where nothing is known. */
export const callInfo = z.strictObject({
  address: z.string().nullable(),
  user: z.strictObject({ id: z.uuid(), name: z.string() }).nullable(),
  /** A device with a door that opens from afar is there; absent where that is not told. */
  door: z.boolean().optional(),
});
export type CallInfo = z.infer<typeof callInfo>;

/** Why a line outside was of no use: which trunk, and what its server said; no status where that did not answer. */
export const trunkRefusal = z.strictObject({ trunk: z.string(), status: z.int().nullable(), reason: z.string().nullable() });
export type TrunkRefusal = z.infer<typeof trunkRefusal>;

const refusalText: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  407: 'unauthorized',
  403: 'forbidden',
  404: 'unknownNumber',
  410: 'unknownNumber',
  484: 'unknownNumber',
  604: 'unknownNumber',
  408: 'noAnswer',
  480: 'unavailable',
  486: 'busy',
  600: 'busy',
  488: 'incompatible',
  606: 'incompatible',
  603: 'declined',
};
/** What the refusal of a trunk means, as a key of its texts (RFC 3261 section 21). */
export function trunkRefusalWord({ status }: TrunkRefusal): string {
  if (status === null) return 'silent';
  return refusalText[status] ?? (status >= 500 && status < 600 ? 'failed' : 'refused');
}

/** A call as the server tells it: `GET /calls/waiting` and CallUpdated. Times in seconds (clause CALL-26). */
export const serverCall = z.object({
  /** The speech id. */
  id: z.uuid(),
  /** The number that calls. */
  caller: z.string(),
  /** The number that was called: of a person, of a queue, of a flat. */
  callee: z.string(),
  type: z.enum(callTypes),
  status: z.enum(serverCallStatuses),
  /** `number` or `number-device`: what stands before the dash has taken the call (clause CALL-25). */
  answered_by: z.string().nullable(),
  /** What that one is called, where it is known. */
  answered_by_name: z.string().nullable().default(null),
  created_at: z.int(),
  /** When it changed last: of a call on hold, since when it is; null where that is not told. */
  updated_at: z.int().nullable().default(null),
  info: callInfo.nullable().default(null),
  /** An SOS call: first in every list, with its own tone. */
  sos: z.boolean().default(false),
  /** What the caller is called, where that is known. */
  caller_name: z.string().nullable().default(null),
  /** The group whose panel or person calls, as people read it: "Tower A, entrance 1". */
  group: z.string().nullable().default(null),
  /** Why a destroyed call is over. */
  end_reason: z.string().nullable().default(null),
  /** Of a call that was not taken: why the line outside was of no use. */
  refusal: trunkRefusal.nullable().default(null),
});
export type ServerCall = z.infer<typeof serverCall>;

/** The number that has taken a call. */
export const answererOf = (answeredBy: string | null): string | null => answeredBy?.split('-', 1)[0] || null;

/** How a call ended, in the call history (clause CALL-19). */
export const historyStatuses = ['answered', 'cancel', 'busy', 'noanswer', 'failed'] as const;
export type HistoryStatus = (typeof historyStatuses)[number];
