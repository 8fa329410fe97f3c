import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { appPromotionMachine } from '#machines/app-promotion.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const answered = { type: 'dialog.answered', id: 'dialog:1', about: 'app.promotion' } as const;
const samples = {
  'desk.busy': { type: 'desk.busy' },
  'desk.quiet': { type: 'desk.quiet' },
  'promotion.end': { type: 'promotion.end' },
  'dialog.answered': [
    { ...answered, action: 'later' },
    { ...answered, action: 'never' },
  ],
} satisfies Samples<EventFromLogic<typeof appPromotionMachine>>;

describe('the offer of the mobile app', () => {
  mapTests(appPromotionMachine, {
    inputs: [{ link: 'https://app.example/' }],
    samples,
    answers: { wasClosed: [true, false], switchOff: [undefined] },
  });
});
