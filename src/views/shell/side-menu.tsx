import { type RefObject, useEffect, useId, useRef } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useText } from '#src/components/text.ts';
import { viewQuery } from '../area/view-query.ts';
import type { MenuCategory, MenuItem } from './menu.ts';

/** A view of a list that stands below the list's own entry. */
export interface PinnedView {
  id: string;
  name: string;
  /** Of the list it shows. */
  path: string;
  query: string;
}

interface SideMenuProps {
  categories: readonly MenuCategory[];
  mini: boolean;
  folded: readonly string[];
  views: readonly PinnedView[];
  /** What waits behind an entry, by its key. */
  counts: Readonly<Record<string, number>>;
  onFold: (category: string) => void;
  /** An entry was followed; the phone's menu closes then. */
  onFollow?: () => void;
}

/** The entry whose screen this is: of those whose path the address begins with the longest, for some stand below others. */
const entryOf = (categories: readonly MenuCategory[], pathname: string): string | undefined =>
  categories
    .flatMap(({ items }) => items.map(({ path }) => path))
    .filter((path) => pathname === path || pathname.startsWith(`${path}/`))
    .toSorted((one, other) => other.length - one.length)[0];

/** The views of one list. */
function Views({ views, onFollow }: { views: readonly PinnedView[]; onFollow?: (() => void) | undefined }) {
  const { pathname, search } = useLocation();
  const shown = `${pathname}?${viewQuery(new URLSearchParams(search))}`;
  return (
    <ul className="menu-views">
      {views.map(({ id, name, path, query }) => {
        const to = `${path}?${query}`;
        return (
          <li key={id}>
            <Link
              to={to}
              className={to === shown ? 'menu-entry active' : 'menu-entry'}
              aria-current={to === shown ? 'page' : undefined}
              onClick={onFollow}
            >
              <span className="menu-words" title={name}>
                {name}
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

interface EntryProps {
  item: MenuItem;
  here: boolean;
  mini: boolean;
  views: readonly PinnedView[];
  count: number;
  onFollow?: (() => void) | undefined;
}

function Entry({ item, here, mini, views, count, onFollow }: EntryProps) {
  const { t } = useText();
  const name = t(`interface.menu.${item.key}`);
  const words = count > 0 && mini ? `${name} (${count})` : name;
  const own = mini ? [] : views.filter(({ path }) => path === item.path);
  return (
    <li>
      <Link
        to={item.path}
        className={here ? 'menu-entry active' : 'menu-entry'}
        aria-current={here ? 'page' : undefined}
        onClick={onFollow}
        {...(mini && { 'aria-label': words, 'data-tip': words })}
      >
        <i className={`pi ${item.icon}`} aria-hidden="true" />
        <span className="menu-words">{words}</span>
        {count > 0 && (
          <span className="menu-count">
            {count}
            <span className="unseen"> {t('interface.shell.unread', { count })}</span>
          </span>
        )}
      </Link>
      {own.length > 0 && <Views views={own} onFollow={onFollow} />}
    </li>
  );
}

function Category({
  category,
  here,
  mini,
  open,
  views,
  counts,
  onFold,
  onFollow,
}: {
  category: MenuCategory;
  here: string | undefined;
  mini: boolean;
  open: boolean;
  views: readonly PinnedView[];
  counts: Readonly<Record<string, number>>;
  onFold: () => void;
  onFollow?: (() => void) | undefined;
}) {
  const { t } = useText();
  const listId = useId();
  const words = t(`interface.menu.${category.key}`);
  return (
    <li className="menu-category">
      {!mini && (
        <button type="button" className="menu-heading" aria-expanded={open} aria-controls={listId} onClick={onFold}>
          <span>{words}</span>
          <i className={`pi ${open ? 'pi-chevron-up' : 'pi-chevron-down'}`} aria-hidden="true" />
        </button>
      )}
      <ul id={listId} aria-label={words} hidden={!open}>
        {category.items.map((item) => (
          <Entry key={item.key} item={item} here={item.path === here} mini={mini} views={views} count={counts[item.key] ?? 0} onFollow={onFollow} />
        ))}
      </ul>
    </li>
  );
}

/**
 * A long menu scrolls: where one is stays to be seen, after a link from elsewhere and when a banner above leaves the menu less room,
 * until the person is busy in the menu.
 */
function useEntryInView(here: string | undefined): RefObject<HTMLDivElement | null> {
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = menu;
    if (!current || here === undefined) return;
    const show = (): void => current.querySelector('.menu-entry[aria-current]')?.scrollIntoView({ block: 'nearest' });
    show();
    const watch = new ResizeObserver(show);
    watch.observe(current);
    const stop = (): void => watch.disconnect();
    const begins = ['wheel', 'pointerdown', 'focusin'] as const;
    for (const event of begins) current.addEventListener(event, stop, { passive: true });
    return () => {
      stop();
      for (const event of begins) current.removeEventListener(event, stop);
    };
  }, [here]);
  return menu;
}

/** The side menu: categories that can be folded, or icons alone when it is narrow. */
export function SideMenu({ categories, mini, folded, views, counts, onFold, onFollow }: SideMenuProps) {
  const { pathname } = useLocation();
  // One conversation stands beside the list of all.
  const here = entryOf(categories, pathname.replace(/^\/conversation\//, '/conversations/'));
  const menu = useEntryInView(here);
  return (
    <div ref={menu} className="side-menu">
      <ul>
        {categories.map((category) => (
          <Category
            key={category.key}
            category={category}
            here={here}
            mini={mini}
            open={mini || !folded.includes(category.key)}
            views={views}
            counts={counts}
            onFold={() => onFold(category.key)}
            onFollow={onFollow}
          />
        ))}
      </ul>
    </div>
  );
}
