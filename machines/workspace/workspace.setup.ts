import { assign, emit, enqueueActions, type EventObject, sendTo, setup } from 'xstate';
import type { AreaName } from '#models/areas.ts';
import type { AlertsRequest } from '../alerts/alerts.machine.ts';
import type { deviceSearchMachine } from '../device-search.machine.ts';
import type { systemWatchMachine } from '../system-watch.machine.ts';
import type { Draft } from '../editor/draft.ts';
import type { enrolmentMachine } from '../enrolment.machine.ts';
import type { EditorInput, editorMachine, EditorMode, PickerChosen } from '../editor/editor.machine.ts';
import { type FormEvent, formMachine } from '../form/form.machine.ts';
import type { JobEnded, jobMachine } from '../job.machine.ts';
import type { JobRequest } from '../job-request.ts';
import { listMachine } from '../list/list.machine.ts';
import { childrenOf, dialogsOn, editorInput, storedPages, listInput, type OpenPage, pageKey, type PageShown } from './pages.ts';
import type { reservationMoveMachine } from '../reservation-move.machine.ts';
import type { pickerMachine } from '../picker.machine.ts';
import type { paletteMachine } from '../palette/palette.machine.ts';
import { parentOf, unpluggedLasting, unpluggedMachine } from '../port.ts';
import type { LaterChild, ViewChild } from '../view-child.ts';
import type { RealtimeFact } from '../realtime/realtime.machine.ts';
import {
  alive,
  below,
  isForm,
  isWanted,
  loaderOf,
  lostBy,
  pageOf,
  type PickerOpen,
  topKey,
  without,
  type WorkspaceContext,
} from './workspace-context.ts';
import type { PagesCommand, PagesReport, WorkspaceEvent, WorkspaceFact } from './workspace-events.ts';
import { subscribersOf, topicsOf } from './workspace-topics.ts';

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
    form: formMachine,
    /** Fetches the code of a child that comes later, and reports once it is there: at once, where it has been there before. */
    loadChild: unpluggedLasting<EventObject, LaterChild>('loadChild'),
    editor: unpluggedMachine<typeof editorMachine>('editor'),
    picker: unpluggedMachine<typeof pickerMachine>('picker'),
    job: unpluggedMachine<typeof jobMachine>('job'),
    deviceSearch: unpluggedMachine<typeof deviceSearchMachine>('deviceSearch'),
    enrolment: unpluggedMachine<typeof enrolmentMachine>('enrolment'),
    systemWatch: unpluggedMachine<typeof systemWatchMachine>('systemWatch'),
    reservationMove: unpluggedMachine<typeof reservationMoveMachine>('reservationMove'),
    palette: unpluggedMachine<typeof paletteMachine>('palette'),
    /** Reports the stack of this tab as it was when it starts, and keeps the one it is told. */
    pageMemory: unpluggedLasting<PagesCommand>('pageMemory'),
  },
  actions: {
    rememberPages: assign({ recalled: (_, { pages }: PagesReport) => pages }),
    savePages: sendTo('pageMemory', ({ context }): PagesCommand => ({ type: 'pages.store', pages: storedPages(context.pages) })),
    request: enqueueActions(({ enqueue, self }, request: AlertsRequest) => {
      enqueue.emit(request);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, request);
    }),
    notify: emit((_, fact: WorkspaceFact) => fact),
    arrange: enqueueActions(({ context, enqueue, self }, { pages }: { pages: readonly OpenPage[] }) => {
      const dialogs = dialogsOn(pages, context.dialogs);
      const before = childrenOf(context.pages, context.dialogs);
      const needed = childrenOf(pages, dialogs);
      const shown = pages.at(-1);
      const stale = shown?.child && context.finished.includes(shown.child) ? [shown.child] : [];
      const gone = [...before.filter((id) => !needed.includes(id)), ...stale];
      for (const id of gone) {
        enqueue.stopChild(loaderOf(id));
        enqueue.stopChild(id);
      }
      const begun: string[] = [];
      for (const page of pages) {
        if (!page.child || !page.area || (before.includes(page.child) && !stale.includes(page.child))) continue;
        const id = page.child;
        if (page.kind === 'list') enqueue.spawnChild('list', { id, input: listInput({ area: page.area, ...(page.query && { query: page.query }) }) });
        else {
          enqueue.spawnChild('loadChild', { id: loaderOf(id), input: { id, src: 'editor', input: editorInput(page, page.area) } });
          begun.push(id);
        }
      }
      const pickerGone = context.picker !== null && (context.picker.page !== (shown ? pageKey(shown) : '') || gone.includes(context.picker.reply));
      if (context.picker && pickerGone) {
        enqueue.stopChild(loaderOf(context.picker.child));
        enqueue.stopChild(context.picker.child);
      }
      const parent = parentOf(self);
      if (parent && gone.length > 0) enqueue.sendTo(parent, { type: 'dialog.withdraw', actorIds: gone });
      enqueue.assign({
        pages,
        dialogs,
        picker: pickerGone ? null : context.picker,
        unsaved: without(context.unsaved, gone),
        finished: without(context.finished, gone),
        loading: [...without(context.loading, gone), ...begun],
        asking: [],
      });
    }),
    openDialog: enqueueActions(
      ({ context, enqueue }, { area, id, mode, preset }: { area: AreaName; id?: string; mode: EditorMode; preset?: Draft }) => {
        const child = `editor:${area}:${id ?? 'new'}:dialog-${context.next}`;
        const input: EditorInput = { area, mode, place: 'dialog', ...(id !== undefined && { id }), ...(preset && { preset }) };
        enqueue.spawnChild('loadChild', { id: loaderOf(child), input: { id: child, src: 'editor', input } });
        enqueue.assign({
          next: context.next + 1,
          dialogs: [...context.dialogs, { child, area, mode, page: topKey(context) }],
          loading: [...context.loading, child],
        });
      },
    ),
    openPicker: enqueueActions(({ context, enqueue }, { reply, path, ...request }: PickerOpen) => {
      const child = `picker:${request.area}`;
      if (context.picker) {
        enqueue.stopChild(loaderOf(context.picker.child));
        enqueue.stopChild(context.picker.child);
      }
      enqueue.spawnChild('loadChild', { id: loaderOf(child), input: { id: child, src: 'picker', input: request } });
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
      else {
        enqueue.spawnChild('loadChild', { id: loaderOf(id), input: { id, ...child } as LaterChild });
        enqueue.assign({ loading: [...context.loading, id] });
      }
      enqueue.assign({ children: [...context.children, id] });
    }),
    /** The code is there: the child begins, if it is still wanted. */
    startChild: enqueueActions(({ context, enqueue }, { child }: { child: LaterChild }) => {
      const { id } = child;
      enqueue.stopChild(loaderOf(id));
      enqueue.assign({ loading: without(context.loading, [id]) });
      if (!isWanted(context, id)) return;
      if (child.src === 'editor') enqueue.spawnChild('editor', { id, input: child.input });
      else if (child.src === 'picker') enqueue.spawnChild('picker', { id, input: child.input });
      else if (child.src === 'job') enqueue.spawnChild('job', { id, input: child.input });
      else if (child.src === 'palette') enqueue.spawnChild('palette', { id, input: child.input });
      else enqueue.spawnChild(child.src, { id });
    }),
    notifyChild: enqueueActions(({ context, enqueue }, { id, event }: { id: string; event: FormEvent }) => {
      if (context.children.includes(id)) enqueue.sendTo(id, event);
    }),
    /** The view has gone: so do its actor and the question whether to leave it. */
    closeChild: enqueueActions(({ context, enqueue, self }, { id }: { id: string }) => {
      if (!context.children.includes(id)) return;
      enqueue.stopChild(loaderOf(id));
      enqueue.stopChild(id);
      const parent = parentOf(self);
      if (parent && isForm(id)) enqueue.sendTo(parent, { type: 'dialog.withdraw', actorIds: [id] });
      enqueue.assign({
        children: without(context.children, [id]),
        loading: without(context.loading, [id]),
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
      const { commands, areas } = subscribersOf(context, fact);
      for (const { child, event } of commands) if (![...context.finished, ...context.loading].includes(child)) enqueue.sendTo(child, event);
      for (const area of areas) enqueue.emit({ type: 'rows.changed', area });
    }),
    startJob: enqueueActions(({ context, enqueue }, { request }: { request: JobRequest }) => {
      const id = `job:${context.next}`;
      enqueue.spawnChild('loadChild', { id: loaderOf(id), input: { id, src: 'job', input: { request } } });
      enqueue.assign({ next: context.next + 1, jobs: [...context.jobs, id], loading: [...context.loading, id] });
    }),
    closeJob: enqueueActions(({ context, enqueue }, { id }: { id: string }) => {
      if (!context.jobs.includes(id)) return;
      if (!context.loading.includes(id)) return enqueue.sendTo(id, { type: 'job.close' });
      // It has asked the server nothing yet.
      enqueue.stopChild(loaderOf(id));
      enqueue.assign({ jobs: without(context.jobs, [id]), loading: without(context.loading, [id]) });
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
        return enqueue.assign({
          finished: [...without(context.finished, [actorId]), actorId],
          unsaved: without(context.unsaved, [actorId]),
          loading: without(context.loading, [actorId]),
        });
      }
      enqueue.stopChild(loaderOf(actorId));
      enqueue.stopChild(actorId);
      enqueue.assign({
        dialogs: context.dialogs.filter(({ child }) => child !== actorId),
        picker: context.picker?.child === actorId ? null : context.picker,
        children: without(context.children, [actorId]),
        jobs: without(context.jobs, [actorId]),
        loading: without(context.loading, [actorId]),
        jobIds: Object.fromEntries(Object.entries(context.jobIds).filter(([child]) => child !== actorId)),
        unsaved: without(context.unsaved, [actorId]),
      });
    }),
    saveDrafts: enqueueActions(({ context, enqueue }) => {
      for (const editor of context.unsaved) if (!isForm(editor)) enqueue.sendTo(editor, { type: 'draft.store' });
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
