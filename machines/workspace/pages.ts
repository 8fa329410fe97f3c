import { emptyQuery, type ListQuery } from '#models/query.ts';
import { type AreaName, areaOf } from '#models/areas.ts';
import type { Draft, DraftSource } from '../editor/draft.ts';
import type { EditorInput, EditorMode } from '../editor/editor.machine.ts';

/** A page as the router shows it. `pageId` is the query parameter of that name; a page opened from the menu has none. */
export interface PageShown {
  pageId?: string;
  /** Path and query, to come back to. */
  path: string;
  kind: 'list' | 'add' | 'edit' | 'view' | 'other';
  area?: AreaName;
  id?: string;
  /** What a list page asks for. */
  query?: ListQuery;
  /** What an add page starts with. */
  preset?: Draft;
  /** Where the draft of the page gets its values from. */
  source?: DraftSource;
}
/** A page in the stack; `child` is the actor that serves it, if one does. */
export interface OpenPage extends PageShown {
  pageId: string;
  child: string | null;
}
/** An editor shown as a dialog on top of a page. */
export interface OpenDialog {
  child: string;
  area: AreaName;
  mode: EditorMode;
  /** The page it lies on (`pageKey`). */
  page: string;
}

/** The id of the actor that serves a page. */
function childOf({ pageId = '', kind, area, id }: PageShown): string | null {
  if (!area || kind === 'other') return null;
  if (kind === 'list') return `list:${area}`;
  return `editor:${area}:${kind === 'add' ? 'new' : (id ?? '')}:${pageId}`;
}

/** What makes a page the same page: its pageId and its path; what it asks for may change. */
export const pageKey = ({ pageId = '', path }: PageShown): string => `${pageId}|${path.split('?')[0]}`;

/** A page as it stands in the stack. */
const opened = (page: PageShown): OpenPage => ({ ...page, pageId: page.pageId ?? '', child: childOf(page) });

/**
 * The stack after the router showed a page: a known page closes what lies above it, an unknown one is put on top, one
 * without pageId is a new root, unless it is the present root.
 */
export function stackAfter(pages: readonly OpenPage[], shown: PageShown): readonly OpenPage[] {
  const page = opened(shown);
  const at = pages.findIndex(({ pageId }) => pageId === page.pageId);
  if (at >= 0) return [...pages.slice(0, at), page];
  return page.pageId === '' ? [page] : [...pages, page];
}

/**
 * What lies under the first page shown after a reload: the stack as it was, if that page stood in it. A page opened from
 * the menu, or by an address somebody was sent, starts a stack of its own.
 */
export function stackUnder(
  { pages, recalled }: { pages: readonly OpenPage[]; recalled: readonly PageShown[] },
  shown: PageShown,
): readonly OpenPage[] {
  if (pages.length > 0 || shown.pageId === undefined) return pages;
  const at = recalled.findIndex((page) => pageKey(page) === pageKey(shown));
  return recalled.slice(0, Math.max(at, 0)).map(opened);
}

/** The stack without the actors that served it, to be kept. */
export const storedPages = (pages: readonly OpenPage[]): readonly PageShown[] => pages.map(({ child: _child, ...page }) => page);

/** The children that a stack and the dialogs on its pages need. */
export const childrenOf = (pages: readonly OpenPage[], dialogs: readonly OpenDialog[]): readonly string[] => [
  ...new Set([...pages.flatMap(({ child }) => (child ? [child] : [])), ...dialogs.map(({ child }) => child)]),
];

/** The dialogs whose page is still there. */
export const dialogsOn = (pages: readonly OpenPage[], dialogs: readonly OpenDialog[]): readonly OpenDialog[] =>
  dialogs.filter((dialog) => pages.some((page) => pageKey(page) === dialog.page));

/** What a list starts with. */
export const listInput = ({ area, query }: { area: AreaName; query?: ListQuery }) => ({
  area,
  query: query ?? { ...emptyQuery, sort: [...areaOf(area).defaultSort] },
});

/** What the editor of a page starts with. */
export const editorInput = ({ kind, id, preset, source }: PageShown, area: AreaName): EditorInput => ({
  area,
  mode: kind === 'add' || kind === 'view' ? kind : 'edit',
  place: 'page',
  ...(id !== undefined && kind !== 'add' && { id }),
  ...(preset && { preset }),
  ...(source && { source }),
});
