import { createMachine } from 'xstate';

/** A form with a draft as the person at the desk tells it, written without looking at the machine. */
export const formStory = createMachine({
  id: 'form story',
  initial: 'untouched',
  states: {
    untouched: { on: { type: 'changed', clear: 'empty', saveAsItIs: 'saving', goElsewhere: 'gone' } },
    changed: { on: { type: 'changed', clear: 'empty', takeBack: 'untouched', save: 'saving', goElsewhere: 'askedToLeave' } },
    empty: { on: { type: 'changed', saveEmpty: 'corrected by hand', takeBack: 'untouched', goElsewhere: 'askedToLeave' } },
    'corrected by hand': { on: { type: 'changed', takeBack: 'untouched', goElsewhere: 'askedToLeave' } },
    saving: { on: { stored: 'untouched', refusedByServer: 'refused', noAnswer: 'refused' } },
    refused: { on: { type: 'changed', save: 'saving', takeBack: 'untouched' } },
    askedToLeave: { on: { goAway: 'gone', stay: 'held' } },
    held: { on: { takeBack: 'untouched' } },
    gone: { type: 'final' },
  },
});
