// Keeps in order: the draft of one record from loading to saved, with its findings, conflict, questions and recovery.
// Spawned by: workspace, as editor:<area>:<id|new>:<pageId>.
// Asks (ports): loadRow, saveRow, deleteRow, loadSource, recallDraft, saveDraft, forgetDraft.
// Tells (facts): editor.saved, editor.deleted, editor.left, editor.stayed, editor.touched, editor.settled; asks of alerts: alert.show, dialog.ask.
import type { ActorRefFrom } from 'xstate';
import { blankDraft } from './draft.ts';
import { openState } from './editor-open.ts';
import { forgetDraft, saveDraft, rememberFailure } from './editor-steps.ts';
import { editorSetup, keyOf, saveRequest, versionOf } from './editor.setup.ts';
import { timedOut } from '../port.ts';
import { problemIn } from './related-names.ts';
import { nameOf } from '../rows.ts';
import { errorAlert, problemAlert } from '../alert-requests.ts';

export type { EditorContext, EditorEvent, EditorFact, EditorInput, EditorMode, PickerChosen, SaveRequest } from './editor.setup.ts';

/** The form of one record. */
export const editorMachine = editorSetup.createMachine({
  id: 'editor',
  context: ({ input: { area, id, mode, preset = {}, place = 'page', source = null } }) => {
    const blank = blankDraft(area, preset);
    return {
      area,
      id: id ?? null,
      mode,
      place,
      preset,
      source,
      former: null,
      row: null,
      version: null,
      base: blank,
      draft: blank,
      chain: '',
      attempt: 1,
      issues: [],
      serverIssues: [],
      problem: null,
      conflict: null,
      news: null,
      others: [],
      restored: false,
    };
  },
  initial: 'deciding',
  on: {
    'editor.leave': { actions: { type: 'notify', params: { type: 'editor.stayed' } } },
    'editors.changed': { actions: { type: 'noteOthers', params: ({ event }) => event } },
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
        onDone: [
          {
            guard: { type: 'drawsFromSource', params: ({ event }) => event.output },
            target: 'drawing',
            actions: { type: 'takeRecalled', params: ({ event }) => event.output },
          },
          { target: 'open.editing', actions: { type: 'takeRecalled', params: ({ event }) => event.output } },
        ],
        onError: { target: 'failed', actions: rememberFailure },
      },
      after: { answerTimeout: { target: 'failed', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
    },
    drawing: {
      tags: 'loading',
      on: { 'editor.leave': { target: 'left' }, 'editor.cancel': { target: 'left' } },
      invoke: {
        id: 'loadSource',
        src: 'loadSource',
        input: ({ context }) => ({ area: context.area, source: context.source ?? { kind: 'copy', id: '' } }),
        onDone: { target: 'open.editing', actions: { type: 'takeSource', params: ({ event }) => event.output } },
        onError: { target: 'failed', actions: rememberFailure },
      },
      after: { answerTimeout: { target: 'failed', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
    },
    open: openState,
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
      entry: saveDraft,
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
              { type: 'takeProblem', params: ({ event, context }) => ({ error: problemIn(event.error, context.draft) }) },
              { type: 'request', params: ({ event, context }) => problemAlert(problemIn(event.error, context.draft)) },
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
        'draft.store': { actions: saveDraft },
        'editor.leave': {},
        'dialog.answered': [
          { guard: { type: 'isApproved', params: ({ event }) => event }, target: 'left', actions: forgetDraft },
          { target: 'open.before', actions: { type: 'notify', params: { type: 'editor.stayed' } } },
        ],
      },
    },
    saved: {
      type: 'final',
      tags: 'done',
      entry: { type: 'notify', params: ({ context }) => ({ type: 'editor.saved', area: context.area, id: context.id ?? '' }) },
    },
    deleted: {
      type: 'final',
      tags: 'done',
      entry: { type: 'notify', params: ({ context }) => ({ type: 'editor.deleted', area: context.area, id: context.id ?? '' }) },
    },
    left: { type: 'final', tags: 'done', entry: { type: 'notify', params: { type: 'editor.left' } } },
  },
});
export type EditorActor = ActorRefFrom<typeof editorMachine>;
