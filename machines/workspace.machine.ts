// Keeps in order: the stack of open pages with their lists and editors, the dialogs and the picker on them, and long work.
// Spawned by: console, as systemId workspace. The router tells it which page is shown, never the reverse.
// Asks (ports): nothing itself.
// Tells (facts): page.done, page.free, page.kept, picker.chosen; passes requests for alerts and dialogs up.
import { type ActorRefFrom, assign, enqueueActions, setup, type SnapshotFrom } from 'xstate';
import type { AreaName } from '#models/index.ts';
import type { AlertsRequest } from './alerts.machine.ts';
import type { Draft, Path } from './draft.ts';
import { type EditorActor, editorMachine, type EditorFact, type EditorMode, type PickerChosen } from './editor.machine.ts';
import { type JobActor, type JobEnded, jobMachine, type JobRequest } from './job.machine.ts';
import { type ListActor, type ListFact, listMachine } from './list.machine.ts';
import { childrenOf, dialogsOn, editorInput, listInput, type OpenDialog, type OpenPage, opened, type PageShown, stackAfter } from './pages.ts';
import { type PickerActor, type PickerFact, pickerMachine, type PickerRequest } from './picker.machine.ts';
import { parentOf } from './port.ts';
import { doneAlert, problemAlert } from './tell.ts';

/** A picker and whom its choice goes to: a child of the workspace (`path` says for which field), or a view that listens. */
export type PickerOpen = PickerRequest & { reply: string; path: Path };
export type WorkspaceFact =
  | AlertsRequest
  /** The editor of a page has finished; `path` is where the person came from. */
  | { type: 'page.done'; pageId: string; path: string | null }
  /** Nothing holds the page that was to be left. */
  | { type: 'page.free' }
  /** The person chose to stay. */
  | { type: 'page.kept' }
  | (PickerChosen & { reply: string });
export type WorkspaceEvent =
  | AlertsRequest
  | EditorFact
  | PickerFact
  | JobEnded
  | Exclude<ListFact, { type: 'query.wanted' }>
  | { type: 'query.wanted' }
  | { type: 'page.shown'; page: PageShown }
  | { type: 'page.closed'; pageId: string }
  /** The router is about to show another page: may it? Answered by page.free or page.kept. */
  | { type: 'page.leave'; page: PageShown }
  | { type: 'editor.open'; area: AreaName; id?: string; mode: EditorMode; preset?: Draft }
  | ({ type: 'picker.open' } & PickerOpen)
  | { type: 'job.close'; id: string }
  | { type: 'rows.changed'; area: AreaName }
  | { type: 'xstate.done.actor.*'; actorId: string }
  | { type: 'xstate.error.actor.*'; actorId: string; error: unknown };
