// Keeps in order: the stack of open pages with their lists and editors, the dialogs, forms and the picker on them, and long work.
// Spawned by: console, as systemId workspace. The router tells it which page is shown, never the reverse.
// Asks (ports): pageMemory (lasting), which keeps the stack over a reload; loadChild (lasting), with which the code of a child comes.
// Tells (facts): page.done, page.free, page.stayed, form.saved, form.refused, picker.chosen, rows.changed, topics.want; passes requests for alerts and dialogs up.
import type { AnyActorRef, SnapshotFrom } from 'xstate';
import type { AreaName } from '#models/areas.ts';
import type { EditorActor } from '../editor/editor.machine.ts';
import type { JobActor } from '../job.machine.ts';
import { isOwn, type JobRequest } from '../job-request.ts';
import type { ListActor } from '../list/list.machine.ts';
import { type OpenPage, type PageShown, stackAfter, stackUnder } from './pages.ts';
import type { PickerActor } from '../picker.machine.ts';
import { doneAlert, errorAlert, problemAlert } from '../alert-requests.ts';
import { lostBy } from './workspace-context.ts';
import { workspaceSetup } from './workspace.setup.ts';

export type { WorkspaceContext } from './workspace-context.ts';
export type { PagesCommand, WorkspaceFact } from './workspace-events.ts';

