import { memo, type MouseEvent, type ReactNode } from 'react';

export interface TableColumn {
  key: string;
  label: string;
  /** The field the server sorts by; none where it cannot. */
  sort?: string | undefined;
  width?: string | undefined;
}

export interface TableRowProps<Row> {
  row: Row;
  id: string;
  name: string;
  columns: readonly TableColumn[];
  cell: (row: Row, column: TableColumn, first: boolean) => ReactNode;
  selected: boolean;
  selectLabel: string | undefined;
  menuLabel: string | undefined;
  onToggle: ((id: string) => void) | undefined;
  onOpen: ((id: string) => void) | undefined;
  onMenu: ((event: MouseEvent<HTMLElement>, id: string) => void) | undefined;
}

/** A click on a link, a button or a box inside the row is theirs, and marking text is not a click. */
const isOwnClick = ({ target, currentTarget }: MouseEvent): boolean =>
  target instanceof Element &&
  currentTarget.contains(target) &&
  target.closest('a, button, input, label') === null &&
  (globalThis.getSelection?.()?.isCollapsed ?? true);

function Row<T>({ row, id, name, columns, cell, selected, selectLabel, menuLabel, onToggle, onOpen, onMenu }: TableRowProps<T>) {
  return (
    <tr
      className={onOpen ? 'row-opens' : undefined}
      aria-selected={onToggle ? selected : undefined}
      data-id={id}
      onClick={onOpen && ((event) => isOwnClick(event) && onOpen(id))}
    >
      {onToggle && (
        <td className="cell-box">
          <label className="box-area">
            <input type="checkbox" className="box" checked={selected} onChange={() => onToggle(id)} aria-label={`${selectLabel ?? ''} ${name}`.trim()} />
          </label>
        </td>
      )}
      {columns.map((column, index) => (
        <td key={column.key} data-label={column.label} className={index === 0 ? 'cell-first' : undefined}>
          {cell(row, column, index === 0)}
        </td>
      ))}
      {onMenu && (
        <td className="cell-menu">
          <button type="button" className="icon-button" aria-haspopup="menu" aria-label={`${menuLabel ?? ''}: ${name}`} onClick={(event) => onMenu(event, id)}>
            <i className="pi pi-ellipsis-v" aria-hidden="true" />
          </button>
        </td>
      )}
    </tr>
  );
}

/** One row; drawn again only when the row itself, the columns or its mark change. */
export const TableRow = memo(Row) as typeof Row;
