// Keeps in order: the alerts that stand on the screen and the questions that wait for the person, one at a time.
// Spawned by: app, always; it outlives sign-out.
// Asks (ports): nothing.
// Tells (facts): dialog.answered, to the asker and to whoever watches.
import { type ActorRefFrom, assign, enqueueActions, sendTo, setup, type SnapshotFrom, stopChild } from 'xstate';
import { type Alert, alertMachine } from './alert.machine.ts';
import { type Dialog, type DialogAnswered, dismissal } from './dialog.ts';

/** What anybody may ask of the alerts area; children tell these to their parents, who pass them up. */
export type AlertsRequest =
  | { type: 'alert.show'; alert: Alert }
  | { type: 'dialog.ask'; dialog: Dialog }
  /** The asker went away: its questions are taken back unanswered. */
  | { type: 'dialog.withdraw'; askers: readonly string[] };
type AlertsEvent =
  | AlertsRequest
  | { type: 'alert.close'; id: string }
  | { type: 'alert.hold'; id: string }
  | { type: 'alert.release'; id: string }
  | { type: 'alerts.clear' }
  | { type: 'dialogs.dismiss' }
  | { type: 'dialog.answer'; action: string }
  | { type: 'dialog.dismiss' }
  | { type: 'xstate.done.actor.*'; actorId: string }
  | { type: 'xstate.error.actor.*'; actorId: string };

/** A question in the queue under the name it got. */
export interface PendingDialog {
  id: string;
  dialog: Dialog;
}
/** What it holds. */
export interface AlertsContext {
  next: number;
  /** Standing alerts, oldest first, each with what it says, so that the same is counted and not doubled. */
  shown: readonly { id: string; says: string }[];
  /** The first is on the screen. */
  dialogs: readonly PendingDialog[];
}

const saying = ({ kind, key, params, problem }: Alert): string => JSON.stringify([kind, key, params, problem?.code, problem?.message]);
const standing = (context: AlertsContext, alert: Alert): string | undefined => context.shown.find(({ says }) => says === saying(alert))?.id;
const answer = ({ id, dialog }: PendingDialog, action: string): DialogAnswered => ({ type: 'dialog.answered', id, action, about: dialog.about });

