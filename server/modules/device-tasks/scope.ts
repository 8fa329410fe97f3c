import { type AreaScope, ofSeenDevices } from '#server/access/measures.ts';
import { deviceTasks } from '#server/db/schema/index.ts';

export const deviceTasksScope: AreaScope = { table: deviceTasks, measures: { seen: ofSeenDevices(deviceTasks.deviceId) } };
