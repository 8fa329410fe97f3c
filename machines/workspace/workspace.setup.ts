import { assign, emit, enqueueActions, sendTo, setup } from 'xstate';
import type { AreaName } from '#models/areas.ts';
import type { AlertsRequest } from '../alerts/alerts.machine.ts';
import { deviceSearchMachine } from '../device-search.machine.ts';
import { systemWatchMachine } from '../system-watch.machine.ts';
import type { Draft, Path } from '../editor/draft.ts';
import { enrolmentMachine } from '../enrolment.machine.ts';
import { editorMachine, type EditorFact, type EditorMode, type PickerChosen } from '../editor/editor.machine.ts';
import { type FormAnswer, type FormEvent, type FormFact, formMachine } from '../form/form.machine.ts';
import { type JobEnded, jobMachine, type JobRequest, type JobStarted } from '../job.machine.ts';
import { listMachine } from '../list/list.machine.ts';
import { childrenOf, dialogsOn, editorInput, kept, listInput, type OpenDialog, type OpenPage, pageKey, type PageShown, stackAfter } from './pages.ts';
import { reservationMoveMachine } from '../reservation-move.machine.ts';
import { type PickerFact, pickerMachine, type PickerRequest } from '../picker.machine.ts';
import { paletteMachine } from '../palette/palette.machine.ts';
import { parentOf, unpluggedLasting } from '../port.ts';
import type { ViewChild, ViewCommand } from '../view-child.ts';
import type { RealtimeFact } from '../realtime/realtime.machine.ts';
import { hearersOf, topicsOf } from './workspace-topics.ts';

/** A picker and whom its choice goes to: a child of the workspace (`path` says for which field), or a view that listens. */
export type PickerOpen = PickerRequest & { reply: string; path: Path };
export type WorkspaceFact =
  | AlertsRequest
  | FormAnswer
  /** The editor of a page has finished; `path` is where the person came from. */
  | { type: 'page.done'; pageId: string; path: string | null }
  /** Nothing holds the page that was to be left. */
  | { type: 'page.free' }
  /** The person chose to stay. */
  | { type: 'page.kept' }
  | (PickerChosen & { reply: string })
  /** Rows of an area were stored or deleted; trees and boards read anew. */
  | { type: 'rows.changed'; area: AreaName };
/** What the memory of the tab is told. */
export type PagesCommand = { type: 'pages.keep'; pages: readonly PageShown[] };
/** What it tells when it starts: the stack before the reload. */
export type PagesReport = { type: 'pages.recalled'; pages: readonly PageShown[] };
export type WorkspaceEvent =
  | PagesReport
  | AlertsRequest
  | EditorFact
  | FormFact
  | ViewCommand
  | ({ type: 'child.open'; id: string } & ViewChild)
  | PickerFact
  | JobEnded
  | JobStarted
  | RealtimeFact
  | { type: 'job.start'; request: JobRequest }
  | { type: 'page.shown'; page: PageShown }
  | { type: 'page.closed'; pageId: string }
  /** The router is about to show another page: may it? Answered by page.free or page.kept. */
  | { type: 'page.leave'; page: PageShown }
  | { type: 'editor.open'; area: AreaName; id?: string; mode: EditorMode; preset?: Draft }
  | ({ type: 'picker.open' } & PickerOpen)
  | { type: 'job.close'; id: string }
  | { type: 'rows.changed'; area: AreaName }
  /** The page may go away at once: unsaved editors keep what was typed last. */
  | { type: 'drafts.keep' }
  | { type: 'xstate.done.actor.*'; actorId: string }
  | { type: 'xstate.error.actor.*'; actorId: string; error: unknown };

