// Keeps in order: the alerts that stand on the screen and the questions that wait for the person, one at a time.
// Spawned by: app, always; it outlives sign-out.
// Asks (ports): nothing.
// Tells (facts): dialog.answered, to the asker and to whoever watches; alert.closed, to whoever raised a message about a topic.
import { type ActorRefFrom, type AnyActorRef, assign, enqueueActions, sendTo, setup, type SnapshotFrom, stopChild } from 'xstate';
import { type Alert, alertMachine } from './alert.machine.ts';
import { type Dialog, type DialogAnswered, dismissal } from './dialog.ts';

/** What anybody may ask of the alerts area; children tell these to their parents, who pass them up. */
export type AlertsRequest =
  | { type: 'alert.show'; alert: Alert }
  | { type: 'dialog.ask'; dialog: Dialog }
  /** The asker went away: its questions are taken back unanswered. */
  | { type: 'dialog.withdraw'; actorIds: readonly string[] };
/** Messages about this topic are over; without one, all that have a topic. */
export type TopicWithdrawal = { type: 'alert.withdraw'; topic?: string };
/** The person has closed the message about a topic. */
export type AlertClosed = { type: 'alert.closed'; topic: string };
type AlertsEvent =
  | AlertsRequest
  | TopicWithdrawal
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
/** One standing alert. */
interface Standing {
  id: string;
  says: string;
  topic?: string;
  replyTo?: AnyActorRef;
}
/** What it holds. */
export interface AlertsContext {
  next: number;
  /** Standing alerts, oldest first, each with what it says, so that the same is counted and not doubled. */
  shown: readonly Standing[];
  /** The first is on the screen. */
  dialogs: readonly PendingDialog[];
}

const saying = ({ kind, key, params, problem }: Alert): string => JSON.stringify([kind, key, params, problem?.code, problem?.message]);
const standing = (context: AlertsContext, alert: Alert): string | undefined =>
  alert.topic === undefined ? context.shown.find(({ says, topic }) => topic === undefined && says === saying(alert))?.id : undefined;
const isAbout = ({ topic }: Standing, wanted: string | undefined): boolean => topic !== undefined && (wanted === undefined || topic === wanted);
/** The queue with a question more: one that yields stands behind all others, also behind those that come later. */
function queued(dialogs: readonly PendingDialog[], pending: PendingDialog): readonly PendingDialog[] {
  if (pending.dialog.yields) return [...dialogs, pending];
  const yielding = dialogs.filter(({ dialog }) => dialog.yields);
  return [...dialogs.filter((one) => !yielding.includes(one)), pending, ...yielding];
}
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
      const { topic, replyTo } = alert;
      const replaced = topic === undefined ? [] : context.shown.filter((one) => isAbout(one, topic));
      for (const one of replaced) enqueue.stopChild(one.id);
      enqueue.spawnChild('alert', { id, input: { alert } });
      const line = { id, says: saying(alert), ...(topic !== undefined && { topic }), ...(replyTo && { replyTo }) };
      enqueue.assign({ next: context.next + 1, shown: [...context.shown.filter((one) => !replaced.includes(one)), line] });
    }),
    withdrawTopic: enqueueActions(({ context, enqueue }, { topic }: { topic?: string | undefined }) => {
      const over = context.shown.filter((one) => isAbout(one, topic));
      for (const { id } of over) enqueue.stopChild(id);
      enqueue.assign({ shown: context.shown.filter((one) => !over.includes(one)) });
    }),
    notifyClosed: enqueueActions(({ context, enqueue }, { id }: { id: string }) => {
      const closed = context.shown.find((one) => one.id === id);
      if (closed?.replyTo && closed.topic !== undefined)
        enqueue.sendTo(closed.replyTo, { type: 'alert.closed', topic: closed.topic } satisfies AlertClosed);
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
      dialogs: ({ context }, { dialog }: { dialog: Dialog }) => queued(context.dialogs, { id: `dialog:${context.next}`, dialog }),
    }),
    answerFirst: enqueueActions(({ context, enqueue }, { action }: { action?: string }) => {
      const [first, ...rest] = context.dialogs;
      if (!first) return;
      const answered = answer(first, action ?? dismissal(first.dialog));
      if (first.dialog.replyTo) enqueue.sendTo(first.dialog.replyTo, answered);
      enqueue.emit(answered);
      enqueue.assign({ dialogs: rest });
    }),
    dismissAll: enqueueActions(({ context, enqueue }) => {
      enqueue.assign({ dialogs: [] });
      for (const pending of context.dialogs) {
        const answered = answer(pending, dismissal(pending.dialog));
        if (pending.dialog.replyTo) enqueue.sendTo(pending.dialog.replyTo, answered);
        enqueue.emit(answered);
      }
    }),
    withdraw: assign({
      dialogs: ({ context }, { actorIds }: { actorIds: readonly string[] }) =>
        context.dialogs.filter(({ dialog }) => !dialog.replyTo || !actorIds.includes(dialog.replyTo.id)),
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
      actions: [
        { type: 'notifyClosed', params: ({ event }) => event },
        { type: 'pass', params: ({ event }) => ({ id: event.id, type: event.type }) },
      ],
    },
    'alert.withdraw': { actions: { type: 'withdrawTopic', params: ({ event }) => ({ topic: event.topic }) } },
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
        'dialog.withdraw': { actions: { type: 'withdraw', params: ({ event }) => ({ actorIds: event.actorIds }) } },
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
