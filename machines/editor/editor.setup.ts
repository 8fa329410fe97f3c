import { assign, enqueueActions, setup } from 'xstate';
import type { AreaName } from '#models/areas.ts';
import { modelOf } from '#models/registry.ts';
import type { Issue } from '#models/issues.ts';
import type { Problem } from '#models/problem.ts';
import type { AlertsRequest } from '../alerts/alerts.machine.ts';
import { confirmDialog, type DialogAnswered, type Text } from '../alerts/dialog.ts';
import {
  compare,
  type Conflict,
  differs,
  type Draft,
  type DraftKey,
  type DraftSource,
  draftOf,
  findings,
  issuesOf,
  type SavedDraft,
  merge,
  type Path,
  type SourcedDraft,
  stillRefused,
  type VersionFacts,
  withoutSecrets,
  withValue,
} from './draft.ts';
import { answerTimeout, outcomeUnknown, parentOf, problemOf, unplugged, unpluggedAction } from '../port.ts';
import type { Row } from '../rows.ts';

export type EditorMode = 'add' | 'edit' | 'view';
export interface EditorInput {
  area: AreaName;
  id?: string;
  mode: EditorMode;
  preset?: Draft;
  place?: 'page' | 'dialog';
  source?: DraftSource;
}
type EditorNews =
  | { type: 'editor.saved'; area: AreaName; id: string }
  | { type: 'editor.deleted'; area: AreaName; id: string }
  | { type: 'editor.left' }
  /** Asked to leave, the person chose to stay. */
  | { type: 'editor.stayed' }
  | { type: 'editor.touched' }
  | { type: 'editor.settled' };
/** What an editor tells, with its own id. */
export type EditorFact = EditorNews & { editor: string };
/** Rows chosen in a picker for the field at `path`. */
export type PickerChosen = { type: 'picker.chosen'; path: Path; rows: readonly { id: string; name: string }[]; multiple: boolean };
/** Somebody else at the same row, by name as far as one may know it. */
type Editor = { id: string | null; name: string };
export type EditorEvent =
  | DialogAnswered
  | PickerChosen
  | { type: 'editors.changed'; people: readonly Editor[] }
  | { type: 'draft.change'; path: Path; value: unknown }
  | { type: 'draft.discard' }
  | { type: 'draft.store' }
  | { type: 'editor.edit' }
  | { type: 'editor.approve' }
  | { type: 'editor.cancel' }
  | { type: 'editor.leave' }
  | { type: 'editor.delete' }
  | { type: 'editor.retry' }
  /** Somebody changed these rows of the area; without ids any row may have changed. */
  | { type: 'row.changed'; ids: readonly string[] }
  /** Loads what somebody else has stored meanwhile; what was typed stays. */
  | { type: 'news.take' }
  | { type: 'xstate.done.actor.peek'; output: Row }
  | { type: 'xstate.error.actor.peek'; error: unknown }
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
  source: DraftSource | null;
  /** The earlier version that the draft was filled with. */
  former: VersionFacts | null;
  row: Row | null;
  /** The version that `base` is. */
  version: number | null;
  base: Draft;
  draft: Draft;
  chain: string;
  attempt: number;
  issues: readonly Issue[];
  /** The part of `issues` that only the server can find. */
  serverIssues: readonly Issue[];
  problem: Problem | null;
  conflict: Conflict | null;
  /** What somebody else has stored meanwhile; `gone` when they deleted it. */
  news: Row | 'gone' | null;
  /** Others who edit the row at this moment. */
  others: readonly Editor[];
  /** The draft was recalled from an earlier visit. */
  restored: boolean;
}

/** Under what the draft is kept. */
export const keyOf = ({ area, id, place }: EditorContext): DraftKey => ({ area, id, place });
/** The draft as it is kept. */
export const savedOf = ({ chain, attempt, area, draft, base, version }: EditorContext): SavedDraft => ({
  chain,
  attempt,
  draft: withoutSecrets(area, draft),
  base: withoutSecrets(area, base),
  version,
});
/** The request that stores the draft. */
export const saveRequest = ({ area, id, version, draft, base, chain, attempt }: EditorContext): SaveRequest => {
  const model = modelOf(area);
  return { area, id, version, body: id === null ? model.toWire({ ...draft }) : model.changes({ ...draft }, { ...base }), key: `${chain}:${attempt}` };
};
/** The version of a row, for If-Match. */
export const versionOf = (row: Row | null): number | null => (typeof row?.['version'] === 'number' ? row['version'] : null);
const theirRow = ({ code, data }: Problem): Row | null =>
  code === 'conflict' && typeof data === 'object' && data !== null && 'id' in data ? (data as Row) : null;

