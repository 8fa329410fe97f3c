import type { AnyActorRef } from 'xstate';
import { constants } from '#models/constants.ts';
import type { AlertsRequest, TopicWithdrawal } from '../alerts/alerts.machine.ts';

/** The children of the console that are started again after a fault. */
export const supervised = ['workspace', 'realtime', 'sounds', 'notifications', 'alarms', 'licence', 'phone'] as const;
export type Supervised = (typeof supervised)[number];
/** Faults of each in a row, without a time between in which it worked. */
export type Faults = Readonly<Record<Supervised, number>>;

export const noFaults: Faults = { workspace: 0, realtime: 0, sounds: 0, notifications: 0, alarms: 0, licence: 0, phone: 0 };

const firstPause = 1_000;
const longestPause = 60_000;
/** From so many faults in a row on, a child is said to stay down. */
const manyFaults = 5;

/** How long a child rests before it is started again: 1 s, twice as long after each further fault, up to a minute. */
export const restartPause = (faults: number): number => Math.min(longestPause, firstPause * 2 ** Math.max(0, faults - 1));

const topicOf = (child: Supervised): string => `fault of ${child}`;

/** Says that a child has failed: that it is being started again, or that it stays down. It stands until the child works. */
export const faultNotice = (child: Supervised, faults: number): AlertsRequest => ({
  type: 'alert.show',
  alert: {
    kind: faults >= manyFaults ? 'error' : 'warning',
    key: faults >= manyFaults ? `interface.faults.stays_down.${child}` : `interface.faults.restarting.${child}`,
    topic: topicOf(child),
    duration: constants.alertStays,
  },
});

/** Takes back what was said of a fault. */
export const faultIsOver = (child: Supervised): TopicWithdrawal => ({ type: 'alert.withdraw', topic: topicOf(child) });

/** Takes back what was said of a fault, and says that the child works again. */
export const recoveryNotices = (child: Supervised): readonly (AlertsRequest | TopicWithdrawal)[] => [
  faultIsOver(child),
  { type: 'alert.show', alert: { kind: 'success', key: `interface.faults.works_again.${child}` } },
];

/** The children of an actor, as they were last; none of an actor that is no machine. */
const childrenOf = (actor: AnyActorRef | undefined): Record<string, AnyActorRef> =>
  (actor?.getSnapshot() as { children?: Record<string, AnyActorRef> } | undefined)?.children ?? {};

/** The child of an actor that runs now. */
export const childOf = (self: Pick<AnyActorRef, 'getSnapshot'>, id: string): AnyActorRef | undefined =>
  (self.getSnapshot() as { children?: Record<string, AnyActorRef> } | undefined)?.children?.[id];

/** The ids of an actor and of all below it. */
export const idsFrom = (id: string, actor: AnyActorRef | undefined): readonly string[] => [
  id,
  ...Object.entries(childrenOf(actor)).flatMap(([below, child]) => idsFrom(below, child)),
];

/**
 * Ends what a failed actor has left running. XState does not: a socket, a lock or a microphone would be held on to, in the way of the
 * next. Editors keep what was typed last.
 */
export function endChildrenOf(failed: AnyActorRef | undefined): void {
  for (const [id, child] of Object.entries(childrenOf(failed))) {
    if ((child.getSnapshot() as { status: string }).status !== 'active') continue;
    if (id.startsWith('editor:')) child.send({ type: 'draft.store' });
    child.send({ type: 'xstate.stop' });
  }
}

type Failed = { event: { error: unknown } };
/** How the chart of the console names the pause before a child is started again. */
type Pause<Child extends Supervised> = `${Child}Restart`;

/**
 * The two states of a supervised child, for its region of the console: running, or resting after a fault. A child that was started again
 * counts as well after a moment, and its next fault as a first one after a longer time.
 */
export function supervise<const Child extends Supervised, const Invoke extends object, const Running extends object = object>(
  child: Child,
  { invoke, running, again }: { invoke: Invoke; running?: Running; again?: string },
) {
  const params = { child } as const;
  return {
    running: {
      initial: 'deciding',
      ...running,
      invoke: {
        ...invoke,
        id: child,
        src: child,
        systemId: child,
        onError: {
          target: 'restarting',
          actions: [
            { type: 'noteFault', params: ({ event }: Failed) => ({ child, error: event.error }) },
            { type: 'reportFault', params: ({ event }: Failed) => ({ child, error: event.error }) },
            { type: 'endChildren', params },
          ],
        },
      },
      states: {
        deciding: { always: [{ guard: { type: 'hasFailed', params }, target: 'tried', actions: { type: 'catchUp', params } }, { target: 'steady' }] },
        tried: { after: { recoveryTime: { target: 'recovered', actions: { type: 'reportRecovery', params } } } },
        recovered: { after: { steadyTime: { target: 'steady', actions: { type: 'forgetFaults', params } } } },
        steady: {},
      },
    },
    restarting: { after: { [`${child}Restart`]: again ?? 'running' } as { [Name in Pause<Child>]: string } },
  } as const;
}
