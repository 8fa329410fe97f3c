import { errorAlert } from '../tell.ts';
import type { CallCommand } from './commands.ts';
import { aboutLine } from './phone-questions.ts';
import { phoneSetup } from './phone.setup.ts';

type Taken = { event: Extract<CallCommand, { type: 'call.accept' | 'call.resume' }> };
const taking = [
  {
    guard: {
      type: 'mayTakeNow',
      params: ({ event }: Taken) => ({ command: event }),
    },
    actions: { type: 'grant', params: ({ event }: Taken) => ({ command: event }) },
  },
  {
    guard: { type: 'mayTake', params: ({ event }: Taken) => ({ command: event }) },
    target: 'asking',
    actions: {
      type: 'askForLine',
      params: ({ event }: Taken) => ({ command: event }),
    },
  },
] as const;

/** What the person is asked before a call is put aside for another one: in the tab where the button was pressed, whichever owns the phone. */
export const choiceState = phoneSetup.createStateConfig({
  initial: 'free',
  states: {
    free: {
      on: {
        'phone.dial': [
          {
            guard: { type: 'isOwnNumber', params: ({ event }) => event },
            actions: { type: 'tell', params: { facts: [errorAlert('interface.unable_to_call_your_number')] } },
          },
          {
            guard: { type: 'mayDialNow', params: ({ event }) => ({ command: event }) },
            actions: { type: 'grant', params: ({ event }) => ({ command: event }) },
          },
          {
            guard: { type: 'mayDial', params: ({ event }) => ({ command: event }) },
            target: 'asking',
            actions: { type: 'askForLine', params: ({ event }) => ({ command: event }) },
          },
        ],
        'call.accept': taking,
        'call.resume': taking,
      },
    },
    asking: {
      tags: 'asking',
      always: [
        {
          guard: 'isPendingGone',
          target: 'free',
          actions: ['withdraw', 'forgetPending'],
        },
        {
          guard: 'isPendingFree',
          target: 'free',
          actions: ['withdraw', { type: 'grant', params: ({ context }) => ({ command: context.pending }) }],
        },
      ],
      on: {
        'dialog.answered': [
          {
            guard: { type: 'agrees', params: ({ event }) => event },
            target: 'free',
            actions: { type: 'grantOver', params: ({ event }) => event },
          },
          {
            guard: { type: 'isAbout', params: ({ event }) => ({ about: event.about, wanted: aboutLine }) },
            target: 'free',
            actions: 'forgetPending',
          },
        ],
      },
    },
  },
});
