import { createActor, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import { type CallRequest, type FormDraft, formMachine, isChanged } from '#machines/form/form.machine.ts';
import { formOf } from '#models/define-form.ts';
import { held } from '#tests/support/ports.ts';
import { uuid } from '#tests/support/people.ts';
import { numberDraft, quietForm, sampleForm } from '#tests/support/sample-form.ts';

function openSample(input = { form: sampleForm.name, given: { id: uuid(1), text: 'Cat' } as unknown }) {
  const runCall = held<unknown, CallRequest>();
  const form = createActor(formMachine.provide({ actors: { runCall: runCall.actor } }), { id: 'form:sample', input }).start();
  const now = () => form.getSnapshot();
  const change = (part: FormDraft) => form.send({ type: 'form.change', part });
  return { form, now, change, runCall };
}

describe('a form', () => {
  it.each<[CallRequest, number]>([
    [{ call: 'claimAlarm' }, 45_000],
    [{ call: 'sendMailPreview' }, 90_000],
    [{ call: 'claimAlarm', timeout: 120_000 }, 180_000],
    [{ call: 'applyBackupFile' }, 5_400_000],
    [{ call: 'downloadBackup' }, 2 ** 31 - 1],
  ])('waits for the answer of %o for %i ms', (request, wait) => {
    const clock = new SimulatedClock();
    const logic = formMachine.provide({ actors: { runCall: held<unknown, CallRequest>().actor } });
    const form = createActor(logic, { clock, input: {} }).start();
    form.send({ type: 'form.send', request });
    clock.increment(wait - 1);
    expect(form.getSnapshot().hasTag('running')).toBe(true);
    clock.increment(1);
    expect(form.getSnapshot().context.problem).toEqual({ code: 'timeout' });
  });

  it('sends what its draft reads as', async () => {
    const { form, change, runCall } = openSample();
    change({ comment: ' Dog ' });
    form.send({ type: 'form.save' });
    expect(runCall.asked).toEqual([{ call: 'processAlarm', params: { alarm_id: uuid(1) }, body: { comment: 'Dog' } }]);
  });

  it('keeps what was typed when what it starts with comes later', () => {
    const { form, now, change } = openSample();
    change({ comment: 'Dog' });
    form.send({ type: 'form.rebase', given: { id: uuid(2), text: 'Cow' } });
    expect([now().context.draft, now().context.base]).toEqual([
      { comment: 'Dog', id: uuid(2) },
      { comment: 'Cow', id: uuid(2) },
    ]);
    form.send({ type: 'form.reset' });
    form.send({ type: 'form.rebase', given: { id: uuid(3), text: 'Hen' } });
    expect(now().context.draft).toEqual({ comment: 'Hen', id: uuid(3) });
  });

  it('is changed by what was typed while it was being saved, and only by that', async () => {
    const { form, now, change, runCall } = openSample();
    change({ comment: 'Dog' });
    form.send({ type: 'form.save' });
    change({ comment: 'Cow' });
    await runCall.answer(null);
    expect([now().context.base['comment'], now().context.draft['comment'], isChanged(now())]).toEqual(['Dog', 'Cow', true]);
  });

  it('shows a field that the server refused as wrong until the field is changed', async () => {
    const { form, now, change, runCall } = openSample();
    form.send({ type: 'form.save' });
    await runCall.refuse({ code: 'wrong_parameters', data: { issues: [{ path: ['comment'], rule: 'not_unique', params: {} }] } });
    change({ id: uuid(2) });
    expect(now().context.serverIssues.map(({ rule }) => rule)).toEqual(['not_unique']);
    change({ comment: 'Dog' });
    expect([now().context.serverIssues, now().context.problem?.code, now().hasTag('failed')]).toEqual([[], 'wrong_parameters', true]);
  });

  it('without a call hands over what its draft comes to, once nothing is wrong with it', () => {
    const { form, now, change, runCall } = openSample({ form: numberDraft.name, given: null });
    const handed: unknown[] = [];
    form.on('form.saved', ({ answer }) => handed.push(answer));
    change({ comment: '' });
    form.send({ type: 'form.save' });
    expect([handed, now().hasTag('checked')]).toEqual([[], true]);
    change({ comment: 'Horse' });
    form.send({ type: 'form.save' });
    expect([handed, runCall.asked, isChanged(now())]).toEqual([[5], [], false]);
  });

  it('that asks nothing before it is left goes at once', () => {
    const { form, change } = openSample({ form: quietForm.name, given: null });
    const facts: string[] = [];
    form.on('*', ({ type }) => facts.push(type));
    change({ password: 'x' });
    form.send({ type: 'form.leave' });
    expect(facts).toEqual(['form.left']);
  });

  it('of a name that nobody defined is a mistake that is seen', () => expect(() => formOf('nowhere')).toThrow('no form is called nowhere'));
});
