import { and, inArray, sql } from 'drizzle-orm';
import { elevatorEventTypes } from '#models/elevator-events.ts';
import { type AreaScope, everything } from '#server/access/measures.ts';
import { deviceEvents } from '#server/db/schema/index.ts';
import { elevatorId } from './columns.ts';

export const elevatorEventsScope: AreaScope = {
  table: deviceEvents,
  belonging: and(inArray(deviceEvents.type, [...elevatorEventTypes]), sql`jsonb_exists(${deviceEvents.data}, 'elevator')`) ?? sql`false`,
  measures: {
    // Those of elevators that may be viewed; those of elevators that are gone are for who views all.
    seen: (_principal, seen) => (seen.all('elevators') ? everything : sql`${elevatorId} in ${seen.ids('elevators')}`),
  },
};
