import { eq, sql } from 'drizzle-orm';
import { mayHappen } from '#machines/lifecycles/alarm.machine.ts';
import type { DeviceAlarm } from '#models/device-alarms.ts';
import { scopeOf, projectScope } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import type { Change } from '#server/crud/repository.ts';
import { readRow } from '#server/crud/rows.ts';
import { auditChange, auditRefused } from '#server/crud/trail.ts';
import { holdRow, transact } from '#server/crud/write.ts';
import type { Db } from '#server/db/database.ts';
import { deviceAlarms } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { settleAlarm } from '../notifications/notify.ts';
import { notifyOfAlarm } from './alarms.ts';
import { deviceAlarmsRepository } from './repository.ts';
import { placeOf } from './place.ts';

type Columns = Partial<typeof deviceAlarms.$inferInsert>;

/** Holds an alarm, lets `decide` name the columns to change (none: all stays), writes them, audits, and answers the alarm. */
async function handle(
  services: Services,
  principal: Principal,
  id: string,
  decide: (alarm: DeviceAlarm, at: Date) => Columns | null,
): Promise<DeviceAlarm> {
  const repository = deviceAlarmsRepository;
  return auditRefused(services, principal, { area: 'device-alarms', verb: 'edit', id }, () =>
    transact(services, async (tx, later) => {
      const held = await holdRow(tx, repository, principal, 'edit', id);
      const at = services.now();
      const columns = decide(held as unknown as DeviceAlarm, at);
      if (!columns) return held as unknown as DeviceAlarm;
      const whole = projectScope(principal.projectId);
      const was = await readRow(tx, repository, whole, id);
      await tx
        .update(deviceAlarms)
        .set({ ...columns, version: sql`${deviceAlarms.version} + 1`, updatedAt: at })
        .where(eq(deviceAlarms.id, id));
      const is = await readRow(tx, repository, whole, id);
      const change: Change = { services, tx, principal, at, verb: 'edit', id, before: held, fields: {}, later };
      await auditChange(change, repository, was, is);
      if (columns.state === 'processed') await notifyOfProcessing(tx, principal, is as unknown as DeviceAlarm, at);
      return ((await readRow(tx, repository, scopeOf(principal), id)) ?? is) as unknown as DeviceAlarm;
    }),
  );
}

async function notifyOfProcessing(tx: Db, principal: Principal, alarm: DeviceAlarm, at: Date): Promise<void> {
  await settleAlarm(tx, principal.projectId, { id: alarm.id, createdAt: new Date(alarm.created_at) }, at);
  const place = alarm.device && (await placeOf(tx, alarm.device.id));
  if (!place) return;
  const lines = alarm.comment ? alarm.comment.split('\n').map((line) => line.slice(0, 500)) : [];
  await notifyOfAlarm(tx, place, alarm, 'alarm_processed', at, { user: { id: principal.id, name: principal.name }, lines: lines.slice(0, 50) });
}

/**
 * Takes an alarm on. Who has it already keeps it.
 * @throws HttpError `alarm_claimed` with the name of whoever was first, `alarm_processed`.
 */
export const claimAlarm = (services: Services, principal: Principal, id: string): Promise<DeviceAlarm> =>
  handle(services, principal, id, (alarm, at) => {
    if (alarm.state === 'processed') throw new HttpError('alarm_processed');
    if (alarm.claimed_by?.id === principal.id) return null;
    if (!mayHappen(alarm, { type: 'alarm.claim' })) throw new HttpError('alarm_claimed', { name: alarm.claimed_by?.name ?? '' });
    return { claimedBy: principal.id, claimedByName: principal.name, claimedAt: at };
  });

/** Says that an alarm was seen to, and how. What nobody had taken on was taken on by whoever says so. @throws HttpError `alarm_processed` */
export const processAlarm = (services: Services, principal: Principal, id: string, comment: string | null): Promise<DeviceAlarm> =>
  handle(services, principal, id, (alarm, at) => {
    if (!mayHappen(alarm, { type: 'alarm.process', by: principal.id })) throw new HttpError('alarm_processed');
    return {
      state: 'processed',
      processedBy: principal.id,
      processedByName: principal.name,
      processedAt: at,
      comment,
      ...(!alarm.claimed_by && { claimedBy: principal.id, claimedByName: principal.name, claimedAt: at }),
    };
  });
