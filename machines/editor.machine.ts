// Keeps in order: the draft of one record from loading to saved, with its findings, conflict, questions and recovery.
// Spawned by: workspace, as editor:<area>:<id|new>:<pageId>.
// Asks (ports): loadRow, saveRow, deleteRow, recallDraft, keepDraft, forgetDraft.
// Tells (facts): editor.saved, editor.deleted, editor.left, editor.stayed, editor.touched, editor.settled; asks of alerts: alert.show, dialog.ask.
import type { ActorRefFrom } from 'xstate';
import { blankDraft, type Path } from './draft.ts';
import { type EditorContext, editorSetup, keptOf, keyOf, type PickerChosen, saveRequest, versionOf } from './editor.setup.ts';
import { timedOut } from './port.ts';
import { refusalOf } from './related-names.ts';
import { nameOf } from './rows.ts';
import { errorAlert, problemAlert } from './tell.ts';

export type { EditorContext, EditorEvent, EditorFact, EditorInput, EditorMode, PickerChosen, SaveRequest } from './editor.setup.ts';

type Failed = { event: { error: unknown } };
const rememberFailure = { type: 'rememberProblem', params: ({ event }: Failed) => event } as const;
const keepDraft = {
  type: 'keepDraft',
  params: ({ context }: { context: EditorContext }) => ({ key: keyOf(context), kept: keptOf(context) }),
} as const;
const forgetDraft = { type: 'forgetDraft', params: ({ context }: { context: EditorContext }) => keyOf(context) } as const;
const changeValue = { type: 'changeDraft', params: ({ event }: { event: { path: Path; value: unknown } }) => event } as const;
const changeChosen = {
  type: 'changeDraft',
  params: ({ event }: { event: PickerChosen }) => ({ path: event.path, value: event.multiple ? event.rows : (event.rows[0] ?? null) }),
} as const;

