import {
  answererOf,
  type CallInfo,
  type CallDirection,
  type CallType,
  type ServerCall,
  type ServerCallStatus,
  type TrunkRefusal,
} from '#models/call.ts';
import type { MediaState } from './media-watch.machine.ts';
import type { IncomingCall, LegEnd, LegReport } from '../ports.ts';
import type { EndReason, MediaTrouble, Quality, SosMark } from '../types.ts';

/** How a call comes into being at this desk. `me`: the own number; `recallSeconds`: held for so long, it calls back. */
export type CallInput = { me: string; recallSeconds: number } & (
  | { origin: 'incoming'; call: IncomingCall }
  | { origin: 'dialled'; speechId: string; number: string; video: boolean; at: number }
  /** Known from the server, without a leg of ours. */
  | { origin: 'listed'; call: ServerCall; at: number | null }
);

/** What a call holds. */
export interface CallContext extends MediaState {
  me: string;
  recallSeconds: number;
  origin: CallInput['origin'];
  speechId: string;
  /** The speech id under which the server has it: another one after a transfer has moved it. */
  recordId: string;
  /** The adapter's name of the session, where one came in. */
  sipId: string | null;
  number: string;
  callee: string;
  direction: CallDirection;
  type: CallType;
  /** What it is to the server: one between two others, which this desk intercepts, is a normal one there. */
  serverType: CallType | null;
  sos: SosMark;
  video: boolean;
  info: CallInfo | null;
  name: string | null;
  group: string | null;
  /** The newest word of the server about its status, or what a confirmed answer implies. */
  server: ServerCallStatus | null;
  /** Who had it last, as the server says; a call on hold calls its holder back first. */
  hadBy: string | null;
  /** Who has taken it, if not I. */
  takenBy: string | null;
  /** What that one is called, where the server says so. */
  takenByName: string | null;
  /** What the server says it ended of. */
  serverEnd: string | null;
  /** Why the line outside was of no use. */
  refusal: TrunkRefusal | null;
  legEnd: LegEnd | null;
  /** What was done here that ended it. */
  ownEnd: EndReason | null;
  startedAt: number;
  /** On hold it was for so long, ms, when the server told of it. */
  restedFor: number;
  activeAt: number | null;
  endedAt: number | null;
  isProgressing: boolean;
  isMuted: boolean;
  isHeldByThem: boolean;
  hasCamera: boolean;
  volume: number;
  microphone: MediaTrouble | null;
  quality: Quality | null;
}

const untouched = {
  sipId: null,
  info: null,
  name: null,
  group: null,
  server: null,
  hadBy: null,
  takenBy: null,
  takenByName: null,
  serverEnd: null,
  refusal: null,
  legEnd: null,
  ownEnd: null,
  restedFor: 0,
  activeAt: null,
  endedAt: null,
  serverType: null,
  isProgressing: false,
  isMuted: false,
  isHeldByThem: false,
  hasCamera: false,
  volume: 1,
  microphone: null,
  quality: null,
  path: 'connected',
  hears: true,
  isHeard: true,
} as const satisfies Partial<CallContext>;

/** What an INVITE says of a call. */
export const offered = ({ sipId, speechId, number, name, callee, type, sos, video, at }: IncomingCall) =>
  ({
    sipId,
    speechId,
    recordId: speechId,
    number,
    name,
    callee,
    type,
    sos,
    video,
    startedAt: at,
    direction: 'incoming',
    legEnd: null,
    ownEnd: null,
    endedAt: null,
  }) as const;

/** Whoever I talked with has handed me on: to whom, and what the call is from now on. */
export const moved = (context: CallContext, { number, name, speechId, video }: Extract<LegReport, { type: 'leg.moved' }>) =>
  ({
    number,
    name,
    recordId: speechId ?? context.recordId,
    video: video ?? context.video,
    info: null,
    group: null,
    type: 'normal',
    sos: 'no',
    takenBy: null,
    serverEnd: null,
  }) as const;

/** A call as it begins. */
export function beginning(input: CallInput): CallContext {
  const { origin } = input;
  const self = { me: input.me, recallSeconds: input.recallSeconds };
  if (origin === 'incoming') return { ...untouched, ...self, origin, ...offered(input.call) };
  if (origin === 'dialled') {
    const { speechId, number, video, at } = input;
    return {
      ...untouched,
      ...self,
      origin,
      speechId,
      recordId: speechId,
      number,
      callee: number,
      direction: 'outgoing',
      type: 'normal',
      sos: 'no',
      video,
      startedAt: at,
    };
  }
  const { id, caller, callee, created_at } = input.call;
  // Whatever is listed is joined and paused by its speech id, also one that is intercepted between two people.
  const known = {
    ...untouched,
    ...self,
    origin,
    speechId: id,
    recordId: id,
    number: caller,
    callee,
    direction: 'incoming',
    type: 'awaiting',
    video: false,
  } as const;
  const begun: CallContext = { ...known, sos: 'no', startedAt: created_at * 1000 };
  return { ...begun, ...withServerCall(begun, input.call, input.at) };
}

