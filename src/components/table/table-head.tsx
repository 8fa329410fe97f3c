import type { TableColumn } from './table-row.tsx';

interface TableHeadProps {
  columns: readonly TableColumn[];
  sort: readonly string[];
  onSort: ((field: string) => void) | undefined;
  /** How much of the page is marked; none where rows cannot be marked. */
  marked: 'none' | 'some' | 'all' | undefined;
  onMarkPage: (() => void) | undefined;
  markLabel: string | undefined;
  hasMenu: boolean;
  menuLabel: string | undefined;
}

const orderOf = (field: string | undefined, sort: readonly string[]): 'ascending' | 'descending' | 'none' => {
  if (field && sort[0] === field) return 'ascending';
  return field && sort[0] === `-${field}` ? 'descending' : 'none';
};

function HeadCell({ column, sort, onSort }: { column: TableColumn } & Pick<TableHeadProps, 'sort' | 'onSort'>) {
  const order = orderOf(column.sort, sort);
  const field = column.sort;
  return (
    <th
      scope="col"
      data-column={column.key}
      data-gives-way={column.givesWay}
      aria-sort={field ? order : undefined}
      style={column.width ? { width: column.width } : undefined}
    >
      {field && onSort ? (
        <button type="button" className="head-sort" onClick={() => onSort(order === 'ascending' ? `-${field}` : field)}>
          {column.label}
          <i className={`pi ${order === 'descending' ? 'pi-arrow-down' : 'pi-arrow-up'}`} data-on={order !== 'none'} aria-hidden="true" />
        </button>
      ) : (
        column.label
      )}
    </th>
  );
}

/** The head of the table: what each column is, how the rows are sorted, and the mark of the whole page. */
export function TableHead({ columns, sort, onSort, marked, onMarkPage, markLabel, hasMenu, menuLabel }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {marked && (
          <th scope="col" className="cell-box">
            <label className="box-area">
              <input
                type="checkbox"
                className="check"
                checked={marked === 'all'}
                ref={(box) => {
                  if (box) box.indeterminate = marked === 'some';
                }}
                onChange={onMarkPage}
                aria-label={markLabel}
              />
            </label>
          </th>
        )}
        {columns.map((column) => (
          <HeadCell key={column.key} column={column} sort={sort} onSort={onSort} />
        ))}
        {hasMenu && (
          <th scope="col" className="cell-menu">
            <span className="unseen">{menuLabel}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
