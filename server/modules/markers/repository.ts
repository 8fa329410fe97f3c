import { sql } from 'drizzle-orm';
import { defineRepository } from '#server/crud/define-repository.ts';
import { stampsOf } from '#server/crud/json.ts';
import { markers } from '#server/db/schema/index.ts';

/** Markers in the database. A marker that is deleted comes off the users who carry it: it is a label, not a use. */
export const markersRepository = defineRepository({
  area: 'markers',
  table: markers,
  compared: {
    name: { column: markers.name },
    color: { column: markers.color },
    created_at: { column: markers.createdAt },
    updated_at: { column: markers.updatedAt },
  },
  shown: () => ({ ...stampsOf(markers), name: sql`${markers.name}`, color: sql`${markers.color}` }),
  dependants: [],
  written: { name: 'name', color: 'color' },
});
