import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { type PickerContext, pickerMachine } from '#machines/picker.machine.ts';
import type { Page } from '#machines/rows.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { uuid } from '#tests/support/people.ts';

const [first, second] = [
  { id: uuid(1), name: 'Anna' },
  { id: uuid(2), name: 'Boris' },
] as const;
const page: Page = { rows: [first], total: 2, asOf: '2026-01-01T00:00:00Z' };

const samples = {
  'picker.search': [
    { type: 'picker.search', text: 'an' },
    { type: 'picker.search', text: 'ann' },
  ],
  'picker.more': { type: 'picker.more' },
  'picker.toggle': [
    { type: 'picker.toggle', row: first },
    { type: 'picker.toggle', row: second },
  ],
  'picker.clear': { type: 'picker.clear' },
  'picker.approve': { type: 'picker.approve' },
  'picker.cancel': { type: 'picker.cancel' },
  'rows.reload': { type: 'rows.reload' },
} satisfies Samples<EventFromLogic<typeof pickerMachine>>;

describe('a picker', () => {
  mapTests(pickerMachine, {
    inputs: [
      { area: 'users', multiple: false, chosen: [] },
      { area: 'users', multiple: true, chosen: [], max: 1 },
    ],
    samples,
    answers: { loadFirst: [page], loadMore: [{ ...page, rows: [second] }] },
    words: ({ context }) => {
      const { request, rows, total, chosen } = context as PickerContext;
      return `[${request.multiple ? `several, ${chosen.length} chosen` : 'one'}${rows.length < total ? ', more to load' : ''}]`;
    },
  });
});
