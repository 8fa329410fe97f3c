import { inArray } from 'drizzle-orm';
import { accessEventTypes } from '#models/access-control-events.ts';
import { type AreaScope, ofSeenDevices } from '#server/access/measures.ts';
import { deviceEvents } from '#server/db/schema/index.ts';

export const accessControlEventsScope: AreaScope = {
  table: deviceEvents,
  belonging: inArray(deviceEvents.type, [...accessEventTypes]),
  measures: { seen: ofSeenDevices(deviceEvents.deviceId) },
};
