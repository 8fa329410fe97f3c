// Keeps in order: what is known of licences running out, and that those who manage them are reminded as often as they wish.
// Spawned by: console, as systemId licence.
// Asks (ports): readLicenceStatus, saveClosed.
// Tells (facts): profile.stale, when something began or ended by itself; asks of alerts: alert.show, alert.withdraw.
import { type ActorRefFrom, assign, enqueueActions, setup } from 'xstate';
import type { LicenceStatusReport, LicenceWarningStatus } from '#models/licences.ts';
import type { Zone } from '#models/zone.ts';
import type { AlertClosed, AlertsRequest, TopicWithdrawal } from '../alerts/alerts.machine.ts';
import { type ClosedReminders, dueMessages, type Messages, nextLook } from './licence-reminders.ts';
import { parentOf, unplugged, unpluggedAction } from '../port.ts';
import type { RealtimeFact } from '../realtime/realtime.machine.ts';

/** What the port answers: the server's licence status, and what this person has closed on this device. */
export interface LicenceStatusRead {
  licenceStatus: LicenceStatusReport;
  closed: ClosedReminders;
}
type LicenceEvent =
  | AlertClosed
  /** Licences have changed, or may have while nothing was heard. */
  | Extract<RealtimeFact, { type: 'realtime.events' | 'realtime.resynced' }>
  /** Role or groups may be others: other things may have to be minded. */
  | { type: 'licence.reread' };
export type LicenceFact = Extract<AlertsRequest, { type: 'alert.show' }> | TopicWithdrawal | { type: 'profile.stale' };

/** What it holds. */
export interface LicenceContext {
  zone: Zone;
  licenceStatus: LicenceStatusReport | null;
  closed: ClosedReminders;
  /** Messages that stand in the alerts area. */
  said: Messages;
}

/** What was closed, and on which day. */
const closing = <Type extends 'rememberClosed' | 'saveClosed'>(type: Type) =>
  ({
    type,
    params: ({ context, event }: { context: LicenceContext; event: AlertClosed }) => ({ topic: event.topic, at: context.licenceStatus?.at ?? 0 }),
  }) as const;
const turns = (...statuses: LicenceWarningStatus[]) =>
  statuses.map((status) => ({ guard: { type: 'says', params: { status } }, target: status }) as const);

/** The warning about licences (spec A4.3): its status, and reading it anew whenever it may have changed. */
export const licenceMachine = setup({
  types: {
    input: {} as { zone: Zone },
    context: {} as LicenceContext,
    events: {} as LicenceEvent,
    emitted: {} as LicenceFact,
  },
  actors: { readLicenceStatus: unplugged<LicenceStatusRead>('readLicenceStatus') },
  actions: {
    saveClosed: (_args, _closed: { topic: string; at: number }) => unpluggedAction('saveClosed'),
    notifyTurn: enqueueActions(({ context, enqueue, self }, { licenceStatus }: LicenceStatusRead) => {
      const turn = context.licenceStatus?.changes_at ?? null;
      const parent = parentOf(self);
      if (turn === null || licenceStatus.at < turn) return;
      enqueue.emit({ type: 'profile.stale' });
      if (parent) enqueue.sendTo(parent, { type: 'profile.stale' } satisfies LicenceFact);
    }),
    rememberLicenceStatus: assign((_, { licenceStatus, closed }: LicenceStatusRead) => ({ licenceStatus, closed })),
    remind: enqueueActions(({ context, enqueue, self }) => {
      const { licenceStatus, closed, zone, said } = context;
      const due = licenceStatus ? dueMessages(licenceStatus, closed, zone) : {};
      const parent = parentOf(self);
      const notify = (fact: LicenceFact): void => {
        enqueue.emit(fact);
        if (parent) enqueue.sendTo(parent, fact);
      };
      for (const topic of Object.keys(said)) if (!due[topic]) notify({ type: 'alert.withdraw', topic });
      for (const [topic, message] of Object.entries(due))
        if (JSON.stringify(said[topic]) !== JSON.stringify(message)) notify({ type: 'alert.show', alert: { ...message, replyTo: self } });
      enqueue.assign({ said: due });
    }),
    rememberClosed: assign(({ context }, { topic, at }: { topic: string; at: number }) => ({
      closed: { ...context.closed, [topic]: at },
      said: Object.fromEntries(Object.entries(context.said).filter(([said]) => said !== topic)),
    })),
  },
  guards: {
    says: ({ context }, { status }: { status: LicenceWarningStatus }) => context.licenceStatus?.status === status,
  },
  delays: {
    answerTimeout: 45_000,
    retryPause: 60_000,
    nextLook: ({ context }) => (context.licenceStatus ? nextLook(context.licenceStatus, context.zone) : 60_000),
  },
}).createMachine({
  id: 'licence',
  context: ({ input }) => ({ zone: input.zone, licenceStatus: null, closed: {}, said: {} }),
  type: 'parallel',
  on: {
    'alert.closed': { actions: [closing('rememberClosed'), closing('saveClosed')] },
    'licence.reread': { target: '.reading.asking' },
    'realtime.events': { target: '.reading.asking' },
    'realtime.resynced': { target: '.reading.asking' },
  },
  states: {
    warning: {
      initial: 'normal',
      states: {
        normal: { always: turns('no_license', 'will_expire', 'already_expired') },
        no_license: { always: turns('normal', 'will_expire', 'already_expired') },
        will_expire: { always: turns('normal', 'no_license', 'already_expired') },
        already_expired: { always: turns('normal', 'no_license', 'will_expire') },
      },
    },
    reading: {
      initial: 'asking',
      states: {
        asking: {
          invoke: {
            id: 'readLicenceStatus',
            src: 'readLicenceStatus',
            onDone: {
              target: 'resting',
              actions: [
                { type: 'notifyTurn', params: ({ event }) => event.output },
                { type: 'rememberLicenceStatus', params: ({ event }) => event.output },
                'remind',
              ],
            },
            onError: { target: 'waiting' },
          },
          after: { answerTimeout: 'waiting' },
        },
        waiting: { after: { retryPause: 'asking' } },
        resting: { after: { nextLook: 'asking' } },
      },
    },
  },
});
export type LicenceActor = ActorRefFrom<typeof licenceMachine>;
