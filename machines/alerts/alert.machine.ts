// Keeps in order: one message to the person, how long it stays, how often it was raised while it stood there.
// Spawned by: alerts, as alert:<n>.
// Asks (ports): nothing.
// Tells (facts): nothing but its end.
import { type AnyActorRef, assign, setup } from 'xstate';
import { constants } from '#models/constants.ts';
import type { Problem } from '#models/problem.ts';

/** What is said: a locale key, or a problem that the view puts into words. `duration` in ms, 3000 if none is given, 0 stays. */
export interface Alert {
  kind: 'error' | 'warning' | 'success' | 'info';
  key?: string;
  params?: Readonly<Record<string, string | number>>;
  problem?: Problem;
  duration?: number;
  /** What it is about: another message about the same takes its place. */
  topic?: string;
  /** Who is told, as `alert.closed`, when the person closes it. */
  replyTo?: AnyActorRef;
}

/** The life of one alert: its time runs, stands still under the pointer, and starts anew when the same is raised again. */
export const alertMachine = setup({
  types: {
    input: {} as { alert: Alert },
    context: {} as { alert: Alert; count: number },
    events: {} as { type: 'alert.close' } | { type: 'alert.hold' } | { type: 'alert.release' } | { type: 'alert.repeat' },
  },
  actions: {
    countAgain: assign({ count: ({ context }) => context.count + 1 }),
  },
  guards: {
    stays: ({ context }) => context.alert.duration === constants.alertStays,
  },
  delays: {
    alertTime: ({ context }) => context.alert.duration ?? constants.alertTime,
  },
}).createMachine({
  id: 'alert',
  context: ({ input }) => ({ alert: input.alert, count: 1 }),
  initial: 'deciding',
  on: {
    'alert.close': { target: '.closed' },
    'alert.repeat': { actions: 'countAgain' },
  },
  states: {
    deciding: { always: [{ guard: 'stays', target: 'staying' }, { target: 'running' }] },
    staying: {},
    running: {
      after: { alertTime: 'closed' },
      on: {
        'alert.hold': { target: 'held' },
        'alert.repeat': { target: 'running', reenter: true, actions: 'countAgain' },
      },
    },
    held: { on: { 'alert.release': { target: 'running' } } },
    closed: { type: 'final' },
  },
});
