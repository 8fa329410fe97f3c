// Keeps in order: one call at the server, from the INVITE over ringing, waiting, the claim and talk to its end.
// Spawned by: the exchange, one for each call that comes in or that a transfer makes.
// Asks (ports): findRoute, claim, connect; and the actions that act on legs, media and the call's row.
// Tells (facts): nothing; what it does it does through its ports.
import { ends, only, type CallContext, serverCallSetup } from './server-call.setup.ts';

/** One has it: nobody else is rung for it any more. */
const silenceOthers = {
  type: 'cancelOffers',
  params: ({ context: { offers, owner } }: { context: CallContext }) => ({
    offers: offers.filter(({ leg }) => leg !== owner?.leg),
    takenBy: owner?.number ?? null,
  }),
} as const;

/** Every call of the server. Normal ones ring stage by stage; awaiting ones wait until somebody at the desk takes them, and wait again when that one pauses. */
export const serverCallMachine = serverCallSetup.createMachine({
  id: 'serverCall',
  context: ({ input }) => ({
    sos: input.sos,
    type: 'normal',
    stages: [],
    round: 0,
    queue: false,
    talkSeconds: 0,
    offers: [],
    claimant: input.joined,
    owner: null,
    holder: null,
    answered: false,
    adopted: input.adopted,
    stage: null,
    outcome: null,
    end: null,
  }),
  output: ({ context }) => ({ end: context.end ?? ends.failed }),
  initial: 'routing',
  on: {
    'call.stop': {
      target: '.over',
      actions: {
        type: 'setEnd',
        params: ({ context, event }) => ({ end: { status: context.answered ? 'answered' : 'cancel', reason: event.reason, sip: 480 } }),
      },
    },
    'caller.left': [
      { guard: 'isAnswered', target: '.over', actions: { type: 'setEnd', params: { end: ends.over } } },
      { target: '.over', actions: { type: 'setEnd', params: ({ event }) => ({ end: event.lost ? ends.lost : ends.left }) } },
    ],
    // Whoever is not needed any more: the one who came second, or the INVITE that came late.
    'offers.made': {
      actions: {
        type: 'cancelOffers',
        params: ({ context, event }) => ({ offers: event.offers, takenBy: context.owner?.number ?? context.claimant?.number ?? null }),
      },
    },
    'leg.confirmed': { actions: { type: 'releaseLeg', params: ({ event }) => event } },
    'call.join': {
      actions: {
        type: 'refuseJoin',
        params: ({ context, event }) => ({ offer: event.offer, owner: context.owner?.number ?? context.claimant?.number ?? null }),
      },
    },
  },
  states: {
    routing: {
      invoke: {
        id: 'findRoute',
        src: 'findRoute',
        input: {},
        onDone: { target: 'deciding', actions: { type: 'takeRoute', params: ({ event }) => ({ route: event.output }) } },
        onError: { target: 'over', actions: { type: 'setEnd', params: { end: ends.failed } } },
      },
      after: { answerTime: { target: 'over', actions: { type: 'setEnd', params: { end: ends.failed } } } },
    },
    deciding: {
      always: [
        { guard: 'isRefused', target: 'over' },
        { guard: 'hasBoth', target: 'claiming' },
        { guard: 'hasStage', target: 'ringing' },
        { guard: 'isQueued', target: 'waiting' },
        { target: 'over', actions: 'setUntaken' },
      ],
    },
    ringing: {
      tags: 'ringing',
      entry: [
        'nextStage',
        { type: 'storeStatus', params: { status: 'calling' } },
        { type: 'ring', params: ({ context: { stage, round } }) => ({ stage, round }) },
      ],
      on: {
        'offers.made': [
          {
            guard: { type: 'madeNone', params: ({ event }) => event },
            target: 'advancing',
            actions: { type: 'noteOutcome', params: { parting: 'unreachable' } },
          },
          { guard: { type: 'isThisRound', params: ({ event }) => event }, actions: { type: 'addOffers', params: ({ event }) => event } },
          { actions: { type: 'cancelOffers', params: ({ event }) => ({ offers: event.offers, takenBy: null }) } },
        ],
        'number.came': {
          guard: { type: 'isCalled', params: ({ event }) => event },
          actions: { type: 'ring', params: ({ context: { stage, round }, event }) => ({ stage: only(stage, event.number), round }) },
        },
        'leg.progress': { guard: { type: 'isOffer', params: ({ event }) => event }, actions: 'notifyRinging' },
        'leg.confirmed': {
          guard: { type: 'isOffer', params: ({ event }) => event },
          target: 'claiming',
          actions: { type: 'nameClaimant', params: ({ event }) => event },
        },
        'leg.ended': [
          {
            guard: { type: 'isLastOffer', params: ({ event }) => event },
            target: 'advancing',
            actions: [
              { type: 'noteOutcome', params: ({ event }) => event },
              { type: 'forgetOffer', params: ({ event }) => event },
            ],
          },
          {
            guard: { type: 'isOffer', params: ({ event }) => event },
            actions: [
              { type: 'noteOutcome', params: ({ event }) => event },
              { type: 'forgetOffer', params: ({ event }) => event },
            ],
          },
        ],
        'call.join': [
          {
            guard: { type: 'mayTakeOver', params: ({ event }) => event },
            target: 'claiming',
            actions: { type: 'nameJoiner', params: ({ event }) => event },
          },
          { actions: { type: 'refuseJoin', params: ({ event }) => ({ offer: event.offer, owner: null }) } },
        ],
      },
      after: {
        stageTime: {
          target: 'advancing',
          actions: [
            { type: 'noteOutcome', params: { parting: 'silent' } },
            { type: 'cancelOffers', params: ({ context }) => ({ offers: context.offers, takenBy: null }) },
            'forgetOffers',
          ],
        },
      },
    },
    advancing: {
      always: [
        { guard: 'stopsHere', target: 'over', actions: 'setUntaken' },
        { guard: 'hasStage', target: 'ringing' },
        { guard: 'isQueued', target: 'waiting' },
        { target: 'over', actions: 'setUntaken' },
      ],
    },
    waiting: {
      tags: 'waiting',
      entry: [
        'nextRound',
        { type: 'storeStatus', params: { status: 'waiting' } },
        { type: 'holdCaller', params: { answered: false } },
        { type: 'ringDesk', params: ({ context: { round } }) => ({ round, number: null }) },
      ],
      on: {
        'offers.made': [
          { guard: { type: 'isThisRound', params: ({ event }) => event }, actions: { type: 'addOffers', params: ({ event }) => event } },
          { actions: { type: 'cancelOffers', params: ({ event }) => ({ offers: event.offers, takenBy: null }) } },
        ],
        'number.came': { actions: { type: 'ringDesk', params: ({ context: { round }, event }) => ({ round, number: event.number }) } },
        'leg.progress': { guard: { type: 'isOffer', params: ({ event }) => event }, actions: 'notifyRinging' },
        'leg.confirmed': {
          guard: { type: 'isOffer', params: ({ event }) => event },
          target: 'claiming',
          actions: { type: 'nameClaimant', params: ({ event }) => event },
        },
        'leg.ended': [
          // Phones give up ringing after a while; the call does not.
          {
            guard: { type: 'rangInVain', params: ({ event }) => event },
            actions: [
              {
                type: 'ringDesk',
                params: ({ context: { round, offers }, event }) => ({ round, number: offers.find(({ leg }) => leg === event.leg)?.number ?? null }),
              },
              { type: 'forgetOffer', params: ({ event }) => event },
            ],
          },
          { actions: { type: 'forgetOffer', params: ({ event }) => event } },
        ],
        'call.join': { target: 'claiming', actions: { type: 'nameJoiner', params: ({ event }) => event } },
      },
      after: { longestWait: { target: 'over', actions: { type: 'setEnd', params: { end: ends.waitTimeout } } } },
    },
    /** The database decides who has the call. */
    claiming: {
      initial: 'asking',
      states: {
        asking: {
          on: {
            'leg.ended': [
              { guard: { type: 'putsItAside', params: ({ event }) => event }, target: 'putAside' },
              { guard: { type: 'isClaimant', params: ({ event }) => event }, target: 'abandoned' },
            ],
          },
        },
        /** Whoever answered has hung up before it was decided. */
        abandoned: {},
        /** Whoever answered at the desk has talk already, as it sees it, and has put the caller on hold. */
        putAside: {},
      },
      on: { 'leg.ended': { actions: { type: 'forgetOffer', params: ({ event }) => event } } },
      invoke: {
        id: 'claim',
        src: 'claim',
        input: ({ context }) => ({ offer: context.claimant ?? { leg: '', number: '', as: 'callee' } }),
        onDone: [
          {
            guard: { type: 'wasLost', params: ({ event }) => ({ won: event.output }) },
            target: 'returning',
            actions: { type: 'releaseLeg', params: ({ context }) => ({ leg: context.claimant?.leg ?? '' }) },
          },
          { guard: 'isAbandoned', target: 'returning' },
          { guard: 'isPutAside', target: 'paused', actions: ['makeOwner', silenceOthers, 'forgetOffers', 'storeHolder', 'forgetOwner'] },
          { target: 'answered', actions: ['makeOwner', silenceOthers, 'forgetOffers'] },
        ],
        onError: { target: 'over', actions: { type: 'setEnd', params: { end: ends.failed } } },
      },
      after: { answerTime: { target: 'over', actions: { type: 'setEnd', params: { end: ends.failed } } } },
    },
    /** The claim came to nothing: a call of the desk waits again, another one is over. */
    returning: {
      always: [
        { guard: 'isAnswered', target: 'paused', actions: 'forgetClaimant' },
        {
          guard: 'isForDesk',
          target: 'waiting',
          actions: ['forgetClaimant', { type: 'cancelOffers', params: ({ context }) => ({ offers: context.offers, takenBy: null }) }],
        },
        { target: 'over', actions: { type: 'setEnd', params: { end: ends.over } } },
      ],
    },
    answered: {
      tags: 'talking',
      initial: 'connecting',
      on: {
        'leg.ended': [
          {
            guard: { type: 'leavesItToAll', params: ({ event }) => event },
            target: 'waiting',
            actions: 'forgetOwner',
          },
          { guard: { type: 'isAwaitingOwner', params: ({ event }) => event }, target: 'paused', actions: ['storeHolder', 'forgetOwner'] },
          {
            guard: { type: 'isOwner', params: ({ event }) => event },
            target: 'over',
            actions: { type: 'setEnd', params: { end: ends.over } },
          },
        ],
        'call.handOver': { target: 'over', actions: { type: 'setEnd', params: { end: ends.handedOver } } },
      },
      states: {
        connecting: {
          invoke: {
            id: 'connect',
            src: 'connect',
            input: ({ context }) => ({ offer: context.owner ?? { leg: '', number: '', as: 'callee' } }),
            onDone: { target: 'talking' },
            onError: [
              {
                guard: 'isAwaiting',
                target: '#serverCall.waiting',
                actions: [{ type: 'releaseLeg', params: ({ context }) => ({ leg: context.owner?.leg ?? '' }) }, 'forgetOwner'],
              },
              { target: '#serverCall.over', actions: { type: 'setEnd', params: { end: ends.incompatible } } },
            ],
          },
          after: { answerTime: { target: '#serverCall.over', actions: { type: 'setEnd', params: { end: ends.failed } } } },
        },
        talking: {
          after: { talkTime: { target: '#serverCall.over', actions: { type: 'setEnd', params: { end: ends.talkTimeout } } } },
        },
      },
    },
    /** Nobody talks with the caller at the moment; anybody at the desk may go on. */
    paused: {
      tags: 'waiting',
      entry: [
        { type: 'storeStatus', params: { status: 'answered_waiting' } },
        { type: 'holdCaller', params: { answered: true } },
      ],
      on: {
        'call.join': { target: 'claiming', actions: { type: 'nameJoiner', params: ({ event }) => event } },
        'call.handOver': { target: 'over', actions: { type: 'setEnd', params: { end: ends.handedOver } } },
      },
      after: { longestPause: { target: 'over', actions: { type: 'setEnd', params: { end: ends.over } } } },
    },
    over: {
      type: 'final',
      entry: { type: 'finish', params: ({ context }) => ({ end: context.end ?? ends.failed }) },
    },
  },
});
