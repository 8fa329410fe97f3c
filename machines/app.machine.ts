// Keeps in order: what lives while somebody is signed in, and what outlives that.
// Spawned by: src/main.tsx, once; the root.
// Asks (ports): console, a whole machine, plugged in apart: signing in does not wait for the code of all that comes after.
// Tells (facts): nothing; it passes commands down to its children.
import { assertEvent, enqueueActions, sendTo, setup } from 'xstate';
import { alertsMachine, type AlertsRequest, type TopicWithdrawal } from './alerts/alerts.machine.ts';
import type { ConsoleFact, consoleMachine } from './console/console.machine.ts';
import { unpluggedMachine } from './port.ts';
import { problemAlert } from './alert-requests.ts';
import { type SessionFact, sessionMachine } from './session/session.machine.ts';

type Failure = { type: 'xstate.error.actor.*'; error: unknown };

/** The root of all actors: session and alerts always, the console only while somebody is signed in. */
export const appMachine = setup({
  types: {
    events: {} as SessionFact | ConsoleFact | Failure,
    children: {} as { session: 'session'; alerts: 'alerts'; console: 'console' },
    tags: {} as 'signedIn',
  },
  actors: { session: sessionMachine, alerts: alertsMachine, console: unpluggedMachine<typeof consoleMachine>('console') },
  actions: {
    passToAlerts: sendTo('alerts', (_, request: AlertsRequest | TopicWithdrawal) => request),
    passToConsole: sendTo('console', (_, fact: SessionFact) => fact),
    /** The channel's token was refused, or a role has changed: the session sees to both. */
    passToSession: sendTo('session', (_, fact: Exclude<ConsoleFact, AlertsRequest | TopicWithdrawal>) => fact),
    /** What was typed last is kept for the person who comes back; who signs out leaves nothing behind. */
    saveDrafts: enqueueActions(({ event, enqueue }) => {
      if (event.type === 'session.ended' && (event.reason === 'expired' || event.reason === 'switched'))
        enqueue.sendTo('console', { type: 'drafts.store' });
    }),
    /** Messages about the person's own affairs are for nobody else's eyes. */
    withdrawMessages: sendTo('alerts', { type: 'alert.withdraw' }),
    dismissDialogs: sendTo('alerts', { type: 'dialogs.dismiss' }),
    showFailure: sendTo('alerts', (_, { error }: { error: unknown }) => problemAlert(error)),
  },
}).createMachine({
  id: 'app',
  invoke: [
    { id: 'alerts', src: 'alerts', systemId: 'alerts', onError: { actions: [] } },
    { id: 'session', src: 'session', systemId: 'session', onError: { actions: { type: 'showFailure', params: ({ event }) => event } } },
  ],
  initial: 'signedOut',
  on: {
    'alert.show': { actions: { type: 'passToAlerts', params: ({ event }) => event } },
    'alert.withdraw': { actions: { type: 'passToAlerts', params: ({ event }) => event } },
    'dialog.ask': { actions: { type: 'passToAlerts', params: ({ event }) => event } },
    'dialog.withdraw': { actions: { type: 'passToAlerts', params: ({ event }) => event } },
  },
  states: {
    signedOut: { on: { 'session.opened': { target: 'signedIn' } } },
    signedIn: {
      tags: 'signedIn',
      invoke: {
        id: 'console',
        src: 'console',
        input: ({ event }) => {
          assertEvent(event, 'session.opened');
          return { profile: event.profile };
        },
        onError: { actions: { type: 'showFailure', params: ({ event }) => event } },
      },
      exit: ['saveDrafts', 'dismissDialogs', 'withdrawMessages'],
      on: {
        'profile.changed': { actions: { type: 'passToConsole', params: ({ event }) => event } },
        'token.renewed': { actions: { type: 'passToConsole', params: ({ event }) => event } },
        'token.rejected': { actions: { type: 'passToSession', params: ({ event }) => event } },
        'profile.stale': { actions: { type: 'passToSession', params: ({ event }) => event } },
        'session.signOut': { actions: { type: 'passToSession', params: ({ event }) => event } },
        'session.signOutEverywhere': { actions: { type: 'passToSession', params: ({ event }) => event } },
        'session.ended': { target: 'signedOut' },
      },
    },
  },
});
