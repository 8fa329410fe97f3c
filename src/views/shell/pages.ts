import { type Location, matchPath } from 'react-router-dom';
import type { PageShown } from '#machines/workspace/pages.ts';
import { knownModel } from '#models/registry.ts';
import { readAddress } from '../area/list-address.ts';
import type { AreaEntry } from '../area/resource.ts';

type Kind = PageShown['kind'];
/** The addresses of an area, most exact first; every kind but `other`. */
const shapes: readonly [suffix: string, kind: Kind][] = [
  ['', 'list'],
  ['/add', 'add'],
  ['/:id/edit', 'edit'],
  ['/:id', 'view'],
];

type Place = Pick<AreaEntry, 'area' | 'path' | 'pages'>;
/** The deepest first: what stands below another area's path is no row of that area. */
const byDepth = (one: Place, other: Place): number => other.path.split('/').length - one.path.split('/').length;
const isFurther = (pathname: string, { path, pages = {} }: Place): boolean => Object.keys(pages).some((part) => pathname === `${path}/${part}`);

/** Which area's page an address is, of which kind, about which row. */
function areaPage(pathname: string, areas: readonly Place[]): Pick<PageShown, 'kind' | 'area' | 'id'> {
  if (areas.some((entry) => isFurther(pathname, entry))) return { kind: 'other' };
  for (const { area, path } of areas.toSorted(byDepth))
    for (const [suffix, kind] of shapes) {
      const match = matchPath(path + suffix, pathname);
      const id = match?.params['id'];
      if (match) return { kind, area, ...(id !== undefined && { id }) };
    }
  return { kind: 'other' };
}

/** Fields of a new record that the address fills in. */
function presetOf(params: URLSearchParams, initial: object): NonNullable<PageShown['preset']> {
  return Object.fromEntries([...params].filter(([key]) => Object.hasOwn(initial, key)));
}

/** Where the draft of a page gets its values from: a row to be copied, or an earlier version. */
function sourceOf(kind: Kind, params: URLSearchParams): PageShown['source'] {
  const [copied, version] = [params.get('copy'), params.get('version')];
  if (kind === 'add' && copied) return { kind: 'copy', id: copied };
  return kind === 'edit' && version ? { kind: 'version', id: version } : undefined;
}

/** The page an address stands for, as the workspace keeps it. */
export function pageOf({ pathname, search }: Pick<Location, 'pathname' | 'search'>, areas: readonly Place[]): PageShown {
  const page = areaPage(pathname, areas);
  const params = new URLSearchParams(search);
  const pageId = params.get('pageId');
  const source = sourceOf(page.kind, params);
  // The router shows an address once its area has come, or that it cannot be had.
  const model = page.area && knownModel(page.area);
  const preset = page.kind === 'add' && model ? presetOf(params, model.initial) : {};
  return {
    ...page,
    path: pathname + search,
    ...(pageId && { pageId }),
    ...(page.kind === 'list' && model && { query: readAddress(params, model).query }),
    ...(Object.keys(preset).length > 0 && { preset }),
    ...(source && { source }),
  };
}

/** A path with a page's id, by which closing the page finds the way back. */
export function withPageId(path: string, pageId: string): string {
  const [pathname = '', search = ''] = path.split('?');
  const params = new URLSearchParams(search);
  params.set('pageId', pageId);
  return `${pathname}?${params}`;
}
