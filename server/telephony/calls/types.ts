import type { CallType, HistoryStatus } from '#models/call.ts';

/** As what somebody is rung: the one called, an operator who intercepts, or one at the desk of a queue. */
export type Role = 'callee' | 'interceptor' | 'desk';

/** A number to ring; `phone`: one outside, reached through a trunk. */
export interface Ring {
  number: string;
  name: string | null;
  as: Role;
  phone: boolean;
  /** Of a device with a door its groups, from the highest down. */
  door: readonly string[] | null;
}
/** Numbers that ring together, for so many seconds; `goesOnAfterError`: whether the next stage follows when all are busy or out of reach. */
export interface Stage {
  rings: readonly Ring[];
  seconds: number;
  goesOnAfterError: boolean;
}
/** Where a call leads: through stages, and at last (or at once) to a queue; or why it leads nowhere, as a SIP status. */
export type Route =
  | { kind: 'refused'; status: number; reason: string }
  | { kind: 'open'; type: CallType; stages: readonly Stage[]; queue: boolean; talkSeconds: number };

/** One leg that rings at somebody, or that asks to join. */
export interface Offer {
  leg: string;
  number: string;
  as: Role;
}
/** How a call ended: for the history, in a word, and as the caller is told while it was not answered. */
export interface CallEnd {
  status: HistoryStatus;
  reason: string;
  sip: number;
}
/** Why a leg is no more, as far as a call asks: `lost` is neither side's wish, `undone` is an answer or a call that was taken back before there was talk. */
export type Parting = 'declined' | 'busy' | 'unreachable' | 'silent' | 'left' | 'undone' | 'lost';