/** What it holds. */
export interface WorkspaceContext {
  pages: readonly OpenPage[];
  /** The stack before the reload. */
  recalled: readonly PageShown[];
  dialogs: readonly OpenDialog[];
  picker: (PickerOpen & { child: string; page: string }) | null;
  /** Forms, lists and searches of views, each for as long as its view stands. */
  children: readonly string[];
  jobs: readonly string[];
  /** What the server calls the work that the children in `jobs` follow. */
  jobIds: Readonly<Record<string, string>>;
  /** Topics asked for, so that what is on screen follows the server. */
  topics: readonly string[];
  /** Editors and forms whose draft would be lost if they were closed. */
  unsaved: readonly string[];
  /** Editors in which somebody types, or may at once. */
  editing: readonly string[];
  /** Children that have ended and wait for their page to go. */
  finished: readonly string[];
  /** Editors and forms still to be asked before the page may be left. */
  asking: readonly string[];
  next: number;
}
/** On which page something new is put. */
const topKey = ({ pages }: WorkspaceContext): string => {
  const page = pages.at(-1);
  return page ? pageKey(page) : '';
};
const without = (ids: readonly string[], gone: readonly string[]): readonly string[] => ids.filter((id) => !gone.includes(id));
const alive = ({ pages, dialogs, finished }: WorkspaceContext, id: string): boolean =>
  childrenOf(pages, dialogs).includes(id) && !finished.includes(id);
/** The page that an editor is, if it is none of the dialogs. */
const pageOf = ({ pages }: WorkspaceContext, child: string): OpenPage | undefined => pages.find((page) => page.child === child);
const below = ({ pages }: Pick<WorkspaceContext, 'pages'>, pageId: string): string | null =>
  pages[pages.findIndex((page) => page.pageId === pageId) - 1]?.path ?? null;

const isForm = (id: string): boolean => id.startsWith('form:');
/** A form is its view's: no page carries it further. Editors stay with the pages of the stack. The lowest first. */
export function lostBy(context: Pick<WorkspaceContext, 'pages' | 'dialogs' | 'unsaved'>, page: PageShown): readonly string[] {
  const pages = stackAfter(context.pages, page);
  const kept = childrenOf(pages, dialogsOn(pages, context.dialogs));
  return context.unsaved.filter((id) => isForm(id) || !kept.includes(id));
}

