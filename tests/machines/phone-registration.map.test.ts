import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { type RegistrationContext, registrationMachine } from '#machines/phone/registration.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { normalInvite } from '#tests/support/phone.ts';

const samples = {
  'sip.registered': { type: 'sip.registered' },
  'sip.unregistered': { type: 'sip.unregistered' },
  'sip.failed': [
    { type: 'sip.failed', invalid: false, chance: 0.5 },
    { type: 'sip.failed', invalid: true, chance: 0.5 },
  ],
  'sip.incoming': { type: 'sip.incoming', call: normalInvite(1) },
  'sip.refuse': { type: 'sip.refuse', sipId: 'sip1' },
  'link.nudged': { type: 'link.nudged' },
  'phone.register': { type: 'phone.register' },
  'phone.unregister': { type: 'phone.unregister' },
} satisfies Samples<EventFromLogic<typeof registrationMachine>>;

describe('the registration', () => {
  mapTests(registrationMachine, {
    inputs: [{ number: '1001' }],
    samples,
    answers: { userAgent: [], wakeups: [] },
    words: ({ context }) => ((context as RegistrationContext).failures > 0 ? '[failed before]' : ''),
  });
});
