import type { z } from 'zod';
import { describe } from '#models/define-model.ts';
import { type AreaName, areaNames, modelOf } from '#models/index.ts';
import type { Words } from './i18n.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The areas whose rows a record's fields name, however deep. */
function areasIn(fields: Fields): string[] {
  return Object.values(fields).flatMap((field) => {
    const { ref, inner } = describe(field as z.ZodType);
    if (ref) return [ref];
    const { shape, element } = inner as { shape?: Fields; element?: unknown };
    return [...(shape ? areasIn(shape) : []), ...(element ? areasIn({ element }) : [])];
  });
}

/** The files of words that an area's list speaks from the start: its own, and those of the areas it names. Its form needs `validation` besides. */
export const areaWords = (area: AreaName): Words[] => [
  'list',
  `areas/${area}`,
  ...(area === 'roles' ? (['permissions'] as const) : []),
  // The trail speaks of all areas.
  ...(area === 'audit-events' ? [...areaNames, 'licenses'].map((other): Words => `areas/${other}`) : []),
  ...areasIn(modelOf(area).fields).map((other): Words => `areas/${other}`),
];
