import { createMachine } from 'xstate';

/** The live connection as somebody who waits for news tells it, written without looking at the machine. */
export const realtimeStory = createMachine({
  id: 'realtime story',
  initial: 'calling',
  states: {
    calling: { on: { answered: 'listening', hungUp: 'pausing', nobodyThere: 'pausing', strangerToday: 'fetchingPass', passWasOld: 'calling' } },
    listening: { on: { news: 'listening', silence: 'askingIfThere', lookedAway: 'askingIfThere', hungUp: 'pausing', strangerToday: 'fetchingPass' } },
    askingIfThere: { on: { news: 'listening', nobodyThere: 'pausing', hungUp: 'pausing', strangerToday: 'fetchingPass' } },
    pausing: { on: { timePassed: 'calling', lookedAway: 'calling' } },
    fetchingPass: { on: { newPass: 'callingWithNewPass' } },
    callingWithNewPass: { on: { answered: 'listening', strangerToday: 'pausing', hungUp: 'pausing' } },
  },
});
