import { useId } from 'react';
import { NavLink } from 'react-router-dom';
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

function Entry({ item, mini, onFollow }: { item: MenuItem; mini: boolean; onFollow?: (() => void) | undefined }) {
  const { t } = useText();
  const words = t(`interface.menu.${item.key}`);
  return (
    <li>
      <NavLink to={item.path} className="menu-entry" onClick={onFollow} {...(mini && { 'aria-label': words, 'data-tip': words })}>
        <i className={`pi ${item.icon}`} aria-hidden="true" />
        <span className="menu-words">{words}</span>
      </NavLink>
    </li>
  );
}

function Category({
  category,
  mini,
  open,
  onFold,
  onFollow,
}: {
  category: MenuCategory;
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
      {/* The first category needs no heading of its own: home and notifications speak for themselves. */}
      {category.key !== 'common' && !mini && (
        <button type="button" className="menu-heading" aria-expanded={open} aria-controls={listId} onClick={onFold}>
          <span>{words}</span>
          <i className={`pi ${open ? 'pi-chevron-up' : 'pi-chevron-down'}`} aria-hidden="true" />
        </button>
      )}
      <ul id={listId} aria-label={words} hidden={!open}>
        {category.items.map((item) => (
          <Entry key={item.key} item={item} mini={mini} onFollow={onFollow} />
        ))}
      </ul>
    </li>
  );
}

/** The side menu: categories that can be folded, or icons alone when it is narrow. */
export function SideMenu({ categories, mini, folded, onFold, onFollow }: SideMenuProps) {
  return (
    <div className="side-menu">
      <ul>
        {categories.map((category) => (
          <Category
            key={category.key}
            category={category}
            mini={mini}
            open={mini || category.key === 'common' || !folded.includes(category.key)}
            onFold={() => onFold(category.key)}
            onFollow={onFollow}
          />
        ))}
      </ul>
    </div>
  );
}
