import { lt, sql } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { notifications } from '#server/db/schema/index.ts';
import { utc } from '#models/time.ts';

const retentionDays = 90;
const mostEach = 1_000;

/** Forgets notifications older than 90 days, and of each person all but the newest thousand. */
export async function forgetOldNotifications(db: Db, at: Date): Promise<void> {
  await db.delete(notifications).where(lt(notifications.createdAt, utc(at).subtract(retentionDays, 'day').toDate()));
  await db.execute(sql`delete from ${notifications} where ${notifications.id} in (
    select id from (select id, row_number() over (partition by user_id order by created_at desc, id desc) as place from ${notifications}) ranked
    where place > ${mostEach})`);
}
