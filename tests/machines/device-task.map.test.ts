import type { EventFromLogic } from 'xstate';
import { describe, expect, it } from 'vitest';
import { deviceTaskMachine, mayHappenToTask, movesOf } from '#machines/lifecycles/device-task.machine.ts';
import { deviceTaskStatuses } from '#models/device-tasks.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const samples = {
  'task.queue': { type: 'task.queue' },
  'task.wait': { type: 'task.wait' },
  'task.start': { type: 'task.start' },
  'device.done': { type: 'device.done' },
  'device.failed': { type: 'device.failed' },
  'task.interrupted': { type: 'task.interrupted' },
  'device.online': { type: 'device.online' },
  'task.stop': { type: 'task.stop' },
  'task.retry': { type: 'task.retry' },
} satisfies Samples<EventFromLogic<typeof deviceTaskMachine>>;

describe('the life of a device task', () => {
  mapTests(deviceTaskMachine, { inputs: [undefined], samples });

  it('has the statuses of the model, and no other', () => {
    expect(Object.keys(deviceTaskMachine.states).toSorted()).toEqual([...deviceTaskStatuses].toSorted());
  });

  it('may be stopped from every open status, and from no other', () => {
    expect(deviceTaskStatuses.filter((status) => mayHappenToTask(status, 'task.stop'))).toEqual(['new', 'queued', 'started', 'waiting']);
  });

  it('is tried again only after a failure', () => {
    expect(deviceTaskStatuses.filter((status) => mayHappenToTask(status, 'task.retry'))).toEqual(['error']);
  });

  it.each(Object.keys(samples) as (keyof typeof samples)[])('tells the database the same about %s as the chart itself', (event) => {
    const { from, to } = movesOf(event);
    expect(from.toSorted()).toEqual(deviceTaskStatuses.filter((status) => mayHappenToTask(status, event)).toSorted());
    for (const status of from) expect(deviceTaskMachine.states[status]?.config.on?.[event]).toBe(to);
  });
});
