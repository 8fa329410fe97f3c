import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { emptyMirror } from '#machines/phone/mirror.ts';
import { tabsMachine } from '#machines/phone/tabs.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const samples = {
  'tabs.elected': { type: 'tabs.elected' },
  'tabs.alone': { type: 'tabs.alone' },
  'tabs.outvoted': { type: 'tabs.outvoted' },
  'tabs.mirror': { type: 'tabs.mirror', mirror: emptyMirror },
  'tabs.mirrored': { type: 'tabs.mirrored', mirror: emptyMirror },
  'tabs.command': { type: 'tabs.command', command: { type: 'phone.register' } },
  'tabs.commanded': { type: 'tabs.commanded', command: { type: 'phone.register' } },
  'tabs.greeted': { type: 'tabs.greeted' },
} satisfies Samples<EventFromLogic<typeof tabsMachine>>;

describe('the tabs of one number', () => {
  mapTests(tabsMachine, { inputs: [{ number: '1001' }], samples, answers: { phoneTabs: [] } });
});
