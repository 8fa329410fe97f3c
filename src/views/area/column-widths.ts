import { useSyncExternalStore } from 'react';
import type { GivesWay } from '#src/components/table/table-row.tsx';
import { useProfile } from '../profile-of.ts';
import { useServices } from '../system.ts';

/** How wide somebody has made the columns of a list, in percent of the table. */
export type ColumnWidths = Readonly<Record<string, number>>;

/**
 * The widths of these columns: together as much as those that were measured, whichever of them are shown now; one that was not there
 * then gets what they have on average, and one that gives way in narrow tables takes part only once it was measured. The last shown takes what is left.
 */
export function widthsOf(columns: readonly { key: string; givesWay?: GivesWay | undefined }[], stored: ColumnWidths): ReadonlyMap<string, string> {
  const values = Object.values(stored).filter((value) => value > 0);
  const total = values.reduce((sum, value) => sum + value, 0);
  const parts = columns.flatMap(({ key, givesWay }) => {
    const own = stored[key];
    if (own === undefined && givesWay === 'desk') return [];
    return [{ key, part: own !== undefined && own > 0 ? own : total / Math.max(1, values.length) }];
  });
  const shown = parts.reduce((sum, { part }) => sum + part, 0);
  return new Map(parts.slice(0, -1).map(({ key, part }) => [key, `${((part * total) / shown).toFixed(3)}%`]));
}

/** The widths somebody has given the columns of this list on this device, and how they are kept; none are the area's own. */
export function useColumnWidths(area: string): [widths: ColumnWidths | undefined, keep: (widths: ColumnWidths | undefined) => void] {
  const { columnWidths } = useServices();
  const person = useProfile().id;
  const key = `${person}/${area}`;
  const all = useSyncExternalStore(columnWidths.follow, columnWidths.get);
  const store = (widths: ColumnWidths | undefined): void => {
    const { [key]: _, ...others } = columnWidths.get();
    columnWidths.set(widths ? { ...others, [key]: widths } : others);
  };
  return [all[key], store];
}
