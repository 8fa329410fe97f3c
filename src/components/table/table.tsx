import type { CSSProperties, MouseEvent, ReactNode } from 'react';
import { TableHead } from './table-head.tsx';
import { type TableColumn, TableRow } from './table-row.tsx';
import './table.css';

interface TableProps<Row> {
  /** What the table holds, for people who do not see it. */
  caption: string;
  columns: readonly TableColumn[];
  /** None while the first page is on its way. */
  rows: readonly Row[] | undefined;
  /** How many rows to keep room for while there are none. */
  expected: number;
  idOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  /** A stable function: a new one draws every row again. */
  cell: (row: Row, column: TableColumn, first: boolean) => ReactNode;
  sort: readonly string[];
  onSort?: ((field: string) => void) | undefined;
  selected: ReadonlySet<string>;
  allSelected: boolean;
  onToggle?: ((id: string) => void) | undefined;
  onMarkPage?: (() => void) | undefined;
  onOpen?: ((id: string) => void) | undefined;
  onMenu?: ((event: MouseEvent<HTMLElement>, id: string) => void) | undefined;
  words: { select: string; selectPage: string; menu: string };
  /** Rows that others have changed a moment ago: marked quietly. */
  changed?: ReadonlySet<string> | undefined;
  /** What lies over the head. */
  over?: ReactNode;
  /** A further page is on its way while the old rows stay. */
  busy: boolean;
}

const markedOf = <Row,>({ rows = [], idOf, selected, allSelected }: TableProps<Row>): 'none' | 'some' | 'all' => {
  if (allSelected) return 'all';
  const marks = rows.filter((row) => selected.has(idOf(row))).length;
  if (marks === 0) return 'none';
  return marks === rows.length ? 'all' : 'some';
};

/** The columns share the width there is, but never fall below one in which words can be read. */
const room = (columns: readonly TableColumn[]): CSSProperties =>
  ({
    '--columns': columns.length,
    '--gone-at-desk': columns.filter(({ givesWay }) => givesWay === 'desk').length,
    '--gone-at-tablet': columns.filter(({ givesWay }) => givesWay).length,
  }) as CSSProperties;

const boneClass = (cell: number, boxed: boolean): string | undefined => {
  if (boxed && cell === 0) return 'cell-box';
  return cell === (boxed ? 1 : 0) ? 'cell-first' : undefined;
};

function Skeleton({ rows, columns, boxed, menu }: { rows: number; columns: readonly TableColumn[]; boxed: boolean; menu: boolean }) {
  const cells = columns.length + (boxed ? 1 : 0) + (menu ? 1 : 0);
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row} className="row-skeleton" data-tall={columns[0]?.tall ?? false} aria-hidden="true">
      {Array.from({ length: cells }, (__, cell) => (
        <td key={cell} data-gives-way={columns[cell - (boxed ? 1 : 0)]?.givesWay} className={boneClass(cell, boxed)}>
          <span className="bone" data-width={(row * 7 + cell * 3) % 4} />
        </td>
      ))}
    </tr>
  ));
}

/** The table of a list: real table markup, rows drawn once, the same height before and after they arrive. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, expected, idOf, nameOf, cell, sort, onSort, selected, allSelected, words, busy } = props;
  const { onToggle, onMarkPage, onOpen, onMenu } = props;
  return (
    <div className="table-frame" data-busy={busy}>
      {props.over}
      <table className="table" style={room(columns)} aria-busy={busy || !rows}>
        <caption className="unseen">{caption}</caption>
        <TableHead
          columns={columns}
          sort={sort}
          onSort={onSort}
          marked={onToggle && markedOf(props)}
          onMarkPage={onMarkPage}
          markLabel={words.selectPage}
          hasMenu={onMenu !== undefined}
          menuLabel={words.menu}
        />
        <tbody>
          {rows ? (
            rows.map((row, place) => (
              // Rows hold nothing of their own, so a row's place may show another row: changing text costs less than making a row anew.
              // oxlint-disable-next-line react/no-array-index-key -- the place is the key, see above
              <TableRow
                key={place}
                row={row}
                id={idOf(row)}
                name={nameOf(row)}
                columns={columns}
                cell={cell}
                selected={allSelected || selected.has(idOf(row))}
                changed={props.changed?.has(idOf(row)) ?? false}
                selectLabel={words.select}
                menuLabel={words.menu}
                onToggle={onToggle}
                onOpen={onOpen}
                onMenu={onMenu}
              />
            ))
          ) : (
            <Skeleton rows={expected} columns={columns} boxed={onToggle !== undefined} menu={onMenu !== undefined} />
          )}
        </tbody>
      </table>
    </div>
  );
}