/** How long a call is on hold, ms, by what the server says at a moment of its clock; what it tells by itself (`at` null) has just become so. */
const restOf = ({ status, updated_at: since }: ServerCall, at: number | null): number =>
  status === 'answered_waiting' && at !== null && since !== null ? Math.max(0, at - since * 1_000) : 0;

/** What a word of the server changes, whatever the call is about; in any order with what SIP says, the same comes out. */
export function withServerCall(context: CallContext, call: ServerCall, at: number | null): Partial<CallContext> {
  // Whoever I called has it, with me.
  const isMine = call.caller === context.me;
  const answerer = call.status === 'answered' && !isMine ? answererOf(call.answered_by) : null;
  return {
    server: call.status,
    restedFor: restOf(call, at),
    hadBy: answererOf(call.answered_by) ?? context.hadBy,
    ...(call.status !== 'destroyed' &&
      (answerer !== null && answerer !== context.me
        ? { takenBy: answerer, takenByName: call.answered_by_name }
        : { takenBy: null, takenByName: null })),
    serverEnd: call.end_reason ?? context.serverEnd,
    refusal: call.refusal ?? context.refusal,
    serverType: call.type,
    // The server tells who calls: where that is me, it is not the far side.
    ...(!isMine && {
      // Whoever rings has waited since the call began, also where this desk is offered it late or once more.
      startedAt: Math.min(context.startedAt, call.created_at * 1000),
      info: call.info ?? context.info,
      name: context.name ?? call.caller_name,
      group: call.group ?? context.group,
    }),
    sos: call.sos ? 'yes' : context.sos,
  };
}

const byStatus: Record<number, EndReason> = {
  404: 'notFound',
  410: 'notFound',
  484: 'notFound',
  604: 'notFound',
  486: 'busy',
  600: 'busy',
  603: 'declined',
  403: 'declined',
  607: 'declined',
  408: 'noAnswer',
  480: 'unavailable',
  487: 'cancelled',
};
/** What a refusal means: RFC 3261 section 21, as a person says it. */
export function reasonOfStatus(status: number | null): EndReason {
  if (status === null) return 'refused';
  const known = byStatus[status];
  if (known) return known;
  return status >= 500 && status < 600 ? 'serverFailed' : 'refused';
}

/** Why a leg ended. */
function legReason({ by, cause, status }: LegEnd): EndReason {
  switch (cause) {
    case 'bye':
      return by === 'us' ? 'hungUp' : 'farHungUp';
    case 'cancelled':
      return 'cancelled';
    case 'refused':
      return reasonOfStatus(status);
    case 'timeout':
      return 'noAnswer';
    case 'transport':
      return 'connectionLost';
    case 'answeredElsewhere':
      return 'answeredElsewhere';
    case 'media':
      return 'noMedia';
    default:
      return unreachable(cause);
  }
}
function unreachable(value: never): never {
  throw new Error(`unknown cause ${String(value)}`);
}

/** The words the server has for it. */
const byServer: Record<string, EndReason> = {
  caller_left: 'cancelled',
  caller_lost: 'connectionLost',
  server_restarted: 'connectionLost',
  server_stopped: 'connectionLost',
  media_lost: 'mediaLost',
  failed: 'serverFailed',
  incompatible: 'refused',
  hung_up: 'farHungUp',
  talk_timeout: 'timeLimit',
  transferred: 'transferred',
  no_answer: 'noAnswer',
  busy: 'busy',
  declined: 'declined',
  unreachable: 'unavailable',
  stopped: 'stopped',
};
/** Why a call is over: who took it counts most, then what was done here, then the server's word, then the leg's. */
export function endReason({ takenBy, ownEnd, serverEnd, legEnd, direction, activeAt, microphone }: CallContext): EndReason {
  if (takenBy !== null) return 'answeredElsewhere';
  const reason = byServer[serverEnd ?? ''];
  if (ownEnd ?? reason) return ownEnd ?? reason ?? 'hungUp';
  if (legEnd?.cause === 'media' && microphone === 'unsupported') return 'unsupported';
  if (legEnd) return legReason(legEnd);
  return direction === 'incoming' && activeAt === null ? 'cancelled' : 'farHungUp';
}
