import { type AreaName, areaOf } from '#models/areas.ts';
import { asText } from '#src/components/as-text.ts';
import { wordsOf } from '#src/components/fields/field-meta.ts';
import { groupText } from '#src/components/group-text.ts';
import type { Text } from '#src/components/text.ts';
import type { AnyResource, AnyRow } from './resource.ts';

/** What a row is called where it stands for itself: a group with the way down to it. Null where it has no name. */
export function rowName(area: AreaName, row: Readonly<Record<string, unknown>>): string | null {
  const name = row[areaOf(area).label];
  if (typeof name !== 'string') return null;
  const path = row['path'];
  return area === 'groups' && Array.isArray(path) ? groupText({ name, path: path.map(String) }) : name;
}

/** What a row is called in its title and to who hears its list read: a word of a closed set as the area says it. */
export function spokenName({ t }: Pick<Text, 't'>, { area, model }: Pick<AnyResource, 'area' | 'model'>, row: AnyRow): string {
  const name = asText(row[model.label]);
  return wordsOf(model, model.label).length > 0 ? t(`areas.${area}.options.${model.label}.${name}`) : name;
}
