import { and, eq, ne, sql } from 'drizzle-orm';
import { mayHappen } from '#machines/lifecycles/alarm.machine.ts';
import type { AlarmSensor } from '#models/device-alarms.ts';
import type { NotificationData, NotificationType } from '#models/notifications.ts';
import { topics } from '#models/realtime.ts';
import type { Services } from '#server/context.ts';
import { transact } from '#server/crud/write.ts';
import type { Db } from '#server/db/database.ts';
import { alarmCalls, deviceAlarms } from '#server/db/schema/index.ts';
import { pathOfGroups, queueWebhook } from '#server/integrations/queue.ts';
import { publish } from '#server/realtime/publish.ts';
import { notify } from '../notifications/notify.ts';
import { type Place, placeOf, watchersOf } from './place.ts';

/** What a device says of one of its sensors. */
export interface SensorWord {
  deviceId: string;
  sensor: AlarmSensor;
  at: Date;
}
type Row = typeof deviceAlarms.$inferSelect;

const standing = ({ state, claimedBy, processedBy }: Row) => ({
  state,
  claimed_by: claimedBy === null ? null : { id: claimedBy, name: '' },
  processed_by: processedBy === null ? null : { id: processedBy, name: '' },
});

/** The alarm of a sensor that nobody has processed yet, held for a change. */
async function openAlarm(tx: Db, { deviceId, sensor }: SensorWord): Promise<Row | undefined> {
  const [alarm] = await tx
    .select()
    .from(deviceAlarms)
    .where(and(eq(deviceAlarms.deviceId, deviceId), eq(deviceAlarms.sensor, sensor), ne(deviceAlarms.state, 'processed')))
    .for('update');
  return alarm;
}

/** Tells everybody who may see the alarm: their lists and banners, and themselves. */
export async function notifyOfAlarm(
  tx: Db,
  place: Place,
  alarm: Pick<Row, 'id' | 'sensor'>,
  type: NotificationType,
  at: Date,
  more: NotificationData = {},
): Promise<void> {
  const { projectId, deviceId, deviceName, group } = place;
  const data = { device: { id: deviceId, name: deviceName }, group, alarm: { id: alarm.id, sensor: alarm.sensor }, ...more };
  await queueWebhook(tx, { projectId, path: pathOfGroups([place.domainId]), kind: 'alarms', event: type, at, data });
  await notify(tx, { projectId, type, data, at }, await watchersOf(tx, place, 'can_view_device_alarms'));
}

const rowsChanged = (tx: Db, { projectId }: Place, area: 'device-alarms' | 'alarm-calls', id: string) =>
  publish(tx, projectId, topics.area(area), 'RowsChanged', { area, ids: [id] });

/** A sensor has tripped: a new alarm, or the one that nobody has processed yet goes on. A device that is gone raises none. */
export async function raiseAlarm(services: Services, word: SensorWord): Promise<void> {
  await transact(services, async (tx) => {
    const place = await placeOf(tx, word.deviceId);
    if (!place) return;
    const open = await openAlarm(tx, word);
    if (open) return change(tx, place, open, { type: 'sensor.tripped' }, { state: 'enabled' }, services.now());
    const { projectId, deviceId, deviceName, domainId } = place;
    const at = services.now();
    const [made] = await tx
      .insert(deviceAlarms)
      .values({ projectId, deviceId, deviceName, domainId, sensor: word.sensor, state: 'enabled', enabledAt: word.at, createdAt: at, updatedAt: at })
      .onConflictDoNothing()
      .returning();
    if (!made) return;
    await rowsChanged(tx, place, 'device-alarms', made.id);
    await notifyOfAlarm(tx, place, made, 'alarm_enabled', at);
  });
}

/** A sensor has cleared. The alarm stays until somebody has processed it. */
export async function clearAlarm(services: Services, word: SensorWord): Promise<void> {
  await transact(services, async (tx) => {
    const place = await placeOf(tx, word.deviceId);
    const open = place && (await openAlarm(tx, word));
    if (!place || !open) return;
    const cleared = await change(tx, place, open, { type: 'sensor.cleared' }, { state: 'disabled', disabledAt: word.at }, services.now());
    // A contact that flutters is told of once.
    if (cleared && open.disabledAt === null) await notifyOfAlarm(tx, place, open, 'alarm_disabled', services.now());
  });
}

/** Moves an alarm on if its life allows that; answers whether it did. */
async function change(
  tx: Db,
  place: Place,
  alarm: Row,
  event: { type: 'sensor.tripped' } | { type: 'sensor.cleared' },
  columns: Partial<Row>,
  at: Date,
): Promise<boolean> {
  if (!mayHappen(standing(alarm), event)) return false;
  await tx
    .update(deviceAlarms)
    .set({ ...columns, version: sql`${deviceAlarms.version} + 1`, updatedAt: at })
    .where(eq(deviceAlarms.id, alarm.id));
  await rowsChanged(tx, place, 'device-alarms', alarm.id);
  return true;
}

/** Somebody pressed the SOS button of a device. */
export async function recordSos(services: Services, { deviceId, at }: { deviceId: string; at: Date }): Promise<void> {
  await transact(services, async (tx) => {
    const place = await placeOf(tx, deviceId);
    if (!place) return;
    const { projectId, deviceName, domainId } = place;
    const [call] = await tx
      .insert(alarmCalls)
      .values({ projectId, deviceId, deviceName, domainId, calledAt: at, createdAt: services.now() })
      .returning({ id: alarmCalls.id });
    if (call) await rowsChanged(tx, place, 'alarm-calls', call.id);
  });
}
