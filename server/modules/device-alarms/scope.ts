import { type AreaScope, everything, ofSeenDevices } from '#server/access/measures.ts';
import { deviceAlarms } from '#server/db/schema/index.ts';

export const deviceAlarmsScope: AreaScope = { table: deviceAlarms, measures: { all: () => everything, seen: ofSeenDevices(deviceAlarms.deviceId) } };