/** The form of one record. */
export const editorMachine = editorSetup.createMachine({
  id: 'editor',
  context: ({ input: { area, id, mode, preset = {}, place = 'page' } }) => {
    const blank = blankDraft(area, preset);
    return {
      area,
      id: id ?? null,
      mode,
      place,
      preset,
      row: null,
      version: null,
      base: blank,
      draft: blank,
      chain: '',
      attempt: 1,
      issues: [],
      refusals: [],
      problem: null,
      conflict: null,
      news: null,
      restored: false,
    };
  },
  initial: 'deciding',
  on: {
    'editor.leave': { actions: { type: 'tell', params: { type: 'editor.stayed' } } },
    // In every state, and whatever went wrong: a look that failed must not take the form along.
    'xstate.error.actor.peek': [{ guard: { type: 'isGone', params: ({ event }) => event }, actions: 'rememberGone' }, { actions: [] }],
  },
  states: {
    deciding: { always: [{ guard: 'isNew', target: 'recalling' }, { target: 'loading' }] },
    loading: {
      tags: 'loading',
      on: { 'editor.leave': { target: 'left' }, 'editor.cancel': { target: 'left' } },
      invoke: {
        id: 'loadRow',
        src: 'loadRow',
        input: ({ context }) => ({ area: context.area, id: context.id ?? '' }),
        onDone: [
          { guard: 'isView', target: 'open.viewing', actions: { type: 'takeRow', params: ({ event }) => ({ row: event.output }) } },
          { target: 'recalling', actions: { type: 'takeRow', params: ({ event }) => ({ row: event.output }) } },
        ],
        onError: { target: 'failed', actions: rememberFailure },
      },
      after: { answerTimeout: { target: 'failed', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
    },
    failed: {
      tags: 'failed',
      on: { 'editor.retry': { target: 'deciding' }, 'editor.leave': { target: 'left' }, 'editor.cancel': { target: 'left' } },
    },
    recalling: {
      tags: 'loading',
      on: { 'editor.leave': { target: 'left' }, 'editor.cancel': { target: 'left' } },
      invoke: {
        id: 'recallDraft',
        src: 'recallDraft',
        input: ({ context }) => keyOf(context),
        onDone: { target: 'open.editing', actions: { type: 'takeRecalled', params: ({ event }) => event.output } },
        onError: { target: 'failed', actions: rememberFailure },
      },
      after: { answerTimeout: { target: 'failed', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
    },
    open: {
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
              entry: { type: 'tell', params: { type: 'editor.settled' } },
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
              entry: { type: 'tell', params: { type: 'editor.touched' } },
              initial: 'changed',
              on: {
                'draft.keep': { actions: keepDraft },
                'news.take': { guard: 'hasNews', target: '#editor.open.meeting', actions: 'compareNews' },
                'draft.discard': { target: 'untouched', actions: ['discardDraft', forgetDraft] },
                'editor.leave': [{ guard: 'isUntouched', target: '#editor.left', actions: forgetDraft }, { target: '#editor.leaving' }],
                'editor.cancel': [{ guard: 'isUntouched', target: '#editor.left', actions: forgetDraft }, { target: '#editor.leaving' }],
              },
              states: {
                changed: {
                  always: { guard: 'isUntouched', target: '#editor.open.editing.untouched', actions: ['discardDraft', forgetDraft] },
                  after: { draftPause: { actions: keepDraft } },
                  on: {
                    'draft.change': { target: 'changed', reenter: true, actions: changeValue },
                    'picker.chosen': { target: 'changed', reenter: true, actions: changeChosen },
                  },
                },
                refused: {
                  tags: 'refused',
                  after: { draftPause: { actions: keepDraft } },
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
    },
    validating: {
      tags: 'unsaved',
      entry: 'approveAnew',
      always: [
        {
          guard: 'hasIssues',
          target: 'open.editing.touched.refused',
          actions: { type: 'request', params: errorAlert('interface.check_fields_data') },
        },
        { guard: 'hasNothingToSave', target: 'saved', actions: forgetDraft },
        { target: 'saving' },
      ],
    },
    saving: {
      tags: ['saving', 'unsaved'],
      entry: keepDraft,
      invoke: {
        id: 'saveRow',
        src: 'saveRow',
        input: ({ context }) => saveRequest(context),
        onDone: { target: 'saved', actions: [forgetDraft, { type: 'rememberId', params: ({ event }) => event.output }] },
        onError: [
          { guard: { type: 'isSavedAlready', params: ({ event }) => event }, target: 'saved', actions: forgetDraft },
          {
            guard: { type: 'isMovedOn', params: ({ event }) => event },
            target: 'validating',
            actions: [{ type: 'rememberConflict', params: ({ event }) => event }, 'settleConflict'],
          },
          {
            guard: { type: 'isConflict', params: ({ event }) => event },
            target: 'open.conflicted',
            actions: { type: 'rememberConflict', params: ({ event }) => event },
          },
          { guard: { type: 'isUnknown', params: ({ event }) => event }, target: 'open.unsure', actions: rememberFailure },
          {
            target: 'open.editing.touched.refused',
            actions: [
              { type: 'rememberRefusal', params: ({ event, context }) => ({ error: refusalOf(event.error, context.draft) }) },
              { type: 'request', params: ({ event, context }) => problemAlert(refusalOf(event.error, context.draft)) },
            ],
          },
        ],
      },
      after: { answerTimeout: { target: 'open.unsure', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
      on: {
        'editor.cancel': { target: 'open.unsure', actions: { type: 'rememberProblem', params: { error: { code: 'unknown_outcome' } } } },
      },
    },
    confirmingDeletion: {
      tags: 'asking',
      entry: {
        type: 'ask',
        params: ({ context }) => ({
          about: 'delete',
          title: { key: `areas.${context.area}.delete_named`, params: { name: nameOf(context.area, context.row) } },
          text: { key: `areas.${context.area}.delete_note` },
          approve: { key: 'interface.delete' },
        }),
      },
      on: {
        'dialog.answered': [{ guard: { type: 'isApproved', params: ({ event }) => event }, target: 'deleting' }, { target: 'open.before' }],
      },
    },
    deleting: {
      tags: 'deleting',
      invoke: {
        id: 'deleteRow',
        src: 'deleteRow',
        input: ({ context }) => ({ area: context.area, id: context.id ?? '', version: versionOf(context.row) }),
        onDone: { target: 'deleted', actions: forgetDraft },
        onError: {
          target: 'open.before',
          actions: [
            { type: 'rememberNewerRow', params: ({ event }) => event },
            { type: 'request', params: ({ event }) => problemAlert(event.error) },
          ],
        },
      },
      after: { answerTimeout: { target: 'open.before', actions: { type: 'request', params: problemAlert(timedOut) } } },
    },
    leaving: {
      tags: ['asking', 'unsaved'],
      entry: {
        type: 'ask',
        params: { about: 'leave', text: { key: 'interface.leave_question' }, approve: { key: 'interface.leave' } },
      },
      on: {
        'editor.leave': {},
        'dialog.answered': [
          { guard: { type: 'isApproved', params: ({ event }) => event }, target: 'left', actions: forgetDraft },
          { target: 'open.before', actions: { type: 'tell', params: { type: 'editor.stayed' } } },
        ],
      },
    },
    saved: {
      type: 'final',
      tags: 'done',
      entry: { type: 'tell', params: ({ context }) => ({ type: 'editor.saved', area: context.area, id: context.id ?? '' }) },
    },
    deleted: {
      type: 'final',
      tags: 'done',
      entry: { type: 'tell', params: ({ context }) => ({ type: 'editor.deleted', area: context.area, id: context.id ?? '' }) },
    },
    left: { type: 'final', tags: 'done', entry: { type: 'tell', params: { type: 'editor.left' } } },
  },
});
export type EditorActor = ActorRefFrom<typeof editorMachine>;
