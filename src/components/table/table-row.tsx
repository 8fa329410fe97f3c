import { memo, type MouseEvent, type ReactNode } from 'react';

/** The widest table in which a column gives way: that of a desk's screen of 1280 px, or that of a tablet. */
export type GivesWay = 'desk' | 'tablet';

export interface TableColumn {
  key: string;
  label: string;
  /** The field the server sorts by; none where it cannot. */
  sort?: string | undefined;
  width?: string | undefined;
  /** Shows two lines. */
  tall?: boolean | undefined;
  givesWay?: GivesWay | undefined;
}

export interface TableRowProps<Row> {
  row: Row;
  id: string;
  name: string;
  columns: readonly TableColumn[];
  cell: (row: Row, column: TableColumn, first: boolean) => ReactNode;
  selected: boolean;
  changed: boolean;
  selectLabel: string | undefined;
  menuLabel: string | undefined;
  onToggle: ((id: string) => void) | undefined;
  onOpen: ((id: string) => void) | undefined;
  onMenu: ((event: MouseEvent<HTMLElement>, id: string) => void) | undefined;
}

/**
 * A click that opens the row: on its title, or anywhere but on a link, a button or a box; marking text is no click, and
 * neither is asking for a new tab.
 */
const isOpening = (event: MouseEvent): boolean => {
  const { target, currentTarget, metaKey, ctrlKey, shiftKey } = event;
  if (!(target instanceof Element) || !currentTarget.contains(target) || metaKey || ctrlKey || shiftKey) return false;
  if (target.closest('[data-opens]')) return true;
  return target.closest('a, button, input, label') === null && (globalThis.getSelection?.()?.isCollapsed ?? true);
};

function Row<T>({ row, id, name, columns, cell, selected, changed, selectLabel, menuLabel, onToggle, onOpen, onMenu }: TableRowProps<T>) {
  return (
    <tr
      className={onOpen ? 'row-opens' : undefined}
      aria-selected={onToggle ? selected : undefined}
      data-id={id}
      data-changed={changed || undefined}
      onClick={onOpen && ((event) => isOpening(event) && onOpen(id))}
    >
      {onToggle && (
        <td className="cell-box">
          <label className="box-area">
            <input
              type="checkbox"
              className="check"
              checked={selected}
              onChange={() => onToggle(id)}
              aria-label={`${selectLabel ?? ''} ${name}`.trim()}
            />
          </label>
        </td>
      )}
      {columns.map((column, index) => (
        <td key={column.key} data-label={column.label} data-gives-way={column.givesWay} className={index === 0 ? 'cell-first' : undefined}>
          {cell(row, column, index === 0)}
        </td>
      ))}
      {onMenu && (
        <td className="cell-menu">
          <button
            type="button"
            className="icon-button"
            aria-haspopup="menu"
            aria-label={`${menuLabel ?? ''}: ${name}`}
            onClick={(event) => onMenu(event, id)}
          >
            <i className="pi pi-ellipsis-v" aria-hidden="true" />
          </button>
        </td>
      )}
    </tr>
  );
}

/** One row; drawn again only when the row itself, the columns or its mark change. */
export const TableRow = memo(Row) as typeof Row;
