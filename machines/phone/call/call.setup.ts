import { constants } from '#models/constants.ts';
import { and, assign, enqueueActions, sendTo, setup, stateIn } from 'xstate';
import type { CallInfo, CallStatus, ServerCall } from '#models/call.ts';
import type { AlertsRequest } from '#machines/alerts/alerts.machine.ts';
import { answerTimeout, parentOf } from '#machines/port.ts';
import { type CallContext, type CallInput, moved, offered, withServerCall } from './call-facts.ts';
import type { CallCommand } from '../commands.ts';
import { type MediaFact, type MediaState, mediaWatchMachine } from './media-watch.machine.ts';
import { callLeg, connectCalls, type IncomingCall, type LegCommand, type LegEnd, type LegReport, readCallInfo, stopCall } from '../ports.ts';
import { isDialable } from '../typed-number.ts';
import type { EndReason } from '../types.ts';

export type CallEvent =
  | CallCommand
  | LegReport
  | MediaFact
  /** The server's newest word about it. `at`: when it was asked for it, by its clock; null: it told by itself. */
  | { type: 'call.published'; call: ServerCall; at: number | null }
  /** A device has said that its door was opened during it. */
  | { type: 'call.doorOpened' }
  /** It is not among those that wait any more. */
  | { type: 'call.gone' }
  /** The server rings this desk with it. */
  | { type: 'call.offered'; call: IncomingCall }
  /** Another call is more important: what was begun here ends, the call itself may go on waiting. */
  | { type: 'call.leave' };
export type CallFact =
  | AlertsRequest
  /** A session nobody takes: it is in talk already. */
  | { type: 'sip.refuse'; sipId: string }
  /** The server may know better which calls wait. */
  | { type: 'waiting.stale' }
  /** The far side did not agree to be held: the call goes on. */
  | { type: 'call.holdFailed'; speechId: string };

/** What a state says besides its status: what is awaited, whether the line is taken, whether it rings. */
export type CallTag =
  | CallStatus
  | 'ringing'
  | 'silenced'
  | 'busy'
  | 'held'
  | 'recalling'
  | 'rejoin'
  | 'lookingUp'
  | 'awaitsOffer'
  | 'awaitsAnswer'
  | 'awaitsJoin'
  | 'awaitsHold'
  | 'awaitsResume'
  | 'awaitsPause'
  | 'awaitsStop'
  | 'awaitsTransfer'
  | 'doorSent'
  | 'doorConfirmed'
  | 'doorUnconfirmed';

const gone = new Set([404, 410, 481, 487]);
const isLost = ({ cause }: LegEnd): boolean => cause === 'transport' || cause === 'timeout' || cause === 'media';

const recallTime = ({ recallSeconds, type, hadBy, me }: CallContext): number => recallSeconds * (type === 'normal' || hadBy === me ? 1_000 : 2_000);

/** What is said to the leg when a call leaves it behind; a leg that is just stopped hangs up by itself. */
export function farewell({ type }: { type: string }): LegCommand | null {
  if (type === 'call.decline') return { type: 'leg.decline' };
  return type === 'call.hangUp' || type === 'call.leave' ? { type: 'leg.hangUp' } : null;
}

