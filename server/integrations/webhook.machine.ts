// Keeps in order: what one webhook is told, one message after the other, with growing pauses while nobody takes it.
// Spawned by: the sender of the server process (webhooks.ts), one for each webhook that has something to send.
// Asks (ports): findNext (the oldest message and when it is due), deliver (one message; how it went is written down there).
// Tells (facts): nothing; it is over when the webhook is gone or switched off.
import { assign, fromPromise, setup } from 'xstate';

/** What is next: one to send, one to send later, nothing, nothing more until somebody says so, or no webhook any more. */
export type Next = { kind: 'due'; delivery: string } | { kind: 'later'; wait: number } | { kind: 'none' } | { kind: 'stopped' } | { kind: 'gone' };

type WebhookEvent =
  /** Something was queued. */
  | { type: 'queue.grew' }
  /** It is to be tried at once: it was changed, or somebody said so. */
  | { type: 'hook.retry' };

const unplugged = (name: string) => (): Promise<never> => {
  throw new Error(`the port ${name} of a webhook is not plugged`);
};

/** The sending of one webhook. */
export const webhookMachine = setup({
  types: { context: {} as { delivery: string; wait: number }, events: {} as WebhookEvent },
  actors: {
    findNext: fromPromise<Next>(unplugged('findNext')),
    deliver: fromPromise<void, { delivery: string }>(unplugged('deliver')),
  },
  guards: {
    isDue: (_, next: Next) => next.kind === 'due',
    isLater: (_, next: Next) => next.kind === 'later',
    isStopped: (_, next: Next) => next.kind === 'stopped',
    isGone: (_, next: Next) => next.kind === 'gone',
  },
  actions: {
    remember: assign((_, next: Next) => (next.kind === 'due' ? { delivery: next.delivery } : next.kind === 'later' ? { wait: next.wait } : {})),
  },
  delays: { pause: ({ context }) => context.wait, recovery: 2_000, lookTimeout: 30_000, sendTimeout: 60_000 },
}).createMachine({
  id: 'webhook',
  context: { delivery: '', wait: 0 },
  initial: 'looking',
  states: {
    looking: {
      invoke: {
        id: 'findNext',
        src: 'findNext',
        onDone: [
          {
            guard: { type: 'isDue', params: ({ event }) => event.output },
            target: 'sending',
            actions: { type: 'remember', params: ({ event }) => event.output },
          },
          {
            guard: { type: 'isLater', params: ({ event }) => event.output },
            target: 'pausing',
            actions: { type: 'remember', params: ({ event }) => event.output },
          },
          { guard: { type: 'isStopped', params: ({ event }) => event.output }, target: 'stopped' },
          { guard: { type: 'isGone', params: ({ event }) => event.output }, target: 'gone' },
          { target: 'idle' },
        ],
        onError: 'recovering',
      },
      after: { lookTimeout: 'recovering' },
      // What came while it looked may have been missed.
      on: { 'queue.grew': { target: 'looking', reenter: true }, 'hook.retry': { target: 'looking', reenter: true } },
    },
    idle: { on: { 'queue.grew': 'looking', 'hook.retry': 'looking' } },
    sending: {
      invoke: { id: 'deliver', src: 'deliver', input: ({ context }) => ({ delivery: context.delivery }), onDone: 'looking', onError: 'recovering' },
      after: { sendTimeout: 'recovering' },
    },
    /** Nobody took it: what is new waits behind it. */
    pausing: { after: { pause: 'looking' }, on: { 'hook.retry': 'looking' } },
    /** The database cannot be had. */
    recovering: { after: { recovery: 'looking' }, on: { 'hook.retry': 'looking' } },
    stopped: { on: { 'hook.retry': 'looking' } },
    gone: { type: 'final' },
  },
});
