import { type AreaName, areaOf } from '#models/areas.ts';
import { groupText } from '#src/components/group-text.ts';

/** What a row is called where it stands for itself: a group with the way down to it. Null where it has no name. */
export function rowName(area: AreaName, row: Readonly<Record<string, unknown>>): string | null {
  const name = row[areaOf(area).label];
  if (typeof name !== 'string') return null;
  const path = row['path'];
  return area === 'groups' && Array.isArray(path) ? groupText({ name, path: path.map(String) }) : name;
}
