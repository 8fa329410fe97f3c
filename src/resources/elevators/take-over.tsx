import { useSelector } from '@xstate/react';
import { useEffect } from 'react';
import type { FloorEntry } from '#models/device-settings.ts';
import { emptyQuery, type ListQuery } from '#models/query.ts';
import { AddChip } from '#src/components/chips.tsx';
import { useText } from '#src/components/text.ts';
import type { AnyRow } from '#src/views/area/resource.ts';
import { useReading } from '#src/views/area/use-reading.ts';
import { useOwnList } from '#src/views/view-child.ts';
import { controllersIn, type FloorLine } from './draft.ts';

const noRows: readonly AnyRow[] = [];
const queryFor = (ids: readonly string[]): ListQuery => ({
  ...emptyQuery,
  filters: { match: 'match_all', items: [{ field: 'id', rule: 'equals', value: [...ids] }] },
});

/** The floor map that a controller has in its settings. */
function mapOf(row: AnyRow): readonly FloorEntry[] {
  const { device_settings: settings } = row as AnyRow & {
    device_settings?: { lift_controller?: { settings?: { floor_map?: readonly FloorEntry[] } } };
  };
  return settings?.lift_controller?.settings?.floor_map ?? [];
}

/** Takes the floors over from the settings of a controller; groups of the elevator's own group are found by their logical address. */
export function TakeOver({ draft, onTake }: { draft: Record<string, unknown>; onTake: (floors: FloorLine[]) => void }) {
  const { t } = useText();
  const ids = controllersIn(draft['controllers']).lines.map(({ device }) => device.id);
  const wanted = ids.join();
  const list = useOwnList('devices', queryFor(ids));
  const rows = useSelector(list, (snapshot) => (snapshot?.context.rows as readonly AnyRow[] | undefined) ?? noRows);
  useEffect(() => list?.send({ type: 'query.show', query: queryFor(wanted === '' ? [] : wanted.split(',')) }), [list, wanted]);
  const group = draft['domain_id'];
  const groupId = group !== null && typeof group === 'object' ? (group as { id: string }).id : group;
  const below = useReading('floorsAndApartments', typeof groupId === 'string' ? { params: { id: groupId } } : null);
  const groupAt = (address: string): FloorLine['group'] => {
    const found = below.answer?.find(({ floor }) => floor.logic_address === address)?.floor;
    return found ? { id: found.id, name: found.name } : null;
  };
  const linesOf = (map: readonly FloorEntry[]): FloorLine[] =>
    map
      .toSorted((one, other) => one.floor - other.floor)
      .map(({ relay, logic_address }) => ({ number: relay, name: logic_address, group: groupAt(logic_address) }));
  // Before the groups below are known none could be found.
  if (typeof groupId === 'string' && !below.answer && !below.problem) return null;
  return rows
    .filter((row) => ids.includes(row.id) && mapOf(row).length > 0)
    .map((row) => (
      <AddChip key={row.id} label={t('areas.elevators.take_over', { name: String(row['name']) })} onClick={() => onTake(linesOf(mapOf(row)))} />
    ));
}
