import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import type { SavedView } from '#models/saved-views.ts';
import { savedViewsMachine } from '#machines/saved-views.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const samples = { 'views.read': { type: 'views.read' } } satisfies Samples<EventFromLogic<typeof savedViewsMachine>>;
const views: SavedView[] = [];

describe('the views of lists', () => {
  mapTests(savedViewsMachine, { inputs: [undefined], samples, answers: { readViews: [views] } });
});
