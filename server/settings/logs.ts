import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { utc } from '#models/time.ts';
import type { Services } from '../context.ts';
import { deviceEvents } from '../db/schema/index.ts';
import { blockOfProjects } from './store.ts';

/** So many rows go at once, with a breath in between: what people ask for meanwhile does not wait for all of them. */
const atOnce = 2_000;
const breath = 20;

/** Removes events of devices that are older than their project keeps them; pictures of events have a life of their own. @returns how many */
export async function forgetOldLogs({ db, now }: Pick<Services, 'db' | 'now'>): Promise<number> {
  let removed = 0;
  for (const [projectId, { logs_life: life }] of await blockOfProjects(db, 'general')) {
    if (!life) continue;
    const before = utc(now()).subtract(life.value, life.unit).toISOString();
    for (let last = atOnce; last === atOnce;) {
      const { rows } = await db.execute<{ id: string }>(sql`delete from ${deviceEvents} where id in (
        select id from ${deviceEvents} where project_id = ${projectId} and occurred_at < ${before}::timestamptz order by occurred_at limit ${atOnce}
      ) returning id`);
      last = rows.length;
      removed += last;
      if (last === atOnce) await pause(breath, undefined, { ref: false });
    }
  }
  return removed;
}
