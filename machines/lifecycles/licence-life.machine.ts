// Keeps in order: the life of one licence: it waits for its day, runs, nears its end, runs on in grace, is over; or is switched off.
// Spawned by: nobody; the server refuses what it refuses, views offer what it offers.
// Asks (ports): nothing.
// Tells (facts): nothing.
import { assign, initialTransition, setup } from 'xstate';
import type { LicencePeriod, LicenceState, LicenceStatus } from '#models/licences.ts';
import { secondsIn } from '#models/time.ts';

/** What the life of a licence hangs on; `at` is the present moment in seconds since 1970. */
export interface LicenceFacts {
  period: LicencePeriod;
  graceDays: number;
  /** Days before the end from which on it counts as ending. */
  notifyBefore: number;
  isEnabled: boolean;
  at: number;
}
type LicenceLifeEvent = { type: 'licence.switchOff' } | { type: 'licence.switchOn' } | { type: 'time.passed'; at: number };

const day = secondsIn(1, 'day');
/** When what a licence gives goes off: after its period and its days of grace. */
export const featuresEnd = ({ period, graceDays }: Pick<LicenceFacts, 'period' | 'graceDays'>): number => period.to + graceDays * day;

/** The life of one licence, whether a project's or a group's. */
export const licenceLifeMachine = setup({
  types: {
    input: {} as LicenceFacts,
    context: {} as LicenceFacts,
    events: {} as LicenceLifeEvent,
  },
  actions: {
    rememberMoment: assign({ at: (_, { at }: { at: number }) => at }),
    rememberSwitch: assign({ isEnabled: (_, { isEnabled }: { isEnabled: boolean }) => isEnabled }),
  },
  guards: {
    isOff: ({ context }) => !context.isEnabled,
    isToCome: ({ context: { at, period } }) => at < period.from,
    isFarFromEnd: ({ context: { at, period, notifyBefore } }) => at < period.to - notifyBefore * day,
    isWithinPeriod: ({ context: { at, period } }) => at < period.to,
    isWithinGrace: ({ context }) => context.at < featuresEnd(context),
  },
}).createMachine({
  id: 'licenceLife',
  context: ({ input }) => input,
  initial: 'deciding',
  on: { 'time.passed': { target: '.deciding', actions: { type: 'rememberMoment', params: ({ event }) => event } } },
  states: {
    deciding: {
      always: [
        { guard: 'isOff', target: 'disabled' },
        { guard: 'isToCome', target: 'running.pending' },
        { guard: 'isFarFromEnd', target: 'running.active' },
        { guard: 'isWithinPeriod', target: 'running.ending' },
        { guard: 'isWithinGrace', target: 'running.inGrace' },
        { target: 'expired' },
      ],
    },
    running: {
      on: { 'licence.switchOff': { target: 'disabled', actions: { type: 'rememberSwitch', params: { isEnabled: false } } } },
      initial: 'pending',
      states: { pending: {}, active: {}, ending: {}, inGrace: {} },
    },
    disabled: {
      on: { 'licence.switchOn': { target: 'deciding', actions: { type: 'rememberSwitch', params: { isEnabled: true } } } },
    },
    expired: {},
  },
});

const standing = (facts: LicenceFacts) => initialTransition(licenceLifeMachine, facts)[0];
type Standing = ReturnType<typeof standing>;

function statusIn(life: Standing): LicenceStatus {
  if (life.matches('disabled')) return 'disabled';
  if (life.matches('expired') || life.matches({ running: 'inGrace' })) return 'expired';
  return life.matches({ running: 'pending' }) ? 'pending' : 'active';
}
function stateIn(life: Standing): LicenceState {
  if (life.matches({ running: 'active' })) return 'active';
  return life.matches({ running: 'ending' }) || life.matches({ running: 'inGrace' }) ? 'ending' : 'disabled';
}

/** How a licence stands: its status as a file, and the state of what it gives. */
export function lifeOf(facts: LicenceFacts): { status: LicenceStatus; state: LicenceState } {
  const life = standing(facts);
  return { status: statusIn(life), state: stateIn(life) };
}

/** May the licence be switched on, or off, as it stands? */
export const maySwitch = (facts: LicenceFacts, isEnabled: boolean): boolean =>
  standing(facts).can({ type: isEnabled ? 'licence.switchOn' : 'licence.switchOff' });

/** The moments at which the life of a licence changes by itself, in seconds since 1970. */
export const turningPoints = ({ period, graceDays, notifyBefore }: Omit<LicenceFacts, 'at' | 'isEnabled'>): number[] => [
  period.from,
  period.to - notifyBefore * day,
  period.to,
  featuresEnd({ period, graceDays }),
];
