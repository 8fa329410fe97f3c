import { mayHappenToTask } from '#machines/lifecycles/device-task.machine.ts';
import type { DeviceTaskStatus } from '#models/device-tasks.ts';

/** Whether a task that stands so may be stopped or tried again: what its life refuses is not offered. */
export const mayMoveTask = (status: DeviceTaskStatus, move: 'task.stop' | 'task.retry'): boolean => mayHappenToTask(status, move);
