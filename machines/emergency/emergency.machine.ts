// Keeps in order: the emergency alerts that go to the person now, the sound until they have answered, and what they say: seen, safe. It is sent until the server has it.
// Spawned by: console, for as long as somebody is signed in.
// Asks (ports): readEmergencies, answerEmergency.
// Tells (facts): sound.play; the banners show what there is.
import { type ActorRefFrom, assign, enqueueActions, setup } from 'xstate';
import type { ActiveAlert } from '#models/emergency-alert-calls.ts';
import type { RealtimeEvent } from '#models/realtime.ts';
import { constants } from '#models/constants.ts';
import { answerTimeout, outcomeUnknown, parentOf, problemOf, unplugged } from '../port.ts';
import type { SoundRequest } from '../sounds.machine.ts';

/** What the person says to an alert. */
export interface AlertAnswer {
  id: string;
  /** The start it is about: the same alert may be started again. */
  startedAt: string;
  said: 'seen' | 'safe';
}
export interface EmergencyContext {
  alerts: readonly ActiveAlert[];
  /** Said, and not yet known to the server. */
  outgoing: readonly AlertAnswer[];
  /** The one of them that is on its way. */
  sending: AlertAnswer | null;
}
type EmergencyEvent =
  | { type: 'realtime.events'; events: readonly RealtimeEvent[] }
  | { type: 'realtime.resynced'; topics: readonly string[] }
  | { type: 'emergency.seen'; id: string }
  | { type: 'emergency.safe'; id: string }
  /** An alert is there that was not, and the person has not answered it. */
  | { type: 'emergency.raised'; isDrill: boolean };

const isSame = (one: AlertAnswer, other: AlertAnswer): boolean => one.id === other.id && one.said === other.said && one.startedAt === other.startedAt;
const without = (outgoing: readonly AlertAnswer[], sent: AlertAnswer | null): readonly AlertAnswer[] =>
  outgoing.filter((one) => !sent || !isSame(one, sent));
const nothing: AlertAnswer = { id: '', startedAt: '', said: 'seen' };

const isSaid = ({ outgoing }: EmergencyContext, { id, started_at }: ActiveAlert): boolean =>
  outgoing.some((one) => one.id === id && one.startedAt === started_at && one.said === 'safe');
/** Somebody may sit before it who has not noticed yet. */
const isUnanswered = (context: EmergencyContext, alert: ActiveAlert): boolean => alert.safe_at === null && !isSaid(context, alert);

/** Only what is out is answered, and once. */
function added({ alerts, outgoing }: EmergencyContext, id: string, said: AlertAnswer['said']): readonly AlertAnswer[] {
  const alert = alerts.find((one) => one.id === id);
  if (!alert || alert.safe_at !== null || (said === 'seen' && alert.seen_at !== null)) return outgoing;
  const answer: AlertAnswer = { id, startedAt: alert.started_at, said };
  return outgoing.some((one) => isSame(one, answer)) ? outgoing : [...outgoing, answer];
}

