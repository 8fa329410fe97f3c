import { sql } from 'drizzle-orm';
import { deviceEvents } from '#server/db/schema/index.ts';

const { data } = deviceEvents;
/** What an event says of its elevator, as it was then. */
export const elevatorId = sql`(${data} #>> '{elevator,id}')::uuid`;
export const elevatorName = sql`coalesce(${data} #>> '{elevator,name}', '')`;
export const floor = sql`${data} ->> 'floor_name'`;
export const direction = sql`case when ${data} ->> 'direction' in ('up', 'down') then ${data} ->> 'direction' end`;
export const apartment = sql`${data} ->> 'apartment'`;
export const elevatorRule = sql`${data} ->> 'elevator_rule'`;
