import { createActor, type EventFromLogic, fromCallback } from 'xstate';
import { describe } from 'vitest';
import { consoleMachine } from '#machines/console.machine.ts';
import { confirmDialog } from '#machines/dialog.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { anna } from '#tests/support/people.ts';

const asker = createActor(fromCallback(() => {}));
const samples = {
  'profile.changed': { type: 'profile.changed', profile: { ...anna, version: '2' } },
  'drafts.keep': { type: 'drafts.keep' },
  'alert.show': { type: 'alert.show', alert: { kind: 'info', key: 'interface.done' } },
  'dialog.ask': {
    type: 'dialog.ask',
    dialog: confirmDialog({ text: { key: 'interface.leave_question' }, approve: { key: 'interface.leave' }, about: 'leave', replyTo: asker }),
  },
  'dialog.withdraw': { type: 'dialog.withdraw', askers: ['asker'] },
} satisfies Samples<EventFromLogic<typeof consoleMachine>>;

describe('the console', () => {
  mapTests(consoleMachine, { inputs: [{ profile: anna }], samples, answers: { workspace: [] } });
});
