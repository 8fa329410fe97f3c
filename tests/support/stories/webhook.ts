import { createMachine } from 'xstate';

/** A webhook as somebody who looks after it tells it: events go out one after the other, wait while nobody takes them, and are given up after long; written without looking at the machine. */
export const webhookStory = createMachine({
  id: 'webhook story',
  initial: 'quiet',
  states: {
    quiet: { on: { eventComes: 'sending', triedByHand: 'quiet', switchedOff: 'over' } },
    sending: {
      on: {
        isTaken: 'quiet',
        isTakenAndMoreWait: 'sending',
        isRefused: 'waiting',
        isRefusedForTooLong: 'stopped',
        eventComes: 'sending',
        triedByHand: 'sending',
      },
    },
    waiting: { on: { pauseEnds: 'sending', triedByHand: 'sending', eventComes: 'waiting' } },
    stopped: { on: { eventComes: 'stopped', resumed: 'sending' } },
    over: {},
  },
});
