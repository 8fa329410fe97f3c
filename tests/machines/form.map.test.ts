import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { type FormContext, formMachine } from '#machines/form/form.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { uuid } from '#tests/support/people.ts';
import { numberDraft, quietForm, sampleForm } from '#tests/support/sample-form.ts';

const given = { id: uuid(1), text: 'Cat' };
const samples = {
  'form.change': [
    { type: 'form.change', part: { comment: 'Dog' } },
    { type: 'form.change', part: { comment: '' } },
    { type: 'form.change', part: { comment: 'Cat' } },
  ],
  'form.rebase': { type: 'form.rebase', given },
  'form.save': { type: 'form.save' },
  'form.send': { type: 'form.send', request: { call: 'removeAvatar', params: { id: uuid(1) } } },
  'form.reset': { type: 'form.reset' },
  'form.leave': { type: 'form.leave' },
  'dialog.answered': [
    { type: 'dialog.answered', id: 'dialog:1', action: 'approve', about: 'leave' },
    { type: 'dialog.answered', id: 'dialog:1', action: 'cancel', about: 'leave' },
  ],
} satisfies Samples<EventFromLogic<typeof formMachine>>;

describe('a form', () => {
  mapTests(formMachine, {
    inputs: [{}, { form: sampleForm.name, given }, { form: quietForm.name }, { form: numberDraft.name }],
    samples,
    answers: { runCall: [null] },
    words: ({ context }) => {
      const { form, draft, base, issues } = context as FormContext;
      return `[${form ?? 'no form'}${draft['comment'] === base['comment'] ? '' : ', changed'}${issues.length > 0 ? ', wrong' : ''}]`;
    },
  });
});
