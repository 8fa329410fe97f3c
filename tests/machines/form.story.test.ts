import { createActor, SimulatedClock } from 'xstate';
import { describe, expect } from 'vitest';
import { type CallRequest, type FormEvent, type FormFact, formMachine } from '#machines/form/form.machine.ts';
import { held } from '#tests/support/ports.ts';
import { uuid } from '#tests/support/people.ts';
import { sampleForm } from '#tests/support/sample-form.ts';
import { formStory } from '#tests/support/stories/form.ts';
import { type Driver, runStory } from '#tests/support/story.ts';

function driver(): Driver {
  const clock = new SimulatedClock();
  const runCall = held<unknown, CallRequest>();
  const form = createActor(formMachine.provide({ actors: { runCall: runCall.actor } }), {
    id: 'form:sample',
    input: { form: sampleForm.name, given: { id: uuid(1), text: 'Cat' } },
    clock,
  }).start();
  const facts: FormFact['type'][] = [];
  const alerts: (string | undefined)[] = [];
  form.on('*', (fact) => {
    if ('form' in fact) facts.push(fact.type);
    if (fact.type === 'alert.show') alerts.push(fact.alert.key ?? fact.alert.problem?.code);
  });
  const press = (event: FormEvent) => () => form.send(event);
  let isHeld = false;
  const answer = (action: string) => press({ type: 'dialog.answered', id: 'dialog:1', action, about: 'leave' });
  const typed = (comment: string) => () => {
    isHeld = false;
    form.send({ type: 'form.change', part: { comment } });
  };
  const where = (): string => {
    const now = form.getSnapshot();
    const { draft, base } = now.context;
    if (facts.at(-1) === 'form.left') return 'gone';
    if (now.hasTag('running')) return 'saving';
    if (now.hasTag('asking')) return 'askedToLeave';
    if (isHeld) return 'held';
    if (draft['comment'] === '') return now.hasTag('checked') ? 'corrected by hand' : 'empty';
    if (now.hasTag('failed') && now.context.problem && draft['comment'] !== 'Dog') return 'refused';
    return draft['comment'] === base['comment'] ? 'untouched' : 'changed';
  };
  const isOpen = () => ['untouched', 'changed', 'empty', 'corrected by hand', 'refused', 'held'].includes(where());
  return {
    where,
    words: {
      type: typed('Dog'),
      clear: typed(''),
      save: press({ type: 'form.save' }),
      saveAsItIs: press({ type: 'form.save' }),
      saveEmpty: () => {
        form.send({ type: 'form.save' });
        expect([runCall.asked, alerts.at(-1)]).toEqual([[], 'interface.check_fields_data']);
        expect(form.getSnapshot().context.issues.map(({ rule }) => rule)).toEqual(['required']);
      },
      takeBack: () => {
        isHeld = false;
        form.send({ type: 'form.reset' });
        expect([form.getSnapshot().context.draft['comment'], facts.at(-1)]).toEqual([form.getSnapshot().context.base['comment'], 'form.settled']);
      },
      stored: async () => {
        await runCall.answer(null);
        expect([alerts.at(-1), facts.slice(-2)]).toEqual(['interface.done', ['form.settled', 'form.saved']]);
      },
      refusedByServer: async () => {
        form.send({ type: 'form.change', part: { comment: 'Mouse' } });
        await runCall.refuse({ code: 'wrong_parameters', data: { issues: [{ path: ['comment'], rule: 'not_unique', params: {} }] } });
        expect([alerts.at(-1), facts.at(-1), form.getSnapshot().context.serverIssues.length]).toEqual(['wrong_parameters', 'form.refused', 1]);
      },
      noAnswer: () => {
        form.send({ type: 'form.change', part: { comment: 'Mouse' } });
        clock.increment(60_000);
        expect(form.getSnapshot().context.problem).toEqual({ code: 'timeout' });
      },
      goElsewhere: press({ type: 'form.leave' }),
      goAway: answer('approve'),
      stay: () => {
        answer('cancel')();
        isHeld = true;
        expect(facts.at(-1)).toBe('form.stayed');
      },
    },
    buttons: [{ name: 'type', words: ['type', 'clear', 'takeBack'], isThere: isOpen }],
  };
}

describe('a form as it is told', () => {
  runStory(formStory, driver);
});
