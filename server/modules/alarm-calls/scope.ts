import { type AreaScope, ofSeenDevices } from '#server/access/measures.ts';
import { alarmCalls } from '#server/db/schema/index.ts';

export const alarmCallsScope: AreaScope = { table: alarmCalls, measures: { seen: ofSeenDevices(alarmCalls.deviceId) } };
