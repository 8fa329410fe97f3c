// Keeps in order: the number being typed, and the one that was dialled last.
// Spawned by: phone.
// Asks (ports): lastDialled (lasting).
// Tells (facts): phone.dial, to the phone.
import { type ActorRefFrom, assign, enqueueActions, sendTo, setup } from 'xstate';
import { parentOf } from '../port.ts';
import type { PhoneCommand } from './commands.ts';
import { lastDialled, type LastDialledReport } from './ports.ts';
import { isDialable, pastedNumber, withKey } from './typed-number.ts';

type KeypadEvent =
  | { type: 'keypad.press'; key: string }
  | { type: 'keypad.erase' }
  | { type: 'keypad.clear' }
  | { type: 'keypad.paste'; text: string }
  /** `speechId`: a fresh uuid; `at`: ms since 1970. */
  | { type: 'keypad.call'; speechId: string; at: number }
  /** A video call; with nothing typed the last number comes back instead. */
  | { type: 'keypad.video'; speechId: string; at: number }
  /** The phone calls this number. */
  | { type: 'keypad.dialled'; number: string }
  | LastDialledReport;
type DialFact = Extract<PhoneCommand, { type: 'phone.dial' }>;

/** The keypad (clauses DIAL-10 to DIAL-13). */
export const keypadMachine = setup({
  types: {
    input: {} as { number: string },
    context: {} as { number: string; typed: string; last: string | null },
    events: {} as KeypadEvent,
    emitted: {} as DialFact,
    children: {} as { lastDialled: 'lastDialled' },
  },
  actors: { lastDialled },
  actions: {
    bringLast: assign(({ context }, { number }: { number: string }) => ({ last: context.last ?? number })),
    storeLast: sendTo('lastDialled', (_, { number }: { number: string }) => ({ type: 'dialled.store', number })),
    press: assign(({ context }, { key }: { key: string }) => ({ typed: withKey(context.typed, key) })),
    erase: assign(({ context }) => ({ typed: context.typed.slice(0, -1) })),
    clear: assign({ typed: '' }),
    paste: assign(({ context }, { text }: { text: string }) => ({ typed: pastedNumber(text) ?? context.typed })),
    bringBack: assign(({ context }) => ({ typed: context.last ?? '' })),
    remember: assign(({ context }, { number }: { number: string }) => ({ last: number, typed: context.typed === number ? '' : context.typed })),
    dial: enqueueActions(({ context, enqueue, self }, { video, speechId, at }: { video: boolean; speechId: string; at: number }) => {
      const fact: DialFact = { type: 'phone.dial', number: context.typed, video, speechId, at };
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
  },
  guards: {
    isTyped: ({ context }) => context.typed !== '',
    isDialable: ({ context }) => isDialable(context.typed),
    mayBringBack: ({ context }) => context.typed === '' && context.last !== null,
    mayBeCalled: (_, { number }: { number: string }) => isDialable(number),
    isNumber: (_, { text }: { text: string }) => pastedNumber(text) !== null,
  },
}).createMachine({
  id: 'keypad',
  context: ({ input }) => ({ number: input.number, typed: '', last: null }),
  // Without a memory the number is forgotten with the page, and nothing else.
  invoke: { id: 'lastDialled', src: 'lastDialled', input: ({ context }) => ({ own: context.number }), onError: { actions: [] } },
  on: {
    'dialled.stored': { guard: { type: 'mayBeCalled', params: ({ event }) => event }, actions: { type: 'bringLast', params: ({ event }) => event } },
    'keypad.press': { actions: { type: 'press', params: ({ event }) => event } },
    'keypad.erase': { guard: 'isTyped', actions: 'erase' },
    'keypad.clear': { guard: 'isTyped', actions: 'clear' },
    'keypad.paste': { guard: { type: 'isNumber', params: ({ event }) => event }, actions: { type: 'paste', params: ({ event }) => event } },
    'keypad.call': {
      guard: 'isDialable',
      actions: { type: 'dial', params: ({ event: { speechId, at } }) => ({ video: false, speechId, at }) },
    },
    'keypad.video': [
      { guard: 'isDialable', actions: { type: 'dial', params: ({ event: { speechId, at } }) => ({ video: true, speechId, at }) } },
      { guard: 'mayBringBack', actions: 'bringBack' },
    ],
    'keypad.dialled': {
      actions: [
        { type: 'remember', params: ({ event }) => event },
        { type: 'storeLast', params: ({ event }) => event },
      ],
    },
  },
});
export type KeypadActor = ActorRefFrom<typeof keypadMachine>;