/** The alerts area: four kinds of messages, and dialogs in a queue. */
export const alertsMachine = setup({
  types: {
    context: {} as AlertsContext,
    events: {} as AlertsEvent,
    emitted: {} as DialogAnswered,
  },
  actors: { alert: alertMachine },
  actions: {
    raiseAlert: enqueueActions(({ context, enqueue }, { alert }: { alert: Alert }) => {
      const id = `alert:${context.next}`;
      enqueue.spawnChild('alert', { id, input: { alert } });
      enqueue.assign({ next: context.next + 1, shown: [...context.shown, { id, says: saying(alert) }] });
    }),
    countAgain: sendTo(({ context }, { alert }: { alert: Alert }) => standing(context, alert) ?? '', { type: 'alert.repeat' }),
    pass: sendTo(
      (_, { id }: { id: string; type: 'alert.close' | 'alert.hold' | 'alert.release' }) => id,
      (_, { type }) => ({ type }),
    ),
    removeAlert: assign({ shown: ({ context }, { id }: { id: string }) => context.shown.filter((alert) => alert.id !== id) }),
    stopAlert: stopChild((_, { id }: { id: string }) => id),
    clearAlerts: enqueueActions(({ context, enqueue }) => {
      for (const { id } of context.shown) enqueue.stopChild(id);
      enqueue.assign({ shown: [] });
    }),
    queueDialog: assign({
      next: ({ context }) => context.next + 1,
      dialogs: ({ context }, { dialog }: { dialog: Dialog }) => [...context.dialogs, { id: `dialog:${context.next}`, dialog }],
    }),
    answerFirst: enqueueActions(({ context, enqueue }, { action }: { action?: string }) => {
      const [first, ...rest] = context.dialogs;
      if (!first) return;
      const answered = answer(first, action ?? dismissal(first.dialog));
      enqueue.sendTo(first.dialog.replyTo, answered);
      enqueue.emit(answered);
      enqueue.assign({ dialogs: rest });
    }),
    dismissAll: enqueueActions(({ context, enqueue }) => {
      enqueue.assign({ dialogs: [] });
      for (const pending of context.dialogs) {
        const answered = answer(pending, dismissal(pending.dialog));
        enqueue.sendTo(pending.dialog.replyTo, answered);
        enqueue.emit(answered);
      }
    }),
    withdraw: assign({
      dialogs: ({ context }, { askers }: { askers: readonly string[] }) =>
        context.dialogs.filter(({ dialog }) => !askers.includes(dialog.replyTo.id)),
    }),
  },
  guards: {
    standsAlready: ({ context }, { alert }: { alert: Alert }) => standing(context, alert) !== undefined,
    stands: ({ context }, { id }: { id: string }) => context.shown.some((alert) => alert.id === id),
    isOffered: ({ context }, { action }: { action: string }) =>
      context.dialogs[0]?.dialog.actions.some((offered) => offered.action === action) ?? false,
    mayDismiss: ({ context }) => context.dialogs[0]?.dialog.defaultAction !== undefined,
    isLast: ({ context }) => context.dialogs.length === 0,
  },
}).createMachine({
  id: 'alerts',
  context: { next: 1, shown: [], dialogs: [] },
  initial: 'quiet',
  on: {
    'alert.show': [
      {
        guard: { type: 'standsAlready', params: ({ event }) => ({ alert: event.alert }) },
        actions: { type: 'countAgain', params: ({ event }) => ({ alert: event.alert }) },
      },
      { actions: { type: 'raiseAlert', params: ({ event }) => ({ alert: event.alert }) } },
    ],
    'alert.close': {
      guard: { type: 'stands', params: ({ event }) => ({ id: event.id }) },
      actions: { type: 'pass', params: ({ event }) => ({ id: event.id, type: event.type }) },
    },
    'alert.hold': {
      guard: { type: 'stands', params: ({ event }) => ({ id: event.id }) },
      actions: { type: 'pass', params: ({ event }) => ({ id: event.id, type: event.type }) },
    },
    'alert.release': {
      guard: { type: 'stands', params: ({ event }) => ({ id: event.id }) },
      actions: { type: 'pass', params: ({ event }) => ({ id: event.id, type: event.type }) },
    },
    'xstate.done.actor.*': {
      actions: [
        { type: 'removeAlert', params: ({ event }) => ({ id: event.actorId }) },
        { type: 'stopAlert', params: ({ event }) => ({ id: event.actorId }) },
      ],
    },
    'xstate.error.actor.*': {
      actions: [
        { type: 'removeAlert', params: ({ event }) => ({ id: event.actorId }) },
        { type: 'stopAlert', params: ({ event }) => ({ id: event.actorId }) },
      ],
    },
    'alerts.clear': { target: '.quiet', actions: ['clearAlerts', 'dismissAll'] },
    'dialog.ask': { target: '.asking', actions: { type: 'queueDialog', params: ({ event }) => ({ dialog: event.dialog }) } },
  },
  states: {
    quiet: {},
    asking: {
      tags: 'asking',
      always: { guard: 'isLast', target: 'quiet' },
      on: {
        'dialog.answer': {
          guard: { type: 'isOffered', params: ({ event }) => ({ action: event.action }) },
          actions: { type: 'answerFirst', params: ({ event }) => ({ action: event.action }) },
        },
        'dialog.dismiss': { guard: 'mayDismiss', actions: { type: 'answerFirst', params: {} } },
        'dialogs.dismiss': { actions: 'dismissAll' },
        'dialog.withdraw': { actions: { type: 'withdraw', params: ({ event }) => ({ askers: event.askers }) } },
      },
    },
  },
});
export type AlertsActor = ActorRefFrom<typeof alertsMachine>;
type AlertsSnapshot = SnapshotFrom<typeof alertsMachine>;

/** The living alerts, oldest first, for the view to subscribe to. */
export const standingAlerts = ({ context, children }: AlertsSnapshot): readonly ActorRefFrom<typeof alertMachine>[] =>
  context.shown.flatMap(({ id }) => (children[id] ? [children[id] as ActorRefFrom<typeof alertMachine>] : []));

/** The question on the screen. */
export const presentDialog = ({ context }: AlertsSnapshot): PendingDialog | undefined => context.dialogs[0];
