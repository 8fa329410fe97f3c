import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { type InterceptionContext, interceptionMachine } from '#machines/phone/interception.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { uuid } from '#tests/support/people.ts';

const tower = { id: uuid(31), name: 'Tower A', path: ['Tower A'] };
const lobby = { id: uuid(32), name: 'Lobby', path: ['Tower A', 'Lobby'] };
const samples = {
  'interception.add': { type: 'interception.add', group: lobby },
  'interception.toggle': [
    { type: 'interception.toggle', id: tower.id },
    { type: 'interception.toggle', id: lobby.id },
  ],
  'interception.start': { type: 'interception.start' },
  'interception.stop': { type: 'interception.stop' },
  'interception.reread': { type: 'interception.reread' },
  'interception.permit': [
    { type: 'interception.permit', isPermitted: true },
    { type: 'interception.permit', isPermitted: false },
  ],
} satisfies Samples<EventFromLogic<typeof interceptionMachine>>;

describe('interception', () => {
  mapTests(interceptionMachine, {
    inputs: [{ isPermitted: true }, { isPermitted: false }],
    samples,
    answers: {
      readInterception: [
        { isActive: false, groups: [], userGroups: [tower] },
        { isActive: true, groups: [tower], userGroups: [tower] },
      ],
      startInterception: [{ isActive: true, groups: [tower], userGroups: [tower] }],
      stopInterception: [{ isActive: false, groups: [tower], userGroups: [tower] }],
    },
    words: ({ context }) => {
      const { groups, chosen } = context as InterceptionContext;
      return `[${chosen.length} of ${groups.length}]`;
    },
  });
});
