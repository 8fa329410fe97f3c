import type { EventFromLogic } from 'xstate';
import { describe, expect, it } from 'vitest';
import { announceMachine, mayHappenToAnnounce } from '#machines/lifecycles/announce.machine.ts';
import { announceStatuses } from '#models/announces.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const samples = {
  'announce.start': { type: 'announce.start' },
  'announce.plan': { type: 'announce.plan' },
  'announce.stop': { type: 'announce.stop' },
  'announce.change': { type: 'announce.change' },
  'time.over': { type: 'time.over' },
} satisfies Samples<EventFromLogic<typeof announceMachine>>;

describe('the life of an announcement', () => {
  mapTests(announceMachine, { inputs: [undefined], samples });

  it('has the statuses of the model, and no other', () => {
    expect(Object.keys(announceMachine.states).toSorted()).toEqual([...announceStatuses].toSorted());
  });

  it('is changed only before it goes out', () => {
    expect(announceStatuses.filter((status) => mayHappenToAnnounce(status, 'announce.change'))).toEqual(['new']);
  });

  it('is withdrawn while it is out or planned, and may go out again after that', () => {
    expect(announceStatuses.filter((status) => mayHappenToAnnounce(status, 'announce.stop'))).toEqual(['planned', 'started']);
    expect(announceStatuses.filter((status) => mayHappenToAnnounce(status, 'announce.start'))).toEqual(['new', 'planned', 'stopped']);
  });
});
