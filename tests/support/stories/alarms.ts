import { createMachine } from 'xstate';

/** One alarm as the person at the desk tells it: it rings until somebody takes it on, and stays until somebody has seen to it. */
export const alarmsStory = createMachine({
  id: 'alarms story',
  initial: 'quiet',
  states: {
    quiet: { on: { smokeTrips: 'ringing' } },
    ringing: {
      on: {
        timePasses: 'ringing',
        smokeClears: 'ringing',
        takeOn: 'takingOn',
        colleagueTakesItOn: 'theirs',
        colleagueProcesses: 'over',
      },
    },
    takingOn: { on: { isMine: 'mine', colleagueWasFirst: 'theirs', noAnswer: 'ringing' } },
    mine: { on: { smokeClears: 'mine', process: 'processing', hide: 'hidden', colleagueProcesses: 'over' } },
    theirs: { on: { process: 'processingTheirs', hide: 'hidden', colleagueProcesses: 'over' } },
    hidden: { on: { colleagueProcesses: 'over' } },
    processing: { on: { isProcessed: 'over', colleagueProcessedIt: 'over', noAnswerYet: 'mine' } },
    processingTheirs: { on: { isProcessed: 'over', colleagueProcessedIt: 'over', noAnswerYet: 'theirs' } },
    over: { type: 'final' },
  },
});
