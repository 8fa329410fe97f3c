// Keeps in order: whether this number is registered at the SIP server, and when to try again.
// Spawned by: phone, in the tab that owns the phone.
// Asks (ports): userAgent (lasting), wakeups (lasting).
// Tells (facts): sip.incoming.
import { constants } from '#models/constants.ts';
import { assign, enqueueActions, sendTo, setup } from 'xstate';
import { type RegistrationState, sipConstants } from '#models/sip.ts';
import { parentOf, unpluggedStream } from '../port.ts';
import type { WakeReport } from '../realtime/realtime.machine.ts';
import { type IncomingCall, userAgent, type UserAgentCommand, type UserAgentReport } from './ports.ts';

type RegistrationEvent =
  | UserAgentReport
  | WakeReport
  | { type: 'phone.register' }
  | { type: 'phone.unregister' }
  | { type: 'sip.refuse'; sipId: string };
export type RegistrationFact = { type: 'sip.incoming'; call: IncomingCall };

/** What it holds. */
export interface RegistrationContext {
  number: string;
  /** Attempts in a row that failed. */
  failures: number;
  /** The last number from 0 to 1 that chance gave. */
  chance: number;
}

const manyFailures = 10;
const longestPause = 60_000;
const spread = 0.1;
/** A pause 10 % more or less, after ten failures longer and longer up to a minute. */
export const registrationPause = (base: number, { failures, chance }: Pick<RegistrationContext, 'failures' | 'chance'>): number =>
  Math.round(Math.max(base, Math.min(longestPause, base * 2 ** Math.max(0, failures - manyFailures))) * (1 - spread + 2 * spread * chance));

type Failed = { event: { invalid: boolean; chance: number } };
const failed = [
  {
    guard: { type: 'isInvalid', params: ({ event }: Failed) => event },
    target: '#registration.invalid_registration',
    actions: { type: 'fail', params: ({ event }: Failed) => event },
  },
  { target: '#registration.error', actions: { type: 'fail', params: ({ event }: Failed) => event } },
] as const;

/** The registration of one number (clauses SIP-11 to SIP-14). States are spelled as the specification spells them. */
export const registrationMachine = setup({
  types: {
    input: {} as { number: string },
    context: {} as RegistrationContext,
    events: {} as RegistrationEvent,
    emitted: {} as RegistrationFact,
    tags: {} as RegistrationState,
    children: {} as { userAgent: 'userAgent'; wakeups: 'wakeups' },
  },
  actors: { userAgent, wakeups: unpluggedStream<WakeReport>('wakeups') },
  actions: {
    command: sendTo('userAgent', (_, command: UserAgentCommand) => command),
    fail: assign(({ context }, { chance }: { chance: number }) => ({ failures: context.failures + 1, chance })),
    forgetFailures: assign({ failures: 0 }),
    notify: enqueueActions(({ enqueue, self }, fact: RegistrationFact) => {
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
  },
  guards: { isInvalid: (_, { invalid }: { invalid: boolean }) => invalid },
  delays: {
    registrationRetry: ({ context }) => registrationPause(constants.registrationRetryAfterError, context),
    invalidRegistrationRetry: ({ context }) => registrationPause(constants.registrationRetryAfterInvalid, context),
    registerTimeout: 10_000,
    /** Longer than an answer is waited for. */
    doubtTime: 2 * sipConstants.doubtAnswer,
    unregisterTimeout: 5_000,
  },
}).createMachine({
  id: 'registration',
  context: ({ input }) => ({ number: input.number, failures: 0, chance: 0.5 }),
  invoke: [
    { id: 'userAgent', src: 'userAgent', input: ({ context }) => ({ number: context.number }), onError: { target: '.error' } },
    // Without word from the page around, timers alone find out.
    { id: 'wakeups', src: 'wakeups', onError: { actions: [] } },
  ],
  initial: 'registering',
  on: {
    'sip.incoming': { actions: { type: 'notify', params: ({ event }) => event } },
    'sip.refuse': { actions: { type: 'command', params: ({ event }) => event } },
  },
  states: {
    registering: {
      tags: 'registering',
      entry: { type: 'command', params: { type: 'sip.register' } },
      after: { registerTimeout: { target: 'error', actions: { type: 'fail', params: ({ context }) => context } } },
      on: { 'sip.registered': { target: 'registered' }, 'sip.failed': failed, 'phone.unregister': { target: 'unregistering' } },
    },
    registered: {
      tags: 'registered',
      entry: 'forgetFailures',
      on: {
        'sip.failed': failed,
        'phone.unregister': { target: 'unregistering' },
        'link.nudged': { target: '.doubted' },
      },
      initial: 'trusted',
      states: {
        trusted: {},
        /** The network may be another one: a connection that only looks open is found now, and another opened at once. */
        doubted: {
          entry: { type: 'command', params: { type: 'sip.probe' } },
          after: { doubtTime: 'trusted' },
          on: { 'sip.failed': [failed[0], { target: '#registration.registering', actions: failed[1].actions }] },
        },
      },
    },
    unregistering: {
      tags: 'unregistering',
      entry: { type: 'command', params: { type: 'sip.unregister' } },
      after: { unregisterTimeout: 'unregistered' },
      on: { 'sip.unregistered': { target: 'unregistered' }, 'sip.failed': { target: 'unregistered' } },
    },
    unregistered: { tags: 'unregistered', on: { 'phone.register': { target: 'registering' } } },
    error: {
      tags: 'error',
      after: { registrationRetry: 'registering' },
      on: {
        'sip.registered': { target: 'registered' },
        'link.nudged': { target: 'registering' },
        'phone.register': { target: 'registering' },
        'phone.unregister': { target: 'unregistering' },
      },
    },
    /** Number or password are wrong: waking up changes nothing about that. */
    invalid_registration: {
      tags: 'invalid_registration',
      after: { invalidRegistrationRetry: 'registering' },
      on: { 'phone.register': { target: 'registering' }, 'phone.unregister': { target: 'unregistered' } },
    },
  },
});