const isNewer = ({ version }: EditorContext, row: Row): boolean => (versionOf(row) ?? 0) > (version ?? 0);

/** What the chart of the editor is made of: its words, ports, actions, guards and delays. */
export const editorSetup = setup({
  types: {
    input: {} as EditorInput,
    context: {} as EditorContext,
    events: {} as EditorEvent,
    emitted: {} as EditorFact | AlertsRequest,
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
    /** The values of the draft's source; what the form may not hold of it is left out. */
    loadSource: unplugged<SourcedDraft, { area: AreaName; source: DraftSource }>('loadSource'),
    saveRow: unplugged<{ id: string }, SaveRequest>('saveRow'),
    deleteRow: unplugged<void, { area: AreaName; id: string; version: number | null }>('deleteRow'),
    /** A kept draft, or none; in either case the id of the chain of tries. Never fails for want of storage. */
    recallDraft: unplugged<{ chain: string; saved: SavedDraft | null }, DraftKey>('recallDraft'),
  },
  actions: {
    saveDraft: (_args, _params: { key: DraftKey; saved: SavedDraft }) => unpluggedAction('saveDraft'),
    forgetDraft: (_args, _key: DraftKey) => unpluggedAction('forgetDraft'),
    notify: enqueueActions(({ enqueue, self }, news: EditorNews) => {
      const fact = { ...news, editor: self.id };
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
    request: enqueueActions(({ enqueue, self }, request: AlertsRequest) => {
      enqueue.emit(request);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, request);
    }),
    ask: enqueueActions(({ enqueue, self }, question: { about: string; title?: Text; text: Text; approve: Text }) => {
      const request: AlertsRequest = { type: 'dialog.ask', dialog: confirmDialog({ ...question, danger: true, replyTo: self }) };
      enqueue.emit(request);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, request);
    }),
    takeRow: assign(({ context }, { row }: { row: Row }) => {
      const base = draftOf(context.area, row);
      return { row, version: versionOf(row), base, draft: base, problem: null, issues: [], serverIssues: [], conflict: null, news: null };
    }),
    takeRecalled: assign(({ context }, { chain, saved }: { chain: string; saved: SavedDraft | null }) =>
      saved
        ? {
            chain: saved.chain,
            attempt: saved.attempt,
            draft: { ...context.draft, ...saved.draft },
            base: { ...context.base, ...saved.base },
            version: saved.version,
            restored: differs(context.area, { ...context.draft, ...saved.draft }, { ...context.base, ...saved.base }),
          }
        : { chain },
    ),
    takeSource: assign(({ context }, { fields, version = null }: Omit<SourcedDraft, 'version'> & { version?: VersionFacts | null }) => ({
      draft: { ...context.draft, ...withoutSecrets(context.area, modelOf(context.area).fromRow({ ...context.row, ...fields })), ...context.preset },
      former: version,
    })),
    noteOthers: assign((_, { people }: { people: readonly Editor[] }) => ({ others: people })),
    startEditing: assign({ mode: 'edit' }),
    changeDraft: assign(({ context }, { path, value }: { path: Path; value: unknown }) => ({
      draft: withValue(context.draft, path, value),
      serverIssues: stillRefused(context.serverIssues, path),
    })),
    discardDraft: assign(({ context }) => ({ draft: context.base, restored: false, issues: [], serverIssues: [], problem: null })),
    check: assign(({ context }) => ({ issues: findings(context.area, context.draft, context.serverIssues) })),
    approveAnew: assign(({ context }) => ({ issues: findings(context.area, context.draft, []), serverIssues: [], problem: null })),
    growAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
    rememberProblem: assign((_, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    takeProblem: assign((_, { error }: { error: unknown }) => {
      const problem = problemOf(error);
      return { problem, issues: issuesOf(problem), serverIssues: issuesOf(problem) };
    }),
    rememberConflict: assign(({ context }, { error }: { error: unknown }) => {
      const row = theirRow(problemOf(error));
      return row ? { conflict: compare(context.area, context.base, context.draft, row), problem: problemOf(error), news: null } : {};
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
            news: null,
            problem: null,
            attempt: attempt + 1,
          }
        : {},
    ),
    takeTheirs: assign(({ context: { area, conflict } }) => {
      if (!conflict) return {};
      const base = draftOf(area, conflict.row);
      return { row: conflict.row, version: versionOf(conflict.row), base, draft: base, conflict: null, news: null, problem: null, restored: false };
    }),
    rememberNewerRow: assign(({ context }, { error }: { error: unknown }) => ({
      row: theirRow(problemOf(error)) ?? context.row,
      problem: problemOf(error),
    })),
    /** Looks at the stored row without touching the form. */
    peek: enqueueActions(({ context, enqueue }) => {
      enqueue.stopChild('peek');
      enqueue.spawnChild('loadRow', { id: 'peek', input: { area: context.area, id: context.id ?? '' } });
    }),
    rememberNews: assign((_, { row }: { row: Row }) => ({ news: row })),
    rememberGone: assign({ news: 'gone' }),
    /** A newer version in which nothing of this form differs: the next save goes on from it. */
    goOnFrom: assign((_, { row }: { row: Row }) => ({ row, version: versionOf(row) })),
    takeNews: assign(({ context: { area, news } }) => {
      if (news === null || news === 'gone') return {};
      const base = draftOf(area, news);
      return { row: news, version: versionOf(news), base, draft: base, news: null };
    }),
    compareNews: assign(({ context: { area, base, draft, news } }) =>
      news === null || news === 'gone' ? {} : { conflict: compare(area, base, draft, news), news: null },
    ),
    rememberId: assign((_, { id }: { id: string }) => ({ id })),
  },
  guards: {
    isNew: ({ context }) => context.mode === 'add',
    /** What was typed on an earlier visit goes before the source. */
    drawsFromSource: ({ context }, { saved }: { saved: SavedDraft | null }) => context.source !== null && saved === null,
    isView: ({ context }) => context.mode === 'view',
    isStored: ({ context }) => context.id !== null,
    hasIssues: ({ context }) => context.issues.length > 0,
    isUntouched: ({ context }) => !differs(context.area, context.draft, context.base),
    hasNothingToSave: ({ context }) => context.id !== null && !differs(context.area, context.draft, context.base),
    isConflict: ({ context }, { error }: { error: unknown }) => context.id !== null && theirRow(problemOf(error)) !== null,
    isUnknown: (_, { error }: { error: unknown }) => outcomeUnknown(problemOf(error)),
    isSavedAlready: ({ context }, { error }: { error: unknown }) => {
      const row = theirRow(problemOf(error));
      return (
        row !== null && context.id !== null && compare(context.area, context.base, context.draft, row).fields.every(({ side }) => side === 'theirs')
      );
    },
    /** Somebody saved first, but nothing that this form holds: there is nothing to choose, only a newer version to go on from. */
    isMovedOn: ({ context }, { error }: { error: unknown }) => {
      const row = theirRow(problemOf(error));
      return (
        row !== null && context.id !== null && compare(context.area, context.base, context.draft, row).fields.every(({ side }) => side === 'mine')
      );
    },
    isOwnRow: ({ context }, { ids }: { ids: readonly string[] }) => context.id !== null && (ids.length === 0 || ids.includes(context.id)),
    isNews: ({ context }, { row }: { row: Row }) => isNewer(context, row) && differs(context.area, draftOf(context.area, row), context.base),
    isNewer: ({ context }, { row }: { row: Row }) => isNewer(context, row),
    isGone: (_, { error }: { error: unknown }) => problemOf(error).code === 'not_found',
    hasNews: ({ context }) => context.news !== null && context.news !== 'gone',
    clashes: ({ context }) => context.conflict?.fields.some(({ side }) => side === null) ?? false,
    isInConflict: ({ context }, { field }: { field: string }) => context.conflict?.fields.some((one) => one.field === field) ?? false,
    allDecided: ({ context }) => context.conflict?.fields.every(({ side }) => side !== null) ?? false,
    isApproved: (_, { action }: { action: string }) => action === 'approve',
  },
  delays: { draftPause: 500, answerTimeout },
});
