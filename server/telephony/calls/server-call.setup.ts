import { assign, fromPromise, setup, stateIn } from 'xstate';
import type { CallType } from '#models/call.ts';
import { lengthOf } from '#models/time.ts';
import type { CallEnd, Offer, Parting, Route, Stage } from './types.ts';

export interface CallInput {
  sos: boolean;
  /** A transfer made it: who is to be connected talks to the server already. */
  adopted: boolean;
  /** Both ends are there: a transfer that was announced. */
  joined: Offer | null;
}
export type CallEvent =
  /** INVITEs are on their way; none, if nobody could be reached. */
  | { type: 'offers.made'; offers: readonly Offer[]; round: number }
  | { type: 'leg.progress'; leg: string }
  | { type: 'leg.confirmed'; leg: string }
  | { type: 'leg.ended'; leg: string; parting: Parting }
  | { type: 'caller.left'; lost: boolean }
  /** Somebody came on duty at the desk, or has one more phone to be rung at. */
  | { type: 'number.came'; number: string }
  | { type: 'call.join'; offer: Offer }
  | { type: 'call.stop'; reason: string }
  /** The call is handed over to another one, which keeps this leg (and perhaps a second). */
  | { type: 'call.handOver' };

/** What it holds. */
export interface CallContext {
  sos: boolean;
  type: CallType;
  stages: readonly Stage[];
  /** Counts the stages rung, so that a late report of one is known. */
  round: number;
  queue: boolean;
  talkSeconds: number;
  offers: readonly Offer[];
  /** Who answered or asked to join, until the claim is decided. */
  claimant: Offer | null;
  owner: Offer | null;
  /** Who put it on hold, and has it until somebody else takes it. */
  holder: string | null;
  answered: boolean;
  adopted: boolean;
  stage: Stage | null;
  /** The worst that is known of those who were rung. */
  outcome: Parting | null;
  end: CallEnd | null;
}

export class UnpluggedCall extends Error {}
function unplugged(port: string): never {
  throw new UnpluggedCall(`port ${port} is not plugged in; see server/telephony/calls/live-call.ts`);
}
const unpluggedQuestion = <Output, Input>(name: string) => fromPromise<Output, Input & object>(() => unplugged(name));

export const ends = {
  left: { status: 'cancel', reason: 'caller_left', sip: 487 },
  lost: { status: 'failed', reason: 'caller_lost', sip: 487 },
  failed: { status: 'failed', reason: 'failed', sip: 500 },
  incompatible: { status: 'failed', reason: 'incompatible', sip: 488 },
  over: { status: 'answered', reason: 'hung_up', sip: 200 },
  talkTimeout: { status: 'answered', reason: 'talk_timeout', sip: 200 },
  handedOver: { status: 'answered', reason: 'transferred', sip: 200 },
  waitTimeout: { status: 'noanswer', reason: 'no_answer', sip: 408 },
} as const satisfies Record<string, CallEnd>;

/** How a call ends that nobody took, by what became of those who were rung. */
function untaken(outcome: Parting | null): CallEnd {
  if (outcome === 'busy') return { status: 'busy', reason: 'busy', sip: 486 };
  if (outcome === 'declined') return { status: 'busy', reason: 'declined', sip: 603 };
  if (outcome === 'silent') return { status: 'noanswer', reason: 'no_answer', sip: 408 };
  return { status: 'failed', reason: 'unreachable', sip: 480 };
}
/** What is worth more to know comes first: a call that rang was not answered, whoever else was out of reach. */
const weight: Record<Parting, number> = { silent: 4, busy: 3, declined: 2, unreachable: 1, left: 0, undone: 0, lost: 0 };
const heavier = (one: Parting | null, other: Parting): Parting => (one === null || weight[other] > weight[one] ? other : one);

/** A stage as far as it rings this number. */
export const only = (stage: Stage | null, number: string): Stage | null =>
  stage && { ...stage, rings: stage.rings.filter((ring) => ring.number === number) };