/** All open pages of one signed-in person. */
export const workspaceMachine = workspaceSetup.createMachine({
  id: 'workspace',
  context: {
    pages: [],
    recalled: [],
    dialogs: [],
    picker: null,
    children: [],
    jobs: [],
    loading: [],
    jobIds: {},
    topics: [],
    unsaved: [],
    editing: [],
    finished: [],
    asking: [],
    next: 1,
  },
  invoke: { id: 'pageMemory', src: 'pageMemory', onError: { actions: [] } },
  initial: 'resting',
  on: {
    'pages.recalled': { actions: { type: 'rememberPages', params: ({ event }) => event } },
    'page.shown': {
      target: '.resting',
      actions: [
        { type: 'arrange', params: ({ context, event }) => ({ pages: stackAfter(stackUnder(context, event.page), event.page) }) },
        'wantTopics',
        'savePages',
      ],
    },
    'page.closed': {
      guard: { type: 'isOpen', params: ({ event }) => event },
      actions: [
        {
          type: 'arrange',
          params: ({ context, event }) => ({
            pages: context.pages.slice(
              0,
              context.pages.findIndex(({ pageId }) => pageId === event.pageId),
            ),
          }),
        },
        'wantTopics',
        'savePages',
      ],
    },
    'editor.open': { actions: [{ type: 'openDialog', params: ({ event }) => event }, 'wantTopics'] },
    'editor.touched': {
      actions: [{ type: 'noteUnsaved', params: ({ event }) => event }, { type: 'noteEditing', params: ({ event }) => event }, 'wantTopics'],
    },
    'editor.settled': {
      actions: [{ type: 'noteSettled', params: ({ event }) => event }, { type: 'noteEditing', params: ({ event }) => event }, 'wantTopics'],
    },
    'editor.saved': {
      actions: [
        { type: 'finishPage', params: ({ event }) => event },
        { type: 'announceChange', params: ({ event }) => event },
        { type: 'request', params: doneAlert },
      ],
    },
    'editor.deleted': {
      actions: [
        { type: 'finishPage', params: ({ event }) => event },
        { type: 'announceChange', params: ({ event }) => event },
        { type: 'request', params: doneAlert },
      ],
    },
    'editor.left': { actions: { type: 'finishPage', params: ({ event }) => event } },
    'child.open': { actions: { type: 'openChild', params: ({ event: { type: _type, id, ...child } }) => ({ id, child }) } },
    'child.notify': { actions: { type: 'notifyChild', params: ({ event }) => event } },
    'child.close': { actions: { type: 'closeChild', params: ({ event }) => event } },
    'form.touched': { actions: { type: 'noteUnsaved', params: ({ event }) => ({ editor: event.form }) } },
    'form.settled': { actions: { type: 'noteSettled', params: ({ event }) => ({ editor: event.form }) } },
    'form.saved': { actions: { type: 'notify', params: ({ event }) => event } },
    'form.refused': { actions: { type: 'notify', params: ({ event }) => event } },
    'child.ready': { actions: [{ type: 'startChild', params: ({ event }) => event }, 'wantTopics'] },
    'child.missing': {
      actions: [
        { type: 'dropChild', params: ({ event }) => ({ actorId: event.id }) },
        { type: 'request', params: ({ event }) => problemAlert(event.problem) },
      ],
    },
    'picker.open': { actions: { type: 'openPicker', params: ({ event: { type: _type, ...picker } }) => picker } },
    'picker.chose': { actions: { type: 'passChoice', params: ({ event }) => event } },
    'job.start': { actions: { type: 'startJob', params: ({ event }) => event } },
    'job.started': { actions: [{ type: 'noteJob', params: ({ event }) => event }, 'wantTopics'] },
    'job.close': { actions: { type: 'closeJob', params: ({ event }) => event } },
    'job.ended': [
      { guard: { type: 'isOwn', params: ({ event }) => event } },
      {
        guard: { type: 'hasCompleted', params: ({ event }) => event },
        actions: [
          { type: 'announceChange', params: ({ event }) => event },
          { type: 'request', params: doneAlert },
        ],
      },
      {
        guard: { type: 'hasFailed', params: ({ event }) => event },
        actions: [
          { type: 'announceChange', params: ({ event }) => event },
          { type: 'request', params: errorAlert('interface.job_failed') },
        ],
      },
      { actions: { type: 'announceChange', params: ({ event }) => event } },
    ],
    'rows.changed': { actions: { type: 'announceChange', params: ({ event }) => event } },
    'realtime.events': { actions: { type: 'spread', params: ({ event }) => event } },
    'realtime.resynced': { actions: { type: 'spread', params: ({ event }) => event } },
    'realtime.gap': { actions: { type: 'spread', params: ({ event }) => event } },
    'drafts.store': { actions: 'saveDrafts' },
    'alert.show': { actions: { type: 'request', params: ({ event }) => event } },
    'dialog.ask': { actions: { type: 'request', params: ({ event }) => event } },
    'dialog.withdraw': { actions: { type: 'request', params: ({ event }) => event } },
    'xstate.done.actor.*': { actions: [{ type: 'dropChild', params: ({ event }) => event }, 'wantTopics'] },
    'xstate.error.actor.*': {
      actions: [
        { type: 'dropChild', params: ({ event }) => event },
        'wantTopics',
        { type: 'request', params: ({ event }) => problemAlert(event.error) },
      ],
    },
  },
  states: {
    resting: {
      on: {
        'page.leave': [
          { guard: { type: 'losesNothing', params: ({ event }) => event }, actions: { type: 'notify', params: { type: 'page.free' } } },
          { target: 'leaving', actions: { type: 'queueQuestions', params: ({ event }) => event } },
        ],
      },
    },
    leaving: {
      tags: 'leaving',
      initial: 'asking',
      on: {
        'child.close': [
          {
            guard: { type: 'isAsked', params: ({ event }) => event },
            target: '.asking',
            reenter: true,
            actions: { type: 'closeChild', params: ({ event }) => event },
          },
          { actions: { type: 'closeChild', params: ({ event }) => event } },
        ],
        'form.stayed': { target: 'resting', actions: ['stopAsking', { type: 'notify', params: { type: 'page.stayed' } }] },
        'editor.stayed': { target: 'resting', actions: ['stopAsking', { type: 'notify', params: { type: 'page.stayed' } }] },
        'xstate.error.actor.*': {
          target: 'resting',
          actions: [
            { type: 'dropChild', params: ({ event }) => event },
            { type: 'request', params: ({ event }) => problemAlert(event.error) },
            'stopAsking',
            { type: 'notify', params: { type: 'page.stayed' } },
          ],
        },
        'form.left': { target: '.asking', reenter: true, actions: { type: 'markAsked', params: ({ event }) => ({ editor: event.form }) } },
        'editor.left': { target: '.asking', reenter: true, actions: { type: 'markAsked', params: ({ event }) => event } },
      },
      states: {
        asking: {
          entry: 'askNext',
          always: { guard: 'allAsked', target: '#workspace.resting', actions: { type: 'notify', params: { type: 'page.free' } } },
        },
      },
    },
  },
});
export type WorkspaceSnapshot = SnapshotFrom<typeof workspaceMachine>;

