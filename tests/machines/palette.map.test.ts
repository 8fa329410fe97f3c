import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { paletteMachine, type PaletteContext, type PaletteInput } from '#machines/palette/palette.machine.ts';
import type { Found } from '#models/search.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { uuid } from '#tests/support/people.ts';

const input: PaletteInput = { own: [{ kind: 'screen', target: '/users', title: 'Users', detail: null, words: '' }], doorWords: 'Open the door' };
const found: Found[] = [{ area: 'users', id: uuid(3), name: 'Anna', detail: null }];

const samples = {
  'palette.type': [
    { type: 'palette.type', text: 'gate' },
    { type: 'palette.type', text: '' },
  ],
  'palette.move': [
    { type: 'palette.move', to: 'next' },
    { type: 'palette.move', to: 'last' },
  ],
  'palette.pick': [{ type: 'palette.pick' }, { type: 'palette.pick', key: 'screen:/gone' }],
  'palette.confirm': { type: 'palette.confirm' },
  'palette.back': { type: 'palette.back' },
  'palette.retry': { type: 'palette.retry' },
  'palette.recalled': { type: 'palette.recalled' },
} satisfies Samples<EventFromLogic<typeof paletteMachine>>;

describe('the command palette', () => {
  mapTests(paletteMachine, {
    inputs: [input, { ...input, doorWords: '' }],
    samples,
    answers: {
      recallRecent: [[], [`users:${uuid(3)}`, 'screen:/users']],
      findRows: [found],
      readPaletteDoors: [[{ id: uuid(8), name: 'Gate', token: 'token-of-the-gate-in-full' }]],
      openPaletteDoor: ['confirmed', 'unconfirmed'],
    },
    words: ({ context }) => {
      const { offers, at, text, recent } = context as PaletteContext;
      const marked = offers[at]?.kind === 'door' ? 'a door marked' : offers[at] ? 'a line marked' : 'nothing marked';
      return `[${marked}${text || recent.length > 0 ? ', asks for rows' : ''}]`;
    },
  });
});