/** What the chart of one call is made of: its words, ports, actions, guards and delays. */
export const callSetup = setup({
  types: {
    input: {} as CallInput,
    context: {} as CallContext,
    events: {} as CallEvent,
    emitted: {} as CallFact,
    tags: {} as CallTag,
    children: {} as { callLeg: 'callLeg'; mediaWatch: 'mediaWatch' },
  },
  actors: { callLeg, mediaWatch: mediaWatchMachine, stopCall, connectCalls, readCallInfo },
  actions: {
    command: sendTo('callLeg', (_, command: LegCommand) => command),
    sayGoodbye: enqueueActions(({ enqueue }, { command }: { command: LegCommand | null }) => {
      if (command) enqueue.sendTo('callLeg', command);
    }),
    take: assign(({ context }, { call, at }: { call: ServerCall; at: number | null }) => withServerCall(context, call, at)),
    takeOffer: assign(({ context }, { call }: { call: IncomingCall }) => ({
      ...offered(call),
      startedAt: Math.min(context.startedAt, call.at),
      takenBy: null,
    })),
    forgetEnd: assign({ ownEnd: null, legEnd: null, endedAt: null, serverEnd: null }),
    /** From here on the server knows that I have it. */
    noteTalk: assign(({ context }, { at, video }: { at: number; video: boolean }) => ({
      activeAt: context.activeAt ?? at,
      video,
      server: 'answered' as const,
      restedFor: 0,
      takenBy: null,
      path: 'connected' as const,
      hears: true,
      isHeard: true,
    })),
    storeEnd: assign(({ context }, { end, at }: { end: LegEnd; at: number }) => ({
      legEnd: end,
      endedAt: at,
      ...(end.takenBy !== null && end.takenBy !== context.me && end.takenBy !== context.takenBy && { takenBy: end.takenBy, takenByName: null }),
    })),
    endBy: assign((_, { reason }: { reason: EndReason }) => ({ ownEnd: reason })),
    /** Told before my leg ends, or after; where that leg goes on with another, the call is another one by then. */
    noteHandedOn: assign(({ context }, { call }: { call: ServerCall }) => (call.id === context.recordId ? { serverEnd: call.end_reason } : {})),
    notePaused: assign(({ context }) => ({ server: 'answered_waiting' as const, hadBy: context.me })),
    noteProgress: assign({ isProgressing: true }),
    noteMute: assign((_, { on }: { on: boolean }) => ({ isMuted: on })),
    noteVolume: assign((_, { level }: { level: number }) => ({ volume: Math.min(1, Math.max(0, level)) })),
    noteHeldByThem: assign((_, { on }: { on: boolean }) => ({ isHeldByThem: on })),
    noteCamera: assign(({ context }, { on }: { on: boolean }) => ({ hasCamera: on, video: context.video || on })),
    noteMicrophone: assign((_, { trouble }: { trouble: CallContext['microphone'] }) => ({ microphone: trouble })),
    noteQuality: assign((_, { quality }: { quality: CallContext['quality'] }) => ({ quality })),
    noteMedia: assign((_, { change }: { change: Partial<MediaState> }) => change),
    takePeer: assign(({ context }, report: Extract<LegReport, { type: 'leg.moved' }>) => moved(context, report)),
    passToWatch: sendTo('mediaWatch', (_, report: Extract<LegReport, { type: 'leg.path' | 'leg.flow' }>) => report),
    storeInfo: assign(({ context }, { info }: { info: CallInfo }) => ({ info: context.info ?? info })),
    notify: enqueueActions(({ enqueue, self }, { facts }: { facts: readonly CallFact[] }) => {
      const parent = parentOf(self);
      for (const fact of facts) {
        enqueue.emit(fact);
        if (parent) enqueue.sendTo(parent, fact);
      }
    }),
  },
  guards: {
    isIncoming: ({ context }) => context.origin === 'incoming',
    isDialled: ({ context }) => context.origin === 'dialled',
    isAwaiting: ({ context }) => context.type === 'awaiting',
    isKnown: ({ context }) => context.info !== null,
    isGone: stateIn({ life: 'gone' }),
    isServer: ({ context }, { status }: { status: ServerCall['status'] }) => context.server === status,
    isTaken: ({ context }) => context.takenBy !== null,
    endsIt: (_, { call }: { call: ServerCall }) => call.status === 'destroyed',
    /** The server lets a desk have it: it waits, or it is between others and intercepted. Before, others are rung first. */
    mayJoin: ({ context: { server, serverType } }) =>
      server === 'waiting' || server === 'answered_waiting' || (server === 'calling' && serverType === 'normal'),
    /** On hold since I was in it, and this page has never talked in it: a reload cut me off, or another phone of mine was in it. */
    isLeft: ({ context: { server, hadBy, me, activeAt } }) => server === 'answered_waiting' && hadBy === me && activeAt === null,
    /** This desk put it on hold, and nobody has taken it since: the server lets nobody else hand it on. */
    isMine: ({ context: { server, hadBy, me } }) => server === 'answered_waiting' && hadBy === me,
    /** A word that says once more where it stands. */
    standsThere: ({ context }, { call }: { call: ServerCall }) => call.status === context.server && call.status !== 'answered',
    /** Who handed it on has left it. My leg goes on with another, unless the server ends it too. */
    isHandedOn: (_, { call }: { call: ServerCall }) => call.status === 'destroyed' && call.end_reason === 'transferred',
    /** While it rings here: anybody's answer is one elsewhere, my own number's too. */
    isAnswered: (_, { call }: { call: ServerCall }) => call.status === 'answered',
    /** An ended call that the server has waiting after all. */
    waitsAgain: ({ context }, { call }: { call: ServerCall }) =>
      context.type === 'awaiting' && (call.status === 'waiting' || call.status === 'answered_waiting'),
    isElsewhere: ({ context }, { end }: { end: LegEnd }) =>
      end.cause === 'answeredElsewhere' || (end.takenBy !== null && end.takenBy !== context.me) || context.takenBy !== null,
    /** The ring is over, and the server has the call waiting still. */
    stillWaits: ({ context }) =>
      context.type === 'awaiting' && context.server !== null && ['new', 'calling', 'waiting', 'answered_waiting'].includes(context.server),
    /** A join that was refused leaves the call where it was, unless there is none any more. */
    stillThere: (_, { end }: { end: LegEnd }) => end.status === null || !gone.has(end.status),
    /** My leg broke: the server keeps a waiting call. */
    goesBack: ({ context }, { end }: { end: LegEnd }) => context.type === 'awaiting' && isLost(end),
    isMyHold: (_, { by, on, wanted }: { by: 'us' | 'them'; on: boolean; wanted: boolean }) => by === 'us' && on === wanted,
    isTheirs: (_, { by }: { by: 'us' | 'them' }) => by === 'them',
    /** There is one: the server says so; one that says nothing of doors has them where it knows a place and no person. Outside there is none. */
    mayOpenDoor: and([
      ({ context: { info } }: { context: CallContext }) => info?.door ?? (info?.address != null && info.user === null),
      stateIn({ life: { session: { up: { hold: 'free' } } } }),
    ]),
    isTone: (_, { tone }: { tone: string }) => /^[\d*#A-D]$/.test(tone),
    isNumber: (_, { to }: { to: string }) => isDialable(to),
  },
  delays: {
    answerTimeout,
    /** Each longer than what SIP itself waits, whose more exact end comes first. */
    ringTimeout: 180_000,
    dialTimeout: 120_000,
    confirmTimeout: 35_000,
    /** Whoever holds a call is called back first, all others at the desk after as long again. */
    recallTime: ({ context }) => Math.max(0, recallTime(context) - context.restedFor),
    recallAgain: ({ context }) => recallTime(context),
    pauseTimeout: 5_000,
    holdTimeout: 10_000,
    transferTimeout: 30_000,
    doorTimeout: 5_000,
    doorOutcomeTime: 5_000,
    lookupTimeout: 10_000,
    destroyedStays: constants.callRemovalDelay,
  },
});
