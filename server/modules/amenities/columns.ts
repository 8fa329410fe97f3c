import { sql } from 'drizzle-orm';
import { amenities } from '#server/db/schema/index.ts';

/** By whose clock an amenity is open: of its highest group, or the nearest above that names a zone; else of the project. */
export const zoneNameOf = sql<string | null>`coalesce(
  (select up.time_zone_name from amenity_groups link join groups own on own.id = link.group_id join groups up on up.id = any(own.path)
    where link.amenity_id = ${amenities.id} and up.time_zone_name is not null order by cardinality(own.path), own.id, cardinality(up.path) desc limit 1),
  (select value ->> 'time_zone_name' from project_settings where project_id = ${amenities.projectId} and block = 'general'))`;
