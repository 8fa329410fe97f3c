import { createMachine } from 'xstate';

/** Taking the calls of groups before their people do, as the concierge tells it: choose, begin, and nothing changes until it ends. */
export const interceptionStory = createMachine({
  id: 'interception story',
  initial: 'reading',
  states: {
    reading: { on: { nothingRuns: 'noneChosen', itRuns: 'running', noAnswer: 'outOfReach' } },
    outOfReach: { on: { tryAgain: 'reading', timePasses: 'reading' } },
    noneChosen: { on: { choose: 'chosen', begin: 'warned', addAnother: 'chosen' } },
    warned: { on: { choose: 'chosen' } },
    chosen: { on: { unchoose: 'noneChosen', begin: 'beginning', addAnother: 'chosen' } },
    beginning: { on: { hasBegun: 'running', isRefused: 'reading' } },
    running: { on: { end: 'ending', tryAgain: 'reading' } },
    ending: { on: { hasEnded: 'chosen', isRefused: 'reading' } },
  },
});
