import { createActor, type EventFromLogic, fromCallback } from 'xstate';
import { describe } from 'vitest';
import { appMachine } from '#machines/app.machine.ts';
import { confirmDialog } from '#machines/alerts/dialog.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { anna } from '#tests/support/people.ts';

const requester = createActor(fromCallback(() => {}));
const samples = {
  'session.opened': { type: 'session.opened', profile: anna },
  'session.ended': [
    { type: 'session.ended', reason: 'signedOut' },
    { type: 'session.ended', reason: 'expired' },
  ],
  'profile.changed': { type: 'profile.changed', profile: { ...anna, version: '2' } },
  'token.renewed': { type: 'token.renewed' },
  'token.rejected': { type: 'token.rejected' },
  'profile.stale': { type: 'profile.stale' },
  'session.signOut': { type: 'session.signOut' },
  'session.signOutEverywhere': { type: 'session.signOutEverywhere' },
  'alert.show': { type: 'alert.show', alert: { kind: 'info', key: 'interface.done' } },
  'alert.withdraw': { type: 'alert.withdraw', topic: 'licence' },
  'dialog.ask': {
    type: 'dialog.ask',
    dialog: confirmDialog({ text: { key: 'interface.leave_question' }, approve: { key: 'interface.leave' }, about: 'leave', replyTo: requester }),
  },
  'dialog.withdraw': { type: 'dialog.withdraw', actorIds: ['requester'] },
} satisfies Samples<EventFromLogic<typeof appMachine>>;

describe('the app', () => {
  mapTests(appMachine, { inputs: [undefined], samples, answers: { alerts: [], session: [], console: [] } });
});
