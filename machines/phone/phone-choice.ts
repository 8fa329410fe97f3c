import { errorAlert } from '../alert-requests.ts';
import type { LineCommand } from './line.ts';
import { aboutLine } from './phone-questions.ts';
import { phoneSetup } from './phone.setup.ts';
import type { Dial } from './phone-types.ts';

type Take = Exclude<LineCommand, Dial>;
type Dialled = { event: Dial };
type Taken = { event: Take };

const ownNumber = {
  guard: { type: 'isOwnNumber', params: ({ event }: Dialled) => event },
  actions: { type: 'notify', params: { facts: [errorAlert('interface.unable_to_call_your_number')] } },
} as const;
const dialNow = { type: 'mayDialNow', params: ({ event }: Dialled) => ({ command: event }) } as const;
const mayDial = { type: 'mayDial', params: ({ event }: Dialled) => ({ command: event }) } as const;
const takeNow = { type: 'mayTakeNow', params: ({ event }: Taken) => ({ command: event }) } as const;
const mayTake = { type: 'mayTake', params: ({ event }: Taken) => ({ command: event }) } as const;
const grant = { type: 'grant', params: ({ event }: { event: LineCommand }) => ({ command: event }) } as const;
const ask = { type: 'askForLine', params: ({ event }: { event: LineCommand }) => ({ command: event }) } as const;

const taking = [
  { guard: takeNow, actions: grant },
  { guard: mayTake, target: 'asking', actions: ask },
] as const;
/** The newest wish counts: its question takes the place of the one that stands. */
const askAnew = { target: 'asking', reenter: true, actions: ['withdraw', ask] } as const;
const takingInstead = { guard: mayTake, ...askAnew } as const;
/** Answer on the same SOS once more agrees to hold the present call for it. */
const insisting = {
  guard: { type: 'insistsOnSos', params: ({ event }: Taken) => ({ command: event }) },
  target: 'free',
  actions: ['withdraw', { type: 'grantOver', params: { action: 'hold' } }],
} as const;

/** What the person is asked before a call is put aside for another one: in the tab where the button was pressed, whichever owns the phone. */
export const choiceState = phoneSetup.createStateConfig({
  initial: 'free',
  states: {
    free: {
      on: {
        'phone.dial': [ownNumber, { guard: dialNow, actions: grant }, { guard: mayDial, target: 'asking', actions: ask }],
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
        'phone.dial': [ownNumber, { guard: mayDial, ...askAnew }],
        'call.accept': [insisting, takingInstead],
        'call.resume': takingInstead,
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
