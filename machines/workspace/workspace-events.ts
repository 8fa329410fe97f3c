import type { AreaName } from '#models/areas.ts';
import type { Problem } from '#models/problem.ts';
import type { AlertsRequest } from '../alerts/alerts.machine.ts';
import type { Draft } from '../editor/draft.ts';
import type { EditorFact, EditorMode, PickerChosen } from '../editor/editor.machine.ts';
import type { FormAnswer, FormFact } from '../form/form.machine.ts';
import type { JobEnded, JobStarted } from '../job.machine.ts';
import type { JobRequest } from '../job-request.ts';
import type { PickerFact } from '../picker.machine.ts';
import type { RealtimeFact } from '../realtime/realtime.machine.ts';
import type { LaterChild, ViewChild, ViewCommand } from '../view-child.ts';
import type { PageShown } from './pages.ts';
import type { PickerOpen } from './workspace-context.ts';

/** What it says. */
export type WorkspaceFact =
  | AlertsRequest
  | FormAnswer
  /** The editor of a page has finished; `path` is where the person came from. */
  | { type: 'page.done'; pageId: string; path: string | null }
  /** Nothing holds the page that was to be left. */
  | { type: 'page.free' }
  /** The person chose to stay. */
  | { type: 'page.stayed' }
  | (PickerChosen & { reply: string })
  /** Rows of an area were stored or deleted; trees and boards read anew. */
  | { type: 'rows.changed'; area: AreaName };
/** What the memory of the tab is told. */
export type PagesCommand = { type: 'pages.store'; pages: readonly PageShown[] };
/** What it tells when it starts: the stack before the reload. */
export type PagesReport = { type: 'pages.recalled'; pages: readonly PageShown[] };
/** What the fetching of a child's code came to. */
export type ChildReport = { type: 'child.ready'; child: LaterChild } | { type: 'child.missing'; id: string; problem: Problem };
/** What it hears. */
export type WorkspaceEvent =
  | PagesReport
  | ChildReport
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
  /** The router is about to show another page: may it? Answered by page.free or page.stayed. */
  | { type: 'page.leave'; page: PageShown }
  | { type: 'editor.open'; area: AreaName; id?: string; mode: EditorMode; preset?: Draft }
  | ({ type: 'picker.open' } & PickerOpen)
  | { type: 'job.close'; id: string }
  | { type: 'rows.changed'; area: AreaName }
  /** The page may go away at once: unsaved editors keep what was typed last. */
  | { type: 'drafts.store' }
  | { type: 'xstate.done.actor.*'; actorId: string }
  | { type: 'xstate.error.actor.*'; actorId: string; error: unknown };
