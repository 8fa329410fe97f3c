import { createMachine } from 'xstate';

/** Editing a record as the person at the desk tells it, written without looking at the machine. */
export const editorStory = createMachine({
  id: 'editor story',
  initial: 'opening',
  states: {
    opening: { on: { arrived: 'untouched', arrivedWithDraft: 'changed', missing: 'failed', close: 'closed' } },
    failed: { on: { tryAgain: 'opening', close: 'closed' } },
    untouched: { on: { type: 'changed', saveNothing: 'closed', close: 'closed', remove: 'askedToRemove' } },
    changed: {
      on: {
        type: 'changed',
        emptyName: 'incomplete',
        takeBack: 'untouched',
        save: 'saving',
        close: 'askedToLeaveChanged',
        remove: 'askedToRemoveUnsaved',
      },
    },
    incomplete: { on: { type: 'changed', takeBack: 'untouched', saveIncomplete: 'faulty', close: 'askedToLeave', remove: 'askedToRemoveUnsaved' } },
    faulty: { on: { type: 'corrected', takeBack: 'untouched', saveIncomplete: 'faulty', close: 'askedToLeave', remove: 'askedToRemoveUnsaved' } },
    corrected: { on: { type: 'corrected', takeBack: 'untouched', save: 'saving', close: 'askedToLeave', remove: 'askedToRemoveUnsaved' } },
    refused: { on: { type: 'corrected', takeBack: 'untouched', save: 'saving', close: 'askedToLeave', remove: 'askedToRemoveUnsaved' } },
    saving: {
      on: {
        stored: 'closed',
        refusedByServer: 'refused',
        somebodyWasFirst: 'conflict',
        savedElsewhere: 'saving',
        noAnswer: 'unsure',
        giveUp: 'unsure',
      },
    },
    unsure: { on: { save: 'saving', close: 'askedToLeave' } },
    conflict: { on: { takeMine: 'decided', takeTheirs: 'decided', takeBack: 'untouched', close: 'askedToLeave' } },
    decided: { on: { takeMine: 'decided', takeTheirs: 'decided', saveMerged: 'saving', takeBack: 'untouched', close: 'askedToLeave' } },
    askedToLeaveChanged: { on: { goAway: 'closed', stay: 'changed' } },
    askedToLeave: { on: { goAway: 'closed' } },
    askedToRemove: { on: { yes: 'removing', no: 'untouched' } },
    askedToRemoveUnsaved: { on: { yes: 'removingUnsaved' } },
    removing: { on: { removed: 'closed', inUse: 'untouched' } },
    removingUnsaved: { on: { removed: 'closed' } },
    closed: { type: 'final' },
  },
});
