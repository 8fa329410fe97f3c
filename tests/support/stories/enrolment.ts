import { createMachine } from 'xstate';

/** Enrolling a card as somebody at the desk tells it: choose a reader, wait for it, hold the card there; written without looking at the machine. */
export const enrolmentStory = createMachine({
  id: 'enrolment story',
  initial: 'choosing',
  states: {
    choosing: { on: { chooses: 'asking' } },
    asking: { on: { readerWaits: 'waiting', readerIsBusy: 'refused', readerSaysNothing: 'refused', givesUp: 'choosing' } },
    waiting: {
      on: { cardIsHeld: 'read', nobodyComes: 'toldNobodyCame', connectionIsLost: 'refused', serverForgets: 'toldNobodyCame', givesUp: 'choosing' },
    },
    read: { on: { chooses: 'asking' } },
    toldNobodyCame: { on: { chooses: 'asking' } },
    refused: { on: { chooses: 'asking' } },
  },
});