/** What the chart of the workspace is made of: its words, ports, actions, guards and delays. */
export const workspaceSetup = setup({
  types: {
    context: {} as WorkspaceContext,
    events: {} as WorkspaceEvent,
    emitted: {} as WorkspaceFact,
    tags: {} as 'leaving',
    children: {} as { pageMemory: 'pageMemory' },
  },
  actors: {
    list: listMachine,
    editor: editorMachine,
    picker: pickerMachine,
    job: jobMachine,
    form: formMachine,
    deviceSearch: deviceSearchMachine,
    enrolment: enrolmentMachine,
    systemWatch: systemWatchMachine,
    reservationMove: reservationMoveMachine,
    palette: paletteMachine,
    /** Reports the stack of this tab as it was when it starts, and keeps the one it is told. */
    pageMemory: unpluggedLasting<PagesCommand>('pageMemory'),
  },
  actions: {
    rememberPages: assign({ recalled: (_, { pages }: PagesReport) => pages }),
    savePages: sendTo('pageMemory', ({ context }): PagesCommand => ({ type: 'pages.keep', pages: kept(context.pages) })),
    request: enqueueActions(({ enqueue, self }, request: AlertsRequest) => {
      enqueue.emit(request);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, request);
    }),
    tell: emit((_, fact: WorkspaceFact) => fact),
    arrange: enqueueActions(({ context, enqueue, self }, { pages }: { pages: readonly OpenPage[] }) => {
      const dialogs = dialogsOn(pages, context.dialogs);
      const before = childrenOf(context.pages, context.dialogs);
      const needed = childrenOf(pages, dialogs);
      const shown = pages.at(-1);
      const stale = shown?.child && context.finished.includes(shown.child) ? [shown.child] : [];
      const gone = [...before.filter((id) => !needed.includes(id)), ...stale];
      for (const id of gone) enqueue.stopChild(id);
      for (const page of pages) {
        if (!page.child || !page.area || (before.includes(page.child) && !stale.includes(page.child))) continue;
        if (page.kind === 'list')
          enqueue.spawnChild('list', { id: page.child, input: listInput({ area: page.area, ...(page.query && { query: page.query }) }) });
        else enqueue.spawnChild('editor', { id: page.child, input: editorInput(page, page.area) });
      }
      const pickerGone = context.picker !== null && (context.picker.page !== (shown ? pageKey(shown) : '') || gone.includes(context.picker.reply));
      if (context.picker && pickerGone) enqueue.stopChild(context.picker.child);
      const parent = parentOf(self);
      if (parent && gone.length > 0) enqueue.sendTo(parent, { type: 'dialog.withdraw', askers: gone });
      enqueue.assign({
        pages,
        dialogs,
        picker: pickerGone ? null : context.picker,
        unsaved: without(context.unsaved, gone),
        finished: without(context.finished, gone),
        asking: [],
      });
    }),
    openDialog: enqueueActions(
      ({ context, enqueue }, { area, id, mode, preset }: { area: AreaName; id?: string; mode: EditorMode; preset?: Draft }) => {
        const child = `editor:${area}:${id ?? 'new'}:dialog-${context.next}`;
        enqueue.spawnChild('editor', {
          id: child,
          input: { area, mode, place: 'dialog', ...(id !== undefined && { id }), ...(preset && { preset }) },
        });
        enqueue.assign({ next: context.next + 1, dialogs: [...context.dialogs, { child, area, mode, page: topKey(context) }] });
      },
    ),
    openPicker: enqueueActions(({ context, enqueue }, { reply, path, ...request }: PickerOpen) => {
      const child = `picker:${request.area}`;
      if (context.picker) enqueue.stopChild(context.picker.child);
      enqueue.spawnChild('picker', { id: child, input: request });
      enqueue.assign({ picker: { ...request, reply, path, child, page: topKey(context) } });
    }),
    passChoice: enqueueActions(({ context, enqueue }, { rows }: { rows: PickerChosen['rows'] }) => {
      if (!context.picker) return;
      const { reply, path, multiple } = context.picker;
      const chosen: PickerChosen = { type: 'picker.chosen', path, rows, multiple };
      if (alive(context, reply)) enqueue.sendTo(reply, chosen);
      enqueue.emit({ ...chosen, reply });
    }),
    openChild: enqueueActions(({ context, enqueue }, { id, child }: { id: string; child: ViewChild }) => {
      if (context.children.includes(id)) return;
      if (child.src === 'form') enqueue.spawnChild('form', { id, input: child.input });
      else if (child.src === 'list') enqueue.spawnChild('list', { id, input: child.input });
      else if (child.src === 'palette') enqueue.spawnChild('palette', { id, input: child.input });
      else enqueue.spawnChild(child.src, { id });
      enqueue.assign({ children: [...context.children, id] });
    }),
    notifyChild: enqueueActions(({ context, enqueue }, { id, event }: { id: string; event: FormEvent }) => {
      if (context.children.includes(id)) enqueue.sendTo(id, event);
    }),
    /** The view has gone: so do its actor and the question whether to leave it. */
    closeChild: enqueueActions(({ context, enqueue, self }, { id }: { id: string }) => {
      if (!context.children.includes(id)) return;
      enqueue.stopChild(id);
      const parent = parentOf(self);
      if (parent && isForm(id)) enqueue.sendTo(parent, { type: 'dialog.withdraw', askers: [id] });
      enqueue.assign({
        children: without(context.children, [id]),
        unsaved: without(context.unsaved, [id]),
        asking: without(context.asking, [id]),
      });
    }),
    noteJob: assign({ jobIds: ({ context }, { id, child }: { id: string; child: string }) => ({ ...context.jobIds, [child]: id }) }),
    /** What is on screen has changed: so may what is to be heard of. */
    wantTopics: enqueueActions(({ context, enqueue, self }) => {
      const topics = topicsOf(context);
      if (topics.join() === context.topics.join()) return;
      enqueue.assign({ topics });
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, { type: 'topics.want', owner: 'workspace', topics });
    }),
    /** Tells lists, editors and long work what happened on the server; trees and boards by `rows.changed`. */
    spread: enqueueActions(({ context, enqueue }, fact: RealtimeFact) => {
      const { commands, areas } = hearersOf(context, fact);
      for (const { child, event } of commands) if (!context.finished.includes(child)) enqueue.sendTo(child, event);
      for (const area of areas) enqueue.emit({ type: 'rows.changed', area });
    }),
    startJob: enqueueActions(({ context, enqueue }, { request }: { request: JobRequest }) => {
      const id = `job:${context.next}`;
      enqueue.spawnChild('job', { id, input: { request } });
      enqueue.assign({ next: context.next + 1, jobs: [...context.jobs, id] });
    }),
    closeJob: enqueueActions(({ context, enqueue }, { id }: { id: string }) => {
      if (context.jobs.includes(id)) enqueue.sendTo(id, { type: 'job.close' });
    }),
    announceChange: enqueueActions(({ context, enqueue }, { area }: { area: AreaName }) => {
      if (alive(context, `list:${area}`)) enqueue.sendTo(`list:${area}`, { type: 'rows.reload' });
      enqueue.emit({ type: 'rows.changed', area });
    }),
    finishPage: enqueueActions(({ context, enqueue }, { editor }: { editor: string }) => {
      const page = pageOf(context, editor);
      enqueue.assign({ unsaved: without(context.unsaved, [editor]) });
      if (page) enqueue.emit({ type: 'page.done', pageId: page.pageId, path: below(context, page.pageId) });
    }),
    noteUnsaved: assign({
      unsaved: ({ context }, { editor }: { editor: string }) =>
        alive(context, editor) || context.children.includes(editor) ? [...without(context.unsaved, [editor]), editor] : context.unsaved,
    }),
    noteEditing: assign({
      editing: ({ context }, { editor }: { editor: string }) => [
        ...without(context.editing, [editor]).filter((id) => childrenOf(context.pages, context.dialogs).includes(id)),
        editor,
      ],
    }),
    noteSettled: assign({ unsaved: ({ context }, { editor }: { editor: string }) => without(context.unsaved, [editor]) }),
    /** A page's child stays for its view until the page goes; all others go at once. */
    dropChild: enqueueActions(({ context, enqueue }, { actorId }: { actorId: string }) => {
      if (pageOf(context, actorId)) {
        return enqueue.assign({ finished: [...without(context.finished, [actorId]), actorId], unsaved: without(context.unsaved, [actorId]) });
      }
      enqueue.stopChild(actorId);
      enqueue.assign({
        dialogs: context.dialogs.filter(({ child }) => child !== actorId),
        picker: context.picker?.child === actorId ? null : context.picker,
        children: without(context.children, [actorId]),
        jobs: without(context.jobs, [actorId]),
        jobIds: Object.fromEntries(Object.entries(context.jobIds).filter(([child]) => child !== actorId)),
        unsaved: without(context.unsaved, [actorId]),
      });
    }),
    saveDrafts: enqueueActions(({ context, enqueue }) => {
      for (const editor of context.unsaved) if (!isForm(editor)) enqueue.sendTo(editor, { type: 'draft.keep' });
    }),
    queueQuestions: assign({ asking: ({ context }, { page }: { page: PageShown }) => lostBy(context, page) }),
    askNext: enqueueActions(({ context, enqueue }) => {
      const first = context.asking[0];
      if (first) enqueue.sendTo(first, { type: isForm(first) ? 'form.leave' : 'editor.leave' });
    }),
    markAsked: assign({
      asking: ({ context }, { editor }: { editor: string }) => without(context.asking, [editor]),
      unsaved: ({ context }, { editor }: { editor: string }) => without(context.unsaved, [editor]),
    }),
    stopAsking: assign({ asking: [] }),
  },
  guards: {
    losesNothing: ({ context }, { page }: { page: PageShown }) => lostBy(context, page).length === 0,
    isOpen: ({ context }, { pageId }: { pageId: string }) => context.pages.some((page) => page.pageId === pageId),
    isAsked: ({ context }, { id }: { id: string }) => context.asking[0] === id,
    allAsked: ({ context }) => context.asking.length === 0,
    isOwn: (_, { own }: JobEnded) => own,
    hasCompleted: (_, { job }: JobEnded) => job.state === 'completed',
    hasFailed: (_, { job }: JobEnded) => job.state === 'failed',
  },
});
