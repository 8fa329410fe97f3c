import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import type { TableColumn } from '#src/components/table/table-row.tsx';
import { useText } from '#src/components/text.ts';
import { type ColumnWidths, useColumnWidths } from './column-widths.ts';
import './column-handles.css';

/** No column becomes narrower, in pixels. */
const LEAST = 64;
/** What one press of an arrow key moves, in pixels. */
const STEP = 16;

/** A column as it lies on the screen, in pixels from the start of the table. */
interface Measured {
  key: string;
  head: HTMLElement;
  end: number;
  width: number;
}

/** The shown columns of the table; none where its rows are cards. */
function measure(frame: Element | null | undefined): Measured[] {
  const table = frame?.querySelector('table');
  if (!table) return [];
  const start = table.getBoundingClientRect().left;
  return [...table.querySelectorAll<HTMLElement>('th[data-column]')].flatMap((head) => {
    const { width, right } = head.getBoundingClientRect();
    return width > 1 ? [{ key: head.dataset['column'] ?? '', head, end: right - start, width }] : [];
  });
}

/** Moves the line between a column and the next; the others stay as they are, so that the table is as wide as before. */
function moved(columns: readonly Measured[], at: number, by: number): readonly number[] {
  const [one, next] = [columns[at]?.width ?? 0, columns[at + 1]?.width ?? 0];
  const step = Math.max(LEAST - one, Math.min(by, next - LEAST));
  return columns.map(({ width }, place) => {
    if (place === at) return width + step;
    return place === at + 1 ? width - step : width;
  });
}

/** Shows the widths at once, without drawing the rows again; the last column takes what is left. */
function show(columns: readonly Measured[], widths: readonly number[]): ColumnWidths {
  const table = columns[0]?.head.closest('table')?.getBoundingClientRect().width ?? 1;
  const shares = widths.map((width) => Math.round((width / table) * 100_000) / 1_000);
  columns.forEach(({ head }, at) => (head.style.width = at < columns.length - 1 ? `${(shares[at] ?? 0).toFixed(3)}%` : ''));
  return Object.fromEntries(columns.map(({ key }, at) => [key, shares[at] ?? 0]));
}

interface ColumnHandlesProps {
  area: string;
  columns: readonly TableColumn[];
}

/** Where the columns end, measured anew whenever the table is another one or as wide as it was not. */
function useMeasured(columns: readonly TableColumn[]) {
  const bar = useRef<HTMLDivElement>(null);
  const [lines, setLines] = useState<readonly Measured[]>([]);
  const read = (): Measured[] => measure(bar.current?.parentElement);
  useLayoutEffect(() => {
    const table = bar.current?.parentElement?.querySelector('table');
    if (!table) return;
    const observer = new ResizeObserver(() => setLines(read()));
    observer.observe(table);
    setLines(read());
    return () => observer.disconnect();
  }, [columns]);
  return { bar, lines, read, renew: () => setLines(read()) };
}

/** The lines between the heads of a table, which can be dragged, and moved by the arrow keys; one of them is on the way of the Tab key. */
export default function ColumnHandles({ area, columns }: ColumnHandlesProps) {
  const { t } = useText();
  const [, store] = useColumnWidths(area);
  const { bar, lines, read, renew } = useMeasured(columns);
  const [reached, reach] = useState(0);
  const [dragged, setDragged] = useState<{ at: number; from: number; columns: readonly Measured[] }>();
  // What a drag has set is not React's to take away.
  const asDrawn = (): void => {
    for (const { head, key } of read()) head.style.width = columns.find((column) => column.key === key)?.width ?? '';
    renew();
  };
  const set = (widths: ColumnWidths | undefined): void => {
    store(widths);
    if (widths) renew();
    else asDrawn();
  };
  const begin = (at: number) => (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus();
    setDragged({ at, from: event.clientX, columns: read() });
  };
  const drag = (event: PointerEvent): void => {
    if (!dragged) return;
    show(dragged.columns, moved(dragged.columns, dragged.at, event.clientX - dragged.from));
    renew();
  };
  const end = (event: PointerEvent): void => {
    if (!dragged) return;
    setDragged(undefined);
    if (event.clientX === dragged.from) return;
    set(show(dragged.columns, moved(dragged.columns, dragged.at, event.clientX - dragged.from)));
  };
  const giveUp = (): void => {
    if (!dragged) return;
    setDragged(undefined);
    asDrawn();
  };
  const steps: Readonly<Record<string, number>> = { ArrowLeft: -STEP, ArrowRight: STEP, Home: -Infinity, End: Infinity };
  const focus = (at: number): void => {
    if (at < 0 || at > lines.length - 2) return;
    reach(at);
    bar.current?.querySelectorAll<HTMLElement>('[role=separator]')[at]?.focus();
  };
  const press = (at: number) => (event: KeyboardEvent) => {
    const { key } = event;
    const step = steps[key];
    const acts: Readonly<Record<string, () => void>> = {
      ArrowUp: () => focus(at - 1),
      ArrowDown: () => focus(at + 1),
      Enter: () => set(undefined),
      Delete: () => set(undefined),
      Escape: giveUp,
    };
    if (step !== undefined) set(show(read(), moved(read(), at, step)));
    else if (acts[key]) acts[key]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const present = Math.min(reached, lines.length - 2);
  return (
    <div ref={bar} className="column-handles" data-dragged={dragged !== undefined || undefined}>
      {lines.slice(0, -1).map(({ key, end: left, width }, at) => (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex -- a separator that can be moved is a control (ARIA 1.2)
        <div
          key={key}
          role="separator"
          className="column-handle"
          style={{ left }}
          tabIndex={at === present ? 0 : -1}
          aria-orientation="vertical"
          aria-label={t('list.column_width', { name: columns.find((column) => column.key === key)?.label ?? '' })}
          aria-valuenow={Math.round(width)}
          aria-valuemin={LEAST}
          aria-valuemax={Math.max(LEAST, Math.round(width + (lines[at + 1]?.width ?? LEAST) - LEAST))}
          title={t('list.column_width_hint')}
          data-on={dragged?.at === at || undefined}
          onFocus={() => reach(at)}
          onPointerDown={begin(at)}
          onPointerMove={drag}
          onPointerUp={end}
          onPointerCancel={giveUp}
          onDoubleClick={() => set(undefined)}
          onKeyDown={press(at)}
        />
      ))}
    </div>
  );
}
