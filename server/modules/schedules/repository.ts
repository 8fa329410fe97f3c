import { sql } from 'drizzle-orm';
import { defineRepository } from '#server/crud/define-repository.ts';
import { jsonObject, stampsOf } from '#server/crud/json.ts';
import { accessRules, accessRuleSchedules, schedules } from '#server/db/schema/index.ts';

const { name, description, fromSeconds, toSeconds, validFrom, validTo, isAllDay, repeatMode, holidayMode, holidayFrom, holidayTo } = schedules;
const { mon, tue, wed, thu, fri, sat, sun, createdAt, updatedAt, createdBy } = schedules;

/** Schedules in the database. One that access rules follow is not deleted: they would hold always. */
export const schedulesRepository = defineRepository({
  area: 'schedules',
  table: schedules,
  compared: {
    name: { column: name },
    description: { column: description },
    repeat_mode: { column: repeatMode },
    is_all_day: { column: isAllDay },
    holiday_mode: { column: holidayMode },
    created_at: { column: createdAt },
    updated_at: { column: updatedAt },
  },
  shown: () => ({
    ...stampsOf(schedules),
    name: sql`${name}`,
    description: sql`${description}`,
    days: jsonObject({ mon, tue, wed, thu, fri, sat, sun }),
    from: sql`${fromSeconds}`,
    to: sql`${toSeconds}`,
    is_all_day: sql`${isAllDay}`,
    repeat_mode: sql`${repeatMode}`,
    valid_from: sql`${validFrom}::text`,
    valid_to: sql`${validTo}::text`,
    holiday_mode: sql`${holidayMode}`,
    holiday_from: sql`${holidayFrom}`,
    holiday_to: sql`${holidayTo}`,
    rules_count: sql`(select count(*)::int from ${accessRuleSchedules} where ${accessRuleSchedules.scheduleId} = ${schedules.id})`,
    created_by: sql`${createdBy}`,
  }),
  dependants: [
    {
      area: 'access-rules',
      where: (id) =>
        sql`${accessRules.id} in (select ${accessRuleSchedules.ruleId} from ${accessRuleSchedules} where ${accessRuleSchedules.scheduleId} = ${id})`,
    },
  ],
  written: {
    name: 'name',
    description: 'description',
    days: { parts: { mon: 'mon', tue: 'tue', wed: 'wed', thu: 'thu', fri: 'fri', sat: 'sat', sun: 'sun' } },
    from: 'fromSeconds',
    to: 'toSeconds',
    is_all_day: 'isAllDay',
    repeat_mode: 'repeatMode',
    valid_from: 'validFrom',
    valid_to: 'validTo',
    holiday_mode: 'holidayMode',
    holiday_from: 'holidayFrom',
    holiday_to: 'holidayTo',
  },
});
