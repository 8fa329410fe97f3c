import { changeChosen, changeValue, forgetDraft, saveDraft } from './editor-steps.ts';
import { editorSetup } from './editor.setup.ts';

/** A record that lies open: looked at or edited, in conflict with what somebody else stored, or of unknown fate after a save. */
export const openState = editorSetup.createStateConfig({
  initial: 'editing',
  on: {
    'row.changed': { guard: { type: 'isOwnRow', params: ({ event }) => event }, actions: 'peek' },
    'xstate.done.actor.peek': [
      {
        guard: { type: 'isNews', params: ({ event }) => ({ row: event.output }) },
        actions: { type: 'rememberNews', params: ({ event }) => ({ row: event.output }) },
      },
      {
        guard: { type: 'isNewer', params: ({ event }) => ({ row: event.output }) },
        actions: { type: 'goOnFrom', params: ({ event }) => ({ row: event.output }) },
      },
    ],
  },
  states: {
    before: { type: 'history', history: 'deep' },
    viewing: {
      tags: 'viewing',
      on: {
        'editor.edit': { target: '#editor.recalling', actions: 'startEditing' },
        'editor.retry': { target: '#editor.loading' },
        'news.take': { guard: 'hasNews', actions: 'takeNews' },
        'editor.delete': { target: '#editor.confirmingDeletion' },
        'editor.leave': { target: '#editor.left' },
        'editor.cancel': { target: '#editor.left' },
      },
    },
    editing: {
      tags: 'editing',
      initial: 'deciding',
      on: {
        'editor.approve': { target: '#editor.validating' },
        'editor.delete': { guard: 'isStored', target: '#editor.confirmingDeletion' },
      },
      states: {
        deciding: { always: [{ guard: 'isUntouched', target: 'untouched' }, { target: 'touched' }] },
        untouched: {
          entry: { type: 'notify', params: { type: 'editor.settled' } },
          on: {
            'draft.change': { target: 'touched', actions: changeValue },
            'picker.chosen': { target: 'touched', actions: changeChosen },
            'news.take': { guard: 'hasNews', actions: 'takeNews' },
            'editor.leave': { target: '#editor.left' },
            'editor.cancel': { target: '#editor.left' },
          },
        },
        touched: {
          tags: 'unsaved',
          entry: { type: 'notify', params: { type: 'editor.touched' } },
          initial: 'changed',
          on: {
            'draft.store': { actions: saveDraft },
            'news.take': { guard: 'hasNews', target: '#editor.open.meeting', actions: 'compareNews' },
            'draft.discard': { target: 'untouched', actions: ['discardDraft', forgetDraft] },
            'editor.leave': [{ guard: 'isUntouched', target: '#editor.left', actions: forgetDraft }, { target: '#editor.leaving' }],
            'editor.cancel': [{ guard: 'isUntouched', target: '#editor.left', actions: forgetDraft }, { target: '#editor.leaving' }],
          },
          states: {
            changed: {
              always: { guard: 'isUntouched', target: '#editor.open.editing.untouched', actions: ['discardDraft', forgetDraft] },
              after: { draftPause: { actions: saveDraft } },
              on: {
                'draft.change': { target: 'changed', reenter: true, actions: changeValue },
                'picker.chosen': { target: 'changed', reenter: true, actions: changeChosen },
              },
            },
            refused: {
              tags: 'refused',
              after: { draftPause: { actions: saveDraft } },
              on: {
                'draft.change': { target: 'refused', reenter: true, actions: [changeValue, 'check', 'growAttempt'] },
                'picker.chosen': { target: 'refused', reenter: true, actions: [changeChosen, 'check', 'growAttempt'] },
              },
            },
          },
        },
      },
    },
    /** What was typed meets what somebody else has stored. */
    meeting: {
      always: [
        { guard: 'clashes', target: 'conflicted' },
        { target: 'editing', actions: 'settleConflict' },
      ],
    },
    unsure: {
      tags: ['unsure', 'unsaved'],
      on: {
        'editor.approve': { target: '#editor.saving' },
        'editor.leave': { target: '#editor.leaving' },
        'editor.cancel': { target: '#editor.leaving' },
      },
    },
    conflicted: {
      tags: ['conflicted', 'unsaved'],
      on: {
        'draft.store': { actions: saveDraft },
        'conflict.take': {
          guard: { type: 'isInConflict', params: ({ event }) => event },
          actions: { type: 'takeSide', params: ({ event }) => event },
        },
        'conflict.resolve': { guard: 'allDecided', target: '#editor.validating', actions: 'settleConflict' },
        'draft.discard': { target: 'editing.untouched', actions: ['takeTheirs', forgetDraft] },
        'editor.leave': { target: '#editor.leaving' },
        'editor.cancel': { target: '#editor.leaving' },
      },
    },
  },
});
