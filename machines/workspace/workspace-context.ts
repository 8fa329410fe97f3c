import type { Path } from '../editor/draft.ts';
import type { PickerRequest } from '../picker.machine.ts';
import { childrenOf, dialogsOn, type OpenDialog, type OpenPage, pageKey, type PageShown, stackAfter } from './pages.ts';

/** A picker and whom its choice goes to: a child of the workspace (`path` says for which field), or a view that listens. */
export type PickerOpen = PickerRequest & { reply: string; path: Path };

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
  /** Children that begin once their code is there. */
  loading: readonly string[];
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
export const topKey = ({ pages }: WorkspaceContext): string => {
  const page = pages.at(-1);
  return page ? pageKey(page) : '';
};
export const without = (ids: readonly string[], gone: readonly string[]): readonly string[] => ids.filter((id) => !gone.includes(id));
const isNeeded = ({ pages, dialogs, finished }: WorkspaceContext, id: string): boolean =>
  childrenOf(pages, dialogs).includes(id) && !finished.includes(id);
/** Whether a page's child may be told something. */
export const alive = (context: WorkspaceContext, id: string): boolean => isNeeded(context, id) && !context.loading.includes(id);
/** The page that an editor is, if it is none of the dialogs. */
export const pageOf = ({ pages }: WorkspaceContext, child: string): OpenPage | undefined => pages.find((page) => page.child === child);
export const below = ({ pages }: Pick<WorkspaceContext, 'pages'>, pageId: string): string | null =>
  pages[pages.findIndex((page) => page.pageId === pageId) - 1]?.path ?? null;

/** What fetches the code of a child. */
export const loaderOf = (id: string): string => `load:${id}`;
export const isWanted = (context: WorkspaceContext, id: string): boolean =>
  isNeeded(context, id) || context.children.includes(id) || context.jobs.includes(id) || context.picker?.child === id;
export const isForm = (id: string): boolean => id.startsWith('form:');
/** A form is its view's: no page carries it further. Editors stay with the pages of the stack. The lowest first. */
export function lostBy(context: Pick<WorkspaceContext, 'pages' | 'dialogs' | 'unsaved'>, page: PageShown): readonly string[] {
  const pages = stackAfter(context.pages, page);
  const remaining = childrenOf(pages, dialogsOn(pages, context.dialogs));
  return context.unsaved.filter((id) => isForm(id) || !remaining.includes(id));
}
