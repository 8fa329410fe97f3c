import { type MouseEvent, type ReactNode, useCallback, useMemo } from 'react';
import { wordsOf } from '#src/components/fields/field-meta.ts';
import type { TableColumn } from '#src/components/table/table-row.tsx';
import { useText } from '#src/components/text.ts';
import { PlainCell } from './cell.tsx';
import { useColumnWidths, widthsOf } from './column-widths.ts';
import type { AnyResource, AnyRow, AreaEntry, Column } from './resource.ts';
import { editorPath } from './use-open.ts';

/** The columns to show in their order: those chosen, or the area's own; the one people know a row by stays first. */
export function chosenColumns({ columns }: Pick<AnyResource, 'columns'>, chosen: readonly string[] | undefined): Column[] {
  const [first, ...others] = columns;
  if (!first) return [];
  if (!chosen) return [first, ...others.filter(({ extra }) => !extra)];
  return [first, ...chosen.flatMap((key) => others.find((column) => column.key === key) ?? [])];
}

/** The field the server sorts a column by; none where it cannot. */
const sortOf = ({ model }: AnyResource, { key, sort }: Column): string | undefined => {
  const field = sort ?? key;
  return model.sorts.includes(field) ? field : undefined;
};

/** What the first column has of the table where the area says nothing, and what the boxes and menus of the rows take, in percent. */
const FIRST = 22;
const MARGINS = 9;

/** The widths of columns: an area's own; the others have alike what is left, but for the first, which takes what is free when others give way. */
export function sharesOf(columns: readonly Pick<Column, 'width'>[]): (string | undefined)[] {
  const own = columns.map(({ width }, at) => (width === undefined && at === 0 ? FIRST : Number.parseFloat(width ?? '')));
  const open = own.filter(Number.isNaN).length;
  const left = own.reduce((rest, share) => (Number.isNaN(share) ? rest : rest - share), 100 - MARGINS);
  const share = `${Math.max(0, left / open).toFixed(1)}%`;
  return columns.map(({ width }, at) => width ?? (at === 0 ? undefined : share));
}

/** The head of the table. */
export function useHead(resource: AnyResource, chosen: readonly string[] | undefined): TableColumn[] {
  const { t } = useText();
  const [stored] = useColumnWidths(resource.area);
  return useMemo(() => {
    const wanted = chosenColumns(resource, chosen);
    const shares = sharesOf(wanted);
    const columns = wanted.map((column, at) => ({
      key: column.key,
      label: t(`areas.${resource.area}.fields.${column.key}`),
      sort: sortOf(resource, column),
      width: shares[at],
      tall: column.tall,
      givesWay: chosen === undefined ? column.givesWay : undefined,
    }));
    const widths = stored && widthsOf(columns, stored);
    return widths ? columns.map((column) => ({ ...column, width: widths.get(column.key) })) : columns;
  }, [resource, chosen, stored, t]);
}

/** Draws a cell: the area's own where it has one, else by what the value is; the first is the way to the row. */
export function useCell(resource: AnyResource, entry: AreaEntry): (row: AnyRow, column: TableColumn, first: boolean) => ReactNode {
  return useCallback(
    (row, { key }, first) => {
      const column = resource.columns.find((known) => known.key === key);
      const View = column?.cell;
      const value = row[key];
      const isWord = wordsOf(resource.model, key).length > 0;
      const content = View ? <View value={value} row={row} /> : <PlainCell area={resource.area} field={key} value={value} isWord={isWord} />;
      if (!first) return content;
      return entry.editor === 'dialog' ? (
        <span className="cell-title">{content}</span>
      ) : (
        // The row itself opens on a click; the address is for a new tab, the keyboard and those who copy it.
        <a className="cell-title" href={editorPath(entry, 'view', row.id)} data-opens={row.id} onClick={keepHere}>
          {content}
        </a>
      );
    },
    [resource, entry],
  );
}

/** A click that asks for no new tab or window is the row's. */
const keepHere = (event: MouseEvent): void => {
  if (event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey) event.preventDefault();
};
