// Keeps in order: the draft of one record from loading to saved, with its findings, conflict, questions and recovery.
// Spawned by: workspace, as editor:<area>:<id|new>:<pageId>.
// Asks (ports): loadRow, saveRow, deleteRow, recallDraft, keepDraft, forgetDraft.
// Tells (facts): editor.saved, editor.deleted, editor.left, editor.stayed, editor.touched, editor.settled; asks of alerts: alert.show, dialog.ask.
import { type ActorRefFrom, assign, enqueueActions, setup } from 'xstate';
import { type AreaName, modelOf } from '#models/index.ts';
import type { Issue } from '#models/issues.ts';
import type { Problem } from '#models/problem.ts';
import type { AlertsRequest } from './alerts.machine.ts';
import { confirmDialog, type DialogAnswered, type Text } from './dialog.ts';
import {
  blankDraft,
  compare,
  type Conflict,
  differs,
  type Draft,
  type DraftKey,
  draftOf,
  findings,
  issuesOf,
  type KeptDraft,
  merge,
  type Path,
  stillRefused,
  withoutSecrets,
  withValue,
} from './draft.ts';
import { answerTimeout, outcomeUnknown, parentOf, problemOf, timedOut, unplugged, unpluggedAction } from './port.ts';
import type { Row } from './rows.ts';
import { errorAlert, problemAlert } from './tell.ts';

export type EditorMode = 'add' | 'edit' | 'view';
export interface EditorInput {
  area: AreaName;
  id?: string;
  mode: EditorMode;
  preset?: Draft;
  place?: 'page' | 'dialog';
}
export type EditorFact =
  | AlertsRequest
  | { type: 'editor.saved'; area: AreaName; id: string }
  | { type: 'editor.deleted'; area: AreaName; id: string }
  | { type: 'editor.left' }
  /** Asked to leave, the person chose to stay. */
  | { type: 'editor.stayed' }
  | { type: 'editor.touched' }
  | { type: 'editor.settled' };
/** Rows chosen in a picker for the field at `path`. */
export type PickerChosen = { type: 'picker.chosen'; path: Path; rows: readonly { id: string; name: string }[]; multiple: boolean };
export type EditorEvent =
  | DialogAnswered
  | PickerChosen
  | { type: 'draft.change'; path: Path; value: unknown }
  | { type: 'draft.discard' }
  | { type: 'editor.edit' }
  | { type: 'editor.approve' }
  | { type: 'editor.cancel' }
  | { type: 'editor.leave' }
  | { type: 'editor.delete' }
  | { type: 'editor.retry' }
  | { type: 'conflict.take'; field: string; side: 'mine' | 'theirs' }
  | { type: 'conflict.resolve' };

/** One request to store: a new record (`id` null, the whole body) or the changed fields of one with its version (If-Match). */
export interface SaveRequest {
  area: AreaName;
  id: string | null;
  version: number | null;
  body: Draft;
  /** Idempotency-Key: the same for every repetition of the same try. */
  key: string;
}
export interface EditorContext extends DraftKey {
  mode: EditorMode;
  preset: Draft;
  row: Row | null;
  /** The version that `base` is. */
  version: number | null;
  base: Draft;
  draft: Draft;
  chain: string;
  attempt: number;
  issues: readonly Issue[];
  /** The part of `issues` that only the server can find. */
  refusals: readonly Issue[];
  problem: Problem | null;
  conflict: Conflict | null;
  /** The draft was recalled from an earlier visit. */
  restored: boolean;
}