/** The page on the screen. */
export const presentPage = ({ context }: WorkspaceSnapshot): OpenPage | undefined => context.pages.at(-1);
/** Where closing the page on the screen leads; null if it was opened directly. */
export const previousPath = ({ context: { pages } }: WorkspaceSnapshot): string | null => pages.at(-2)?.path ?? null;
/** Whether a form holds changes that are gone with the page: unlike an editor's, they are not kept. */
export const holdsForm = ({ context }: WorkspaceSnapshot): boolean => context.unsaved.some((id) => context.children.includes(id));
/** Whether any open editor or form holds changes that are not stored. */
export const hasUnsaved = ({ context }: WorkspaceSnapshot): boolean => context.unsaved.length > 0;
/** Whether showing that page would lose changes; what the router's blocker asks. */
export const wouldLose = ({ context }: WorkspaceSnapshot, page: PageShown): boolean => lostBy(context, page).length > 0;
/** The list of an area, if a page with it is open. */
export const listOf = ({ children }: WorkspaceSnapshot, area: AreaName): ListActor | undefined => children[`list:${area}`] as ListActor | undefined;
/** The editor that serves a page. */
export const editorOf = ({ context, children }: WorkspaceSnapshot, pageId: string): EditorActor | undefined => {
  const child = context.pages.find((page) => page.pageId === pageId)?.child;
  return child?.startsWith('editor:') ? (children[child] as EditorActor | undefined) : undefined;
};
/** The actor with that id, for dialogs and jobs named in the context. */
export const editorAt = ({ children }: WorkspaceSnapshot, id: string): EditorActor | undefined => children[id] as EditorActor | undefined;
/** The job with that id. */
export const jobAt = ({ children }: WorkspaceSnapshot, id: string): JobActor | undefined => children[id] as JobActor | undefined;
/** The work that no view shows itself. */
export const shownJobs = (snapshot: WorkspaceSnapshot): readonly string[] =>
  snapshot.context.jobs.filter((id) => {
    const followed = jobAt(snapshot, id);
    return followed !== undefined && !isOwn(followed.getSnapshot().context.request);
  });
/** Which of the children follows the work that the server knows by this id. */
export const followerOf = (snapshot: WorkspaceSnapshot, jobId: string): string | undefined =>
  snapshot.context.jobs.find((id) => jobAt(snapshot, id)?.getSnapshot().context.job?.id === jobId);
/** The work on the server that a workspace follows, as requests to follow it further; of one that has failed too. */
export const jobsOf = (workspace: AnyActorRef | undefined): readonly JobRequest[] => {
  const snapshot = workspace?.getSnapshot() as Partial<WorkspaceSnapshot> | undefined;
  return (snapshot?.context?.jobs ?? []).flatMap((id): JobRequest[] => {
    const followed = (snapshot?.children?.[id] as JobActor | undefined)?.getSnapshot().context;
    return followed?.job && !isOwn(followed.request) ? [{ kind: 'adopt', area: followed.request.area, job: followed.job }] : [];
  });
};
/** The open picker. */
export const openPicker = ({ context, children }: WorkspaceSnapshot): PickerActor | undefined =>
  context.picker ? (children[context.picker.child] as PickerActor | undefined) : undefined;
