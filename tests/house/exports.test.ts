import { beforeAll, describe, expect, it } from 'vitest';
import { modelOf } from '#models/index.ts';
import { locales } from '#models/constants.ts';
import { chosenColumns, possibleColumns } from '#server/crud/export-columns.ts';
import { loadAreaTexts, wordsOf } from '#server/texts.ts';
import { resources } from '#src/resources/index.ts';
import type { AnyResource } from '#src/views/area/resource.ts';

describe.each(resources)('the list of $area', ({ area, load }) => {
  let resource: AnyResource;
  beforeAll(async () => {
    ({ default: resource } = await load());
  });

  it('can be exported with every column that it can show', () => {
    const refused = resource.columns.filter(({ key, shows = [] }) => {
      try {
        return chosenColumns(modelOf(area), [key, ...shows]).length === 0;
      } catch {
        return true;
      }
    });
    expect(refused.map(({ key }) => key)).toEqual([]);
  });

  it('has a heading in each language for all that can be in a file', async () => {
    await loadAreaTexts(area);
    const parts = (column: string) => [column, ...(column.includes('.') ? [column.split('.')[0] ?? ''] : [])];
    const keys = new Set([...possibleColumns(modelOf(area)), ...resource.columns.map(({ key }) => key)].flatMap(parts));
    const nameless = [...keys].filter((key) => locales.some((locale) => wordsOf(locale, `areas.${area}.fields.${key}`) === null));
    expect(nameless).toEqual([]);
  });
});
