import { type AreaScope, ofSeenDevices } from '#server/access/measures.ts';
import { deviceEvents } from '#server/db/schema/index.ts';

export const deviceEventsScope: AreaScope = { table: deviceEvents, measures: { seen: ofSeenDevices(deviceEvents.deviceId) } };
