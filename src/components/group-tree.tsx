import { type KeyboardEvent, memo, type MouseEvent, useRef, useState } from 'react';
import { above, type Forest, type TreeLine } from './group-tree-nodes.ts';
import { useText } from './text.ts';
import './group-tree.css';

interface GroupTreeProps {
  label: string;
  forest: Forest;
  lines: readonly TreeLine[];
  /** While searching everything stays open. */
  fixed: boolean;
  onFlip: (id: string) => void;
  onOpen: (id: string) => void;
  onMenu: ((event: MouseEvent<HTMLElement>, id: string) => void) | undefined;
}

interface LineProps {
  line: TreeLine;
  tabbed: boolean;
  fixed: boolean;
  onFlip: (id: string) => void;
  onOpen: (id: string) => void;
  onMenu: GroupTreeProps['onMenu'];
}

/** What the line of a group says. */
export function GroupWords({ node }: Pick<TreeLine, 'node'>) {
  const { t } = useText();
  return (
    <>
      <span className="tree-name">{node.name}</span>
      {node.type && <span className="label-tag">{node.type.name}</span>}
      {node.logic_address && <span className="tree-address">{node.logic_address}</span>}
      <span className="tree-counts">
        <span title={t('list.tree.users', { count: node.users_count })} data-none={node.users_count === 0}>
          <i className="pi pi-users" aria-hidden="true" /> {node.users_count}
        </span>
        <span title={t('list.tree.children', { count: node.children_count })} data-none={node.children_count === 0}>
          <i className="pi pi-sitemap" aria-hidden="true" /> {node.children_count}
        </span>
      </span>
    </>
  );
}

const Line = memo(function Line({ line, tabbed, fixed, onFlip, onOpen, onMenu }: LineProps) {
  const { t } = useText();
  const { node, level, open, hasChildren, place, brothers } = line;
  return (
    <div
      role="treeitem"
      className="tree-line"
      data-id={node.id}
      aria-level={level}
      aria-expanded={hasChildren ? open : undefined}
      aria-setsize={brothers}
      aria-posinset={place}
      aria-label={node.name}
      tabIndex={tabbed ? 0 : -1}
      style={{ paddingInlineStart: `${8 + (level - 1) * 22}px` }}
      onClick={() => onOpen(node.id)}
    >
      <span
        className="tree-arrow"
        aria-hidden="true"
        data-on={hasChildren && !fixed}
        onClick={(event) => {
          if (!hasChildren || fixed) return;
          event.stopPropagation();
          onFlip(node.id);
        }}
      >
        {hasChildren && <i className={`pi ${open ? 'pi-chevron-down' : 'pi-chevron-right'}`} />}
      </span>
      <GroupWords node={node} />
      {onMenu && (
        <button
          type="button"
          className="icon-button"
          tabIndex={-1}
          aria-haspopup="menu"
          aria-label={`${t('list.row.menu')}: ${node.name}`}
          onClick={(event) => {
            event.stopPropagation();
            onMenu(event, node.id);
          }}
        >
          <i className="pi pi-ellipsis-v" aria-hidden="true" />
        </button>
      )}
    </div>
  );
});

/** The groups as a tree one walks with mouse or arrow keys; only what is open is drawn. */
export function GroupTree({ label, forest, lines, fixed, onFlip, onOpen, onMenu }: GroupTreeProps) {
  const tree = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<string>();
  const focused = lines.some(({ node }) => node.id === current) ? current : lines[0]?.node.id;
  const focus = (id: string | undefined) => {
    if (!id) return;
    setCurrent(id);
    tree.current?.querySelector<HTMLElement>(`[data-id="${id}"]`)?.focus();
  };
  const walk = (event: KeyboardEvent) => {
    const at = lines.findIndex(({ node }) => node.id === focused);
    const line = lines[at];
    if (!line || event.altKey || event.ctrlKey || event.metaKey) return;
    const { id } = line.node;
    const moves: Record<string, () => void> = {
      ArrowDown: () => focus(lines[at + 1]?.node.id),
      ArrowUp: () => focus(lines[at - 1]?.node.id),
      Home: () => focus(lines[0]?.node.id),
      End: () => focus(lines.at(-1)?.node.id),
      ArrowRight: () => (line.hasChildren && !line.open && !fixed ? onFlip(id) : line.open ? focus(lines[at + 1]?.node.id) : undefined),
      ArrowLeft: () => (line.open && !fixed ? onFlip(id) : focus(above(forest, id)[0])),
      Enter: () => onOpen(id),
    };
    const move = moves[event.key];
    if (!move || (event.target as HTMLElement).closest('button')) return;
    event.preventDefault();
    move();
  };
  return (
    <div
      ref={tree}
      role="tree"
      aria-label={label}
      className="tree"
      onKeyDown={walk}
      onFocus={(event) => setCurrent((event.target as HTMLElement).closest<HTMLElement>('[data-id]')?.dataset['id'])}
    >
      {lines.map((line) => (
        <Line key={line.node.id} line={line} tabbed={line.node.id === focused} fixed={fixed} onFlip={onFlip} onOpen={onOpen} onMenu={onMenu} />
      ))}
    </div>
  );
}
