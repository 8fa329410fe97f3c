import type { z } from 'zod';
import { describe } from '#models/define-model.ts';
import { type AreaName, areaNames } from '#models/areas.ts';
import { modelOf } from '#models/registry.ts';
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

/** What lists speak besides their own words and those of the areas they name. `tests/house/area-texts.test.ts` compares it with what they draw. */
const spokenBesides: Partial<Record<AreaName, readonly Words[]>> = {
  'access-control-events': ['areas/device-events'],
  // The trail speaks of all areas.
  // Opening hours are said as those of schedules are.
  amenities: ['areas/schedules', 'areas/amenity-reservations'],
  'audit-events': [...areaNames, 'licenses', 'project-settings', 'backups', 'system'].map((other): Words => `areas/${other}`),
  'call-history': ['areas/device-events'],
  // Its page tells what happened there last.
  devices: ['areas/elevators', 'areas/device-events'],
  // Why a task failed is said as devices say it.
  'device-tasks': ['areas/devices'],
  'elevator-events': ['areas/device-events'],
  'guest-identifiers': ['areas/identifiers'],
  // Two roles are compared with how many people have each.
  roles: ['permissions', 'areas/users'],
  ukey2: ['areas/identifiers'],
};

/** The files of words that an area's list speaks from the start: its own, and those of the areas it names. Its form needs `validation` besides. */
export const areaTexts = (area: AreaName): Words[] => [
  'list',
  `areas/${area}`,
  ...(spokenBesides[area] ?? []),
  ...areasIn(modelOf(area).fields).map((other): Words => `areas/${other}`),
];