/** What a person is told in an emergency. */
export const emergencyMachine = setup({
  types: {
    context: {} as EmergencyContext,
    events: {} as EmergencyEvent,
    emitted: {} as SoundRequest,
    tags: {} as 'reading' | 'failed',
  },
  actors: {
    readEmergencies: unplugged<readonly ActiveAlert[]>('readEmergencies'),
    answerEmergency: unplugged<unknown, AlertAnswer>('answerEmergency'),
  },
  actions: {
    /** Answers to what is over, or was started anew, are for nobody any more. */
    takeAlerts: enqueueActions(({ context, enqueue }, { alerts }: { alerts: readonly ActiveAlert[] }) => {
      const outgoing = context.outgoing.filter((one) => alerts.some(({ id, started_at }) => id === one.id && started_at === one.startedAt));
      enqueue.assign({ alerts, outgoing });
      const isKnown = ({ id, started_at }: ActiveAlert): boolean => context.alerts.some((one) => one.id === id && one.started_at === started_at);
      const news = alerts.filter((alert) => !isKnown(alert) && isUnanswered(context, alert));
      if (news.length > 0) enqueue.raise({ type: 'emergency.raised', isDrill: news.every(({ is_drill }) => is_drill) });
    }),
    notify: enqueueActions(({ enqueue, self }, fact: SoundRequest) => {
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
    say: assign(({ context }, { id, said }: { id: string; said: AlertAnswer['said'] }) => ({ outgoing: added(context, id, said) })),
    take: assign(({ context }) => ({ sending: context.outgoing[0] ?? null })),
    drop: assign(({ context }) => ({ outgoing: without(context.outgoing, context.sending) })),
    /** Shown as said at once, with the moment of the start: the true one is read with the next change. */
    settle: assign(({ context }) => {
      const sent = context.sending;
      if (!sent) return {};
      const marked = (alert: ActiveAlert): ActiveAlert =>
        alert.id !== sent.id || alert.started_at !== sent.startedAt
          ? alert
          : { ...alert, seen_at: alert.seen_at ?? sent.startedAt, ...(sent.said === 'safe' && { safe_at: alert.safe_at ?? sent.startedAt }) };
      return { outgoing: without(context.outgoing, sent), alerts: context.alerts.map(marked) };
    }),
  },
  guards: {
    isAnswered: ({ context }) => !context.alerts.some((alert) => !alert.is_drill && isUnanswered(context, alert)),
    isDrill: (_, { isDrill }: { isDrill: boolean }) => isDrill,
    hasNext: ({ context }) => context.outgoing.length > 0,
    /** Nobody knows whether it arrived, or the server has no time: it is said again, and counts once. */
    isPassing: (_, { error }: { error: unknown }) => {
      const problem = problemOf(error);
      return outcomeUnknown(problem) || ['unavailable', 'too_many_requests', 'not_authorized', 'internal', 'storage_full'].includes(problem.code);
    },
  },
  delays: { answerTimeout, retryPause: 4_000, alarmRering: constants.alarmRering },
}).createMachine({
  id: 'emergency',
  type: 'parallel',
  context: { alerts: [], outgoing: [], sending: null },
  on: {
    'emergency.seen': { actions: { type: 'say', params: ({ event }) => ({ id: event.id, said: 'seen' as const }) } },
    'emergency.safe': { actions: { type: 'say', params: ({ event }) => ({ id: event.id, said: 'safe' as const }) } },
  },
  states: {
    reading: {
      initial: 'asking',
      on: { 'realtime.events': { target: '.asking' }, 'realtime.resynced': { target: '.asking' } },
      states: {
        asking: {
          tags: 'reading',
          invoke: {
            id: 'readEmergencies',
            src: 'readEmergencies',
            onDone: { target: 'known', actions: { type: 'takeAlerts', params: ({ event }) => ({ alerts: event.output }) } },
            onError: { target: 'failed' },
          },
          after: { answerTimeout: 'failed' },
        },
        known: {},
        /** Nobody may miss an alert because one reading failed. */
        failed: { tags: 'failed', after: { retryPause: 'asking' } },
      },
    },
    bell: {
      initial: 'silent',
      states: {
        silent: {
          on: {
            'emergency.raised': [
              // A drill is heard once, and no louder than a notification.
              {
                guard: { type: 'isDrill', params: ({ event }) => event },
                actions: { type: 'notify', params: { type: 'sound.play', sound: 'warning' } },
              },
              { target: 'ringing' },
            ],
          },
        },
        ringing: {
          entry: { type: 'notify', params: { type: 'sound.play', sound: 'emergency' } },
          always: { guard: 'isAnswered', target: 'silent' },
          on: {
            'emergency.raised': [{ guard: { type: 'isDrill', params: ({ event }) => event } }, { target: 'ringing', reenter: true }],
          },
          after: { alarmRering: { target: 'ringing', reenter: true } },
        },
      },
    },
    answering: {
      initial: 'resting',
      states: {
        resting: { always: { guard: 'hasNext', target: 'sending' } },
        sending: {
          entry: 'take',
          invoke: {
            id: 'answerEmergency',
            src: 'answerEmergency',
            input: ({ context }) => context.sending ?? nothing,
            onDone: { target: 'resting', actions: 'settle' },
            onError: [
              { guard: { type: 'isPassing', params: ({ event }) => event }, target: 'pausing' },
              { target: 'resting', actions: 'drop' },
            ],
          },
          after: { answerTimeout: 'pausing' },
        },
        pausing: { on: { 'realtime.resynced': { target: 'resting' } }, after: { retryPause: 'resting' } },
      },
    },
  },
});
export type EmergencyActor = ActorRefFrom<typeof emergencyMachine>;