const keyOf = ({ area, id, place }: EditorContext): DraftKey => ({ area, id, place });
const keptOf = ({ chain, attempt, area, draft, base, version }: EditorContext): KeptDraft => ({
  chain,
  attempt,
  draft: withoutSecrets(area, draft),
  base: withoutSecrets(area, base),
  version,
});
const saveRequest = ({ area, id, version, draft, base, chain, attempt }: EditorContext): SaveRequest => {
  const model = modelOf(area);
  return { area, id, version, body: id === null ? model.toWire({ ...draft }) : model.changes({ ...draft }, { ...base }), key: `${chain}:${attempt}` };
};
const versionOf = (row: Row | null): number | null => (typeof row?.['version'] === 'number' ? row['version'] : null);
const theirRow = ({ code, data }: Problem): Row | null =>
  code === 'conflict' && typeof data === 'object' && data !== null && 'id' in data ? (data as Row) : null;

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
export const editorMachine = setup({
  types: {
    input: {} as EditorInput,
    context: {} as EditorContext,
    events: {} as EditorEvent,
    emitted: {} as EditorFact,
    tags: {} as
      | 'loading'
      | 'failed'
      | 'viewing'
      | 'editing'
      | 'unsaved'
      | 'refused'
      | 'saving'
      | 'unsure'
      | 'conflicted'
      | 'deleting'
      | 'asking'
      | 'done',
  },
  actors: {
    loadRow: unplugged<Row, { area: AreaName; id: string }>('loadRow'),
    saveRow: unplugged<{ id: string }, SaveRequest>('saveRow'),
    deleteRow: unplugged<void, { area: AreaName; id: string; version: number | null }>('deleteRow'),
    /** A kept draft, or none; in either case the id of the chain of tries. Never fails for want of storage. */
    recallDraft: unplugged<{ chain: string; kept: KeptDraft | null }, DraftKey>('recallDraft'),
  },
  actions: {
    keepDraft: (_, _params: { key: DraftKey; kept: KeptDraft }) => unpluggedAction('keepDraft'),
    forgetDraft: (_, _key: DraftKey) => unpluggedAction('forgetDraft'),
    tell: enqueueActions(({ enqueue, self }, fact: EditorFact) => {
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
    ask: enqueueActions(({ enqueue, self }, { about, text, approve }: { about: string; text: Text; approve: Text }) => {
      const request: EditorFact = { type: 'dialog.ask', dialog: confirmDialog({ text, approve, danger: true, about, replyTo: self }) };
      enqueue.emit(request);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, request);
    }),
    takeRow: assign(({ context }, { row }: { row: Row }) => {
      const base = draftOf(context.area, row);
      return { row, version: versionOf(row), base, draft: base, problem: null, issues: [], refusals: [], conflict: null };
    }),
    takeRecalled: assign(({ context }, { chain, kept }: { chain: string; kept: KeptDraft | null }) =>
      kept
        ? {
            chain: kept.chain,
            attempt: kept.attempt,
            draft: { ...context.draft, ...kept.draft },
            base: { ...context.base, ...kept.base },
            version: kept.version,
            restored: differs(context.area, { ...context.draft, ...kept.draft }, { ...context.base, ...kept.base }),
          }
        : { chain },
    ),
    startEditing: assign({ mode: 'edit' }),
    changeDraft: assign(({ context }, { path, value }: { path: Path; value: unknown }) => ({
      draft: withValue(context.draft, path, value),
      refusals: stillRefused(context.refusals, path),
    })),
    discardDraft: assign(({ context }) => ({ draft: context.base, restored: false, issues: [], refusals: [], problem: null })),
    check: assign(({ context }) => ({ issues: findings(context.area, context.draft, context.refusals) })),
    approveAnew: assign(({ context }) => ({ issues: findings(context.area, context.draft, []), refusals: [], problem: null })),
    growAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    rememberProblem: assign((_, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    rememberRefusal: assign((_, { error }: { error: unknown }) => {
      const problem = problemOf(error);
      return { problem, issues: issuesOf(problem), refusals: issuesOf(problem) };
    }),
    rememberConflict: assign(({ context }, { error }: { error: unknown }) => {
      const row = theirRow(problemOf(error));
      return row ? { conflict: compare(context.area, context.base, context.draft, row), problem: problemOf(error) } : {};
    }),
    takeSide: assign(({ context }, { field, side }: { field: string; side: 'mine' | 'theirs' }) => ({
      conflict: context.conflict && {
        ...context.conflict,
        fields: context.conflict.fields.map((one) => (one.field === field ? { ...one, side } : one)),
      },
    })),
    settleConflict: assign(({ context: { area, conflict, attempt } }) =>
      conflict
        ? {
            row: conflict.row,
            version: versionOf(conflict.row),
            base: draftOf(area, conflict.row),
            draft: merge(area, conflict),
            conflict: null,
            problem: null,
            attempt: attempt + 1,
          }
        : {},
    ),
    takeTheirs: assign(({ context: { area, conflict } }) => {
      if (!conflict) return {};
      const base = draftOf(area, conflict.row);
      return { row: conflict.row, version: versionOf(conflict.row), base, draft: base, conflict: null, problem: null, restored: false };
    }),
    rememberNewerRow: assign(({ context }, { error }: { error: unknown }) => ({
      row: theirRow(problemOf(error)) ?? context.row,
      problem: problemOf(error),
    })),
    rememberId: assign((_, { id }: { id: string }) => ({ id })),
  },
  guards: {
    isNew: ({ context }) => context.mode === 'add',
    isView: ({ context }) => context.mode === 'view',
    isStored: ({ context }) => context.id !== null,
    hasIssues: ({ context }) => context.issues.length > 0,
    isUntouched: ({ context }) => !differs(context.area, context.draft, context.base),
    hasNothingToSave: ({ context }) => context.id !== null && !differs(context.area, context.draft, context.base),
    isConflict: (_, { error }: { error: unknown }) => theirRow(problemOf(error)) !== null,
    isUnknown: (_, { error }: { error: unknown }) => outcomeUnknown(problemOf(error)),
    isSavedAlready: ({ context }, { error }: { error: unknown }) => {
      const row = theirRow(problemOf(error));
      return row !== null && compare(context.area, context.base, context.draft, row).fields.every(({ side }) => side === 'theirs');
    },
    isInConflict: ({ context }, { field }: { field: string }) => context.conflict?.fields.some((one) => one.field === field) ?? false,
    allDecided: ({ context }) => context.conflict?.fields.every(({ side }) => side !== null) ?? false,
    isApproved: (_, { action }: { action: string }) => action === 'approve',
  },
  delays: { draftPause: 500, answerTimeout },
}).createMachine({
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
      restored: false,
    };
  },
  initial: 'deciding',
  on: {
    'editor.leave': { actions: { type: 'tell', params: { type: 'editor.stayed' } } },
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
      states: {
        before: { type: 'history', history: 'deep' },
        viewing: {
          tags: 'viewing',
          on: {
            'editor.edit': { target: '#editor.recalling', actions: 'startEditing' },
            'editor.retry': { target: '#editor.loading' },
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
                'editor.leave': { target: '#editor.left' },
                'editor.cancel': { target: '#editor.left' },
              },
            },
            touched: {
              tags: 'unsaved',
              entry: { type: 'tell', params: { type: 'editor.touched' } },
              initial: 'changed',
              on: {
                'draft.discard': { target: 'untouched', actions: ['discardDraft', forgetDraft] },
                'editor.leave': { target: '#editor.leaving' },
                'editor.cancel': { target: '#editor.leaving' },
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
          actions: { type: 'tell', params: errorAlert('interface.check_fields_data') },
        },
        { guard: 'hasNothingToSave', target: 'saved' },
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
            guard: { type: 'isConflict', params: ({ event }) => event },
            target: 'open.conflicted',
            actions: { type: 'rememberConflict', params: ({ event }) => event },
          },
          { guard: { type: 'isUnknown', params: ({ event }) => event }, target: 'open.unsure', actions: rememberFailure },
          {
            target: 'open.editing.touched.refused',
            actions: [
              { type: 'rememberRefusal', params: ({ event }) => event },
              { type: 'tell', params: ({ event }) => problemAlert(event.error) },
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
        params: { about: 'delete', text: { key: 'interface.delete_row_question' }, approve: { key: 'interface.delete' } },
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
            { type: 'tell', params: ({ event }) => problemAlert(event.error) },
          ],
        },
      },
      after: { answerTimeout: { target: 'open.before', actions: { type: 'tell', params: problemAlert(timedOut) } } },
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
