import { createMachine } from 'xstate';

/** A list as the person at the desk tells it, written without looking at the machine. */
export const listStory = createMachine({
  id: 'list story',
  initial: 'waiting',
  states: {
    waiting: { on: { arrived: 'seeing', broken: 'failed', searchOther: 'waiting', reload: 'waiting' } },
    failed: { on: { reload: 'waiting' } },
    seeing: { on: { turnPage: 'turning', choose: 'chosen', chooseAll: 'allChosen', reload: 'turning' } },
    turning: { on: { arrived: 'seeing', broken: 'stale', turnPage: 'turning', choose: 'turningChosen', chooseAll: 'turningAllChosen' } },
    stale: { on: { reload: 'turning', choose: 'staleChosen', chooseAll: 'staleAllChosen' } },
    chosen: { on: { unchoose: 'seeing', chooseAll: 'allChosen', turnPage: 'turningChosen', searchOther: 'turning', remove: 'asked' } },
    turningChosen: { on: { arrived: 'chosen', broken: 'staleChosen', unchoose: 'turning', chooseAll: 'turningAllChosen', remove: 'askedTurning' } },
    staleChosen: { on: { reload: 'turningChosen', unchoose: 'stale', chooseAll: 'staleAllChosen', remove: 'askedStale' } },
    allChosen: { on: { unchooseAll: 'seeing', exceptOne: 'chosen', chooseAll: 'allChosen', removeAll: 'askedAboutAll' } },
    turningAllChosen: { on: { arrived: 'allChosen', exceptOne: 'turningChosen', chooseAll: 'turningAllChosen', removeAll: 'askedAboutAll' } },
    staleAllChosen: { on: { reload: 'turningAllChosen', exceptOne: 'staleChosen', chooseAll: 'staleAllChosen', removeAll: 'askedAboutAll' } },
    asked: { on: { yes: 'removing', no: 'chosen' } },
    askedTurning: { on: { no: 'turningChosen' } },
    askedStale: { on: { no: 'staleChosen' } },
    removing: { on: { allGone: 'turning', oneStays: 'turningChosen', notReached: 'chosen' } },
    askedAboutAll: { on: { yes: 'removingAll' } },
    removingAll: { on: { workStarted: 'sent', notReached: 'unsent' } },
    sent: { type: 'final' },
    unsent: { type: 'final' },
  },
});
