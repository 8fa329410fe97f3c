import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { utc } from '#models/time.ts';
import type { Services } from '../context.ts';
import { alarmCalls, auditEvents, calls, deviceAlarms, deviceEvents, deviceTasks, notifications } from '../db/schema/index.ts';
import { blockOfProjects } from './store.ts';

/** So many rows go at once, with a breath in between, at least twice as long as that took: what people ask for meanwhile does not wait for all of them. */
const atOnce = 200;
const breath = 20;
const longestBreath = 500;

interface Log {
  table: PgTable & { id: PgColumn; projectId: PgColumn };
  /** When it happened. */
  at: PgColumn;
  /** What is still going on stays, however old. */
  over?: ReturnType<typeof sql>;
}
/** Every log of a project; events of doors and elevators are events of devices. */
const logs: readonly Log[] = [
  { table: deviceEvents, at: deviceEvents.occurredAt },
  { table: deviceTasks, at: deviceTasks.createdAt, over: sql`${deviceTasks.status} in ('completed', 'stopped')` },
  { table: deviceAlarms, at: deviceAlarms.enabledAt, over: sql`${deviceAlarms.state} = 'processed'` },
  { table: alarmCalls, at: alarmCalls.calledAt },
  { table: calls, at: calls.createdAt, over: sql`${calls.status} = 'destroyed'` },
  { table: auditEvents, at: auditEvents.createdAt },
  { table: notifications, at: notifications.createdAt },
];

/** Removes what a project's logs have from before a moment. @returns how many rows */
async function forgetBefore({ db }: Pick<Services, 'db'>, projectId: string, before: string): Promise<number> {
  let removed = 0;
  for (const { table, at, over = sql`true` } of logs)
    for (let last = atOnce; last === atOnce;) {
      const began = performance.now();
      const { rows } = await db.execute<{ id: string }>(sql`delete from ${table} where id in (
        select id from ${table} where ${table.projectId} = ${projectId} and ${at} < ${before}::timestamptz and ${over} order by ${at} limit ${atOnce}
      ) returning id`);
      last = rows.length;
      removed += last;
      if (last === atOnce) await pause(Math.min(longestBreath, Math.max(breath, 2 * (performance.now() - began))), undefined, { ref: false });
    }
  return removed;
}

/** Removes what is older than its project keeps its logs; pictures of events have a life of their own. @returns how many rows */
export async function forgetOldLogs({ db, now }: Pick<Services, 'db' | 'now'>): Promise<number> {
  let removed = 0;
  for (const [projectId, { logs_life: life }] of await blockOfProjects(db, 'general'))
    if (life) removed += await forgetBefore({ db }, projectId, utc(now()).subtract(life.value, life.unit).toISOString());
  return removed;
}
