import type { Filters } from '#models/query.ts';
import { useProfile } from '#src/views/profile-of.ts';
import { maySee, useEntry } from './areas.tsx';

/** The address of the audit log filtered to one row: permanent, to be passed on. */
export const historyPath = (log: string, area: string, id: string): string => {
  const filters: Filters = {
    match: 'match_all',
    items: [
      { field: 'area', rule: 'equals', value: area },
      { field: 'entity_id', rule: 'equals', value: id },
    ],
  };
  return `${log}?${new URLSearchParams({ filters: JSON.stringify(filters) }).toString()}`;
};

/** Where one reads what happened to a row; none for those who may not read the log, and for the log itself. */
export function useHistoryPath(area: string, id: string | null): string | undefined {
  const log = useEntry('audit-events');
  const profile = useProfile();
  if (!log || !id || area === log.area || !maySee(profile, log.area)) return undefined;
  return historyPath(log.path, area, id);
}
