import { useId } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useText } from '#src/components/text.ts';
import type { MenuCategory, MenuItem } from './menu.ts';

interface SideMenuProps {
  categories: readonly MenuCategory[];
  mini: boolean;
  folded: readonly string[];
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

function Entry({ item, here, mini, onFollow }: { item: MenuItem; here: boolean; mini: boolean; onFollow?: (() => void) | undefined }) {
  const { t } = useText();
  const words = t(`interface.menu.${item.key}`);
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
      </Link>
    </li>
  );
}

function Category({
  category,
  here,
  mini,
  open,
  onFold,
  onFollow,
}: {
  category: MenuCategory;
  here: string | undefined;
  mini: boolean;
  open: boolean;
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
          <Entry key={item.key} item={item} here={item.path === here} mini={mini} onFollow={onFollow} />
        ))}
      </ul>
    </li>
  );
}

/** The side menu: categories that can be folded, or icons alone when it is narrow. */
export function SideMenu({ categories, mini, folded, onFold, onFollow }: SideMenuProps) {
  const { pathname } = useLocation();
  const here = entryOf(categories, pathname);
  return (
    <div className="side-menu">
      <ul>
        {categories.map((category) => (
          <Category
            key={category.key}
            category={category}
            here={here}
            mini={mini}
            open={mini || !folded.includes(category.key)}
            onFold={() => onFold(category.key)}
            onFollow={onFollow}
          />
        ))}
      </ul>
    </div>
  );
}
