import { createActor, type EventFromLogic, fromCallback } from 'xstate';
import { describe } from 'vitest';
import { alertsMachine } from '#machines/alerts/alerts.machine.ts';
import { confirmDialog, customDialog } from '#machines/alerts/dialog.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const requester = createActor(
  fromCallback(() => {}),
  { id: 'requester' },
);
const question = confirmDialog({
  text: { key: 'interface.leave_question' },
  approve: { key: 'interface.leave' },
  about: 'leave',
  replyTo: requester,
});
const must = customDialog({ text: { key: 'interface.choose' }, actions: [{ action: 'go', label: { key: 'interface.go' } }], replyTo: requester });

const samples = {
  'alert.show': [
    { type: 'alert.show', alert: { kind: 'success', key: 'interface.done' } },
    { type: 'alert.show', alert: { kind: 'error', problem: { code: 'offline' } } },
    { type: 'alert.show', alert: { kind: 'warning', key: 'interface.done', duration: 0, topic: 'licence', replyTo: requester } },
  ],
  'alert.close': [
    { type: 'alert.close', id: 'alert:1' },
    { type: 'alert.close', id: 'alert:gone' },
  ],
  'alert.withdraw': [{ type: 'alert.withdraw', topic: 'licence' }, { type: 'alert.withdraw' }],
  'alert.hold': { type: 'alert.hold', id: 'alert:1' },
  'alert.release': { type: 'alert.release', id: 'alert:1' },
  'alerts.clear': { type: 'alerts.clear' },
  'dialog.ask': [
    { type: 'dialog.ask', dialog: question },
    { type: 'dialog.ask', dialog: must },
  ],
  'dialog.answer': [
    { type: 'dialog.answer', action: 'approve' },
    { type: 'dialog.answer', action: 'go' },
  ],
  'dialog.dismiss': { type: 'dialog.dismiss' },
  'dialogs.dismiss': { type: 'dialogs.dismiss' },
  'dialog.withdraw': { type: 'dialog.withdraw', actorIds: ['requester'] },
} satisfies Samples<EventFromLogic<typeof alertsMachine>>;

describe('the alerts area', () => {
  mapTests(alertsMachine, {
    inputs: [undefined],
    samples,
    children: [
      { type: 'xstate.done.actor.alert:1', actorId: 'alert:1' },
      { type: 'xstate.error.actor.alert:1', actorId: 'alert:1', error: new Error('broken') },
    ],
    words: ({ context }) => {
      const { shown, dialogs } = context as { shown: { topic?: string }[]; dialogs: { dialog: { kind: string } }[] };
      const kinds = dialogs.slice(0, 2).map(({ dialog }) => dialog.kind);
      return `[${shown.length > 0 ? (shown.some(({ topic }) => topic) ? 'alerts with a topic' : 'alerts') : 'no alerts'}${kinds.length > 0 ? `, asks ${kinds.join(' then ')}` : ''}]`;
    },
  });
});
