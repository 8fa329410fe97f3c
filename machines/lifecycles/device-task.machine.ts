// Keeps in order: the life of one task of a device, from being asked for until the device has done it or it was given up.
// Spawned by: nobody; the server refuses what it refuses, views offer what it offers.
// Asks (ports): nothing.
// Tells (facts): nothing.
import { setup } from 'xstate';
import type { DeviceTaskStatus } from '#models/device-tasks.ts';

type DeviceTaskEvent =
  /** The queue takes it in: the device is there, or it is not. */
  | { type: 'task.queue' }
  | { type: 'task.wait' }
  /** It goes out to the device. */
  | { type: 'task.start' }
  /** The device has done it, or says that it cannot. */
  | { type: 'device.done' }
  | { type: 'device.failed' }
  /** Nothing is known of the outcome: the device was silent, or the server ended meanwhile. */
  | { type: 'task.interrupted' }
  | { type: 'device.online' }
  | { type: 'task.stop' }
  | { type: 'task.retry' };

/** The life of one task. `waiting`: the device is offline. A task that failed may be queued again; one that was stopped or done is over. */
export const deviceTaskMachine = setup({ types: { events: {} as DeviceTaskEvent } }).createMachine({
  id: 'deviceTask',
  initial: 'new',
  states: {
    new: { on: { 'task.queue': 'queued', 'task.wait': 'waiting', 'task.stop': 'stopped' } },
    queued: { on: { 'task.start': 'started', 'task.wait': 'waiting', 'task.stop': 'stopped' } },
    started: {
      on: { 'device.done': 'completed', 'device.failed': 'error', 'task.interrupted': 'queued', 'task.wait': 'waiting', 'task.stop': 'stopped' },
    },
    waiting: { on: { 'device.online': 'queued', 'task.stop': 'stopped' } },
    error: { on: { 'task.retry': 'queued' } },
    completed: {},
    stopped: {},
  },
});

const at = (status: DeviceTaskStatus) => deviceTaskMachine.resolveState({ value: status });

/** May this happen to a task as it stands? */
export const mayHappenToTask = (status: DeviceTaskStatus, event: DeviceTaskEvent['type']): boolean => at(status).can({ type: event });

/** The statuses from which an event leads somewhere, and where: what an update of the database asks for. */
export function movesOf(event: DeviceTaskEvent['type']): { from: DeviceTaskStatus[]; to: DeviceTaskStatus } {
  const states = Object.entries(deviceTaskMachine.config.states ?? {});
  const moves = states.flatMap(([from, { on }]) => {
    const to = (on as Partial<Record<string, string>> | undefined)?.[event];
    return to ? [{ from: from as DeviceTaskStatus, to: to as DeviceTaskStatus }] : [];
  });
  const [first] = moves;
  if (!first) throw new Error(`no task is ever moved by ${event}`);
  return { from: moves.map(({ from }) => from), to: first.to };
}