/** Types, ports, guards and times of a call's chart; the chart itself is in server-call.machine.ts. */
export const serverCallSetup = setup({
  types: {
    input: {} as CallInput,
    context: {} as CallContext,
    events: {} as CallEvent,
    output: {} as { end: CallEnd },
    tags: {} as 'ringing' | 'waiting' | 'talking',
  },
  actors: {
    /** Reads who is called and writes the call down. */
    findRoute: unpluggedQuestion<Route, object>('findRoute'),
    /** Takes the call for a number, in the database: one compare-and-set. Answers whether it was the first. */
    claim: unpluggedQuestion<boolean, { offer: Offer }>('claim'),
    /** Answers both ends and joins them. */
    connect: unpluggedQuestion<void, { offer: Offer }>('connect'),
  },
  actions: {
    ring: (_args, _params: { stage: Stage | null; round: number }) => unplugged('ring'),
    /** Rings those at the desk; `number` only that one. */
    ringDesk: (_args, _params: { round: number; number: string | null }) => unplugged('ringDesk'),
    notifyRinging: () => unplugged('notifyRinging'),
    /** The caller is shown and hears that somebody is coming. */
    holdCaller: (_args, _params: { answered: boolean }) => unplugged('holdCaller'),
    /** Ends ringing legs; `takenBy`: because somebody took the call. */
    cancelOffers: (_args, _params: { offers: readonly Offer[]; takenBy: string | null }) => unplugged('cancelOffers'),
    /** Refuses one who asked to join: who has the call is named. */
    refuseJoin: (_args, _params: { offer: Offer; owner: string | null }) => unplugged('refuseJoin'),
    releaseLeg: (_args, _params: { leg: string }) => unplugged('releaseLeg'),
    storeStatus: (_args, _params: { status: 'calling' | 'waiting' | 'answered_waiting' }) => unplugged('storeStatus'),
    /** Ends every leg the call still has and writes the end down. */
    finish: (_args, _params: { end: CallEnd }) => unplugged('finish'),
    takeRoute: assign((_, { route }: { route: Route }) =>
      route.kind === 'refused'
        ? { end: { status: 'failed' as const, reason: route.reason, sip: route.status } }
        : { stages: route.stages, queue: route.queue, type: route.type, talkSeconds: route.talkSeconds },
    ),
    nextStage: assign(({ context }) => ({
      stage: context.stages[0] ?? null,
      stages: context.stages.slice(1),
      round: context.round + 1,
      offers: [],
    })),
    nextRound: assign({ round: ({ context }) => context.round + 1, offers: [] }),
    addOffers: assign({ offers: ({ context }, { offers }: { offers: readonly Offer[] }) => [...context.offers, ...offers] }),
    forgetOffer: assign({ offers: ({ context }, { leg }: { leg: string }) => context.offers.filter((offer) => offer.leg !== leg) }),
    forgetOffers: assign({ offers: [] }),
    noteOutcome: assign({ outcome: ({ context }, { parting }: { parting: Parting }) => heavier(context.outcome, parting) }),
    nameClaimant: assign({ claimant: ({ context }, { leg }: { leg: string }) => context.offers.find((offer) => offer.leg === leg) ?? null }),
    nameJoiner: assign({ claimant: (_, { offer }: { offer: Offer }) => offer }),
    forgetClaimant: assign({ claimant: null }),
    makeOwner: assign(({ context }) => ({
      owner: context.claimant,
      claimant: null,
      answered: true,
      type: context.claimant && context.claimant.as !== 'callee' ? ('awaiting' as const) : context.type,
    })),
    forgetOwner: assign({ owner: null }),
    storeHolder: assign({ holder: ({ context }) => context.owner?.number ?? null }),
    setEnd: assign({ end: (_, { end }: { end: CallEnd }) => end }),
    setUntaken: assign({ end: ({ context }) => untaken(context.outcome) }),
  },
  guards: {
    isRefused: ({ context }) => context.end !== null,
    hasBoth: ({ context }) => context.claimant !== null,
    hasStage: ({ context }) => context.stages.length > 0,
    isQueued: ({ context }) => context.queue,
    stopsHere: ({ context }) => context.stage?.goesOnAfterError === false && context.outcome !== 'silent',
    /** One who is rung at this stage; before the first offers are made they are about to be. */
    isCalled: ({ context }, { number }: { number: string }) =>
      context.offers.length > 0 && (context.stage?.rings.some((ring) => ring.number === number) ?? false),
    isThisRound: ({ context }, { round }: { round: number }) => round === context.round,
    madeNone: ({ context }, { offers, round }: { offers: readonly Offer[]; round: number }) =>
      round === context.round && offers.length === 0 && context.offers.length === 0,
    isOffer: ({ context }, { leg }: { leg: string }) => context.offers.some((offer) => offer.leg === leg),
    rangInVain: ({ context }, { leg, parting }: { leg: string; parting: Parting }) =>
      parting === 'silent' && context.offers.some((offer) => offer.leg === leg),
    isLastOffer: ({ context }, { leg }: { leg: string }) => context.offers.length === 1 && context.offers[0]?.leg === leg,
    isClaimant: ({ context }, { leg }: { leg: string }) => context.claimant?.leg === leg,
    /** Before the claim is decided the desk, which has talk as it sees it, puts the caller on hold; an answer that is taken back says so (Reason 487). */
    putsItAside: ({ context: { claimant } }, { leg, parting }: { leg: string; parting: Parting }) =>
      claimant?.leg === leg && claimant.as !== 'callee' && parting === 'left',
    isOwner: ({ context }, { leg }: { leg: string }) => context.owner?.leg === leg,
    /** Whoever had it was cut off, or has taken back the answer: it waits for all. */
    leavesItToAll: ({ context }, { leg, parting }: { leg: string; parting: Parting }) =>
      context.owner?.leg === leg && context.type === 'awaiting' && (parting === 'lost' || parting === 'undone'),
    isAwaitingOwner: ({ context }, { leg }: { leg: string }) => context.owner?.leg === leg && context.type === 'awaiting',
    isAwaiting: ({ context }) => context.type === 'awaiting',
    isAnswered: ({ context }) => context.answered,
    isForDesk: ({ context }) => context.claimant !== null && context.claimant.as !== 'callee',
    /** While others are rung: who intercepts, and the desk that has handed it on and takes it back. */
    mayTakeOver: ({ context }, { offer }: { offer: Offer }) =>
      offer.as === 'interceptor' || (offer.as === 'desk' && context.adopted && context.queue),
    isAbandoned: stateIn({ claiming: 'abandoned' }),
    isPutAside: stateIn({ claiming: 'putAside' }),
    wasLost: (_, { won }: { won: boolean }) => !won,
  },
  delays: {
    stageTime: ({ context }) => (context.stage?.seconds ?? 0) * 1_000,
    talkTime: ({ context }) => context.talkSeconds * 1_000,
    /** Of a call that nobody takes. */
    longestWait: lengthOf(1, 'hour'),
    /** Of one that somebody has put on hold and nobody takes up again. */
    longestPause: lengthOf(1, 'hour'),
    answerTime: 20_000,
  },
});
