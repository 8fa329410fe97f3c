import { type AnyActorRef, createActor, fromCallback, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import { type Alert } from '#machines/alerts/alert.machine.ts';
import { alertsMachine, presentDialog, standingAlerts } from '#machines/alerts/alerts.machine.ts';
import { confirmDialog, customDialog, type Dialog, type DialogAnswered, DialogError } from '#machines/alerts/dialog.ts';

function area() {
  const clock = new SimulatedClock();
  const alerts = createActor(alertsMachine, { clock }).start();
  const show = (alert: Alert) => alerts.send({ type: 'alert.show', alert });
  const said = () => standingAlerts(alerts.getSnapshot()).map((actor) => actor.getSnapshot().context);
  return { clock, alerts, show, said };
}
const done: Alert = { kind: 'success', key: 'interface.done' };

function requester(id = 'requester') {
  const heard: DialogAnswered[] = [];
  const actor = createActor(
    fromCallback<DialogAnswered>(({ receive }) => receive((event) => void heard.push(event))),
    { id },
  ).start();
  return { heard, actor };
}
const question = (about: string, replyTo: AnyActorRef): Dialog =>
  confirmDialog({ text: { key: 'interface.leave_question' }, approve: { key: 'interface.leave' }, about, replyTo });

describe('a question of a view', () => {
  it('is answered to whoever watches, and nobody else takes it back', () => {
    const { alerts } = area();
    const heard: string[] = [];
    alerts.on('dialog.answered', ({ about, action }) => heard.push(`${about} ${action}`));
    const dialog = confirmDialog({ text: { key: 'interface.leave_question' }, approve: { key: 'interface.leave' }, about: 'view:1' });
    alerts.send({ type: 'dialog.ask', dialog });
    alerts.send({ type: 'dialog.withdraw', actorIds: ['view:1', ''] });
    alerts.send({ type: 'dialog.answer', action: 'approve' });
    expect(heard).toEqual(['view:1 approve']);
  });
});

describe('alerts', () => {
  it('about a topic take each other’s place, go when the topic is over, and tell who raised them that the person closed them', () => {
    const { alerts, show, said } = area();
    const heard: unknown[] = [];
    const owner = createActor(fromCallback(({ receive }) => receive((event) => void heard.push(event)))).start();
    const about = (topic: string, key: string): Alert => ({ kind: 'warning', key, duration: 0, topic, replyTo: owner });
    show(about('licence', 'nine days'));
    show(about('group', 'today'));
    show(about('licence', 'eight days'));
    expect(said().map(({ alert, count }) => [alert.key, count])).toEqual([
      ['today', 1],
      ['eight days', 1],
    ]);
    alerts.send({ type: 'alert.close', id: alerts.getSnapshot().context.shown[1]?.id ?? '' });
    expect(heard).toEqual([{ type: 'alert.closed', topic: 'licence' }]);
    show(done);
    alerts.send({ type: 'alert.withdraw', topic: 'licence' });
    expect(said().map(({ alert }) => alert.key)).toEqual(['today', 'interface.done']);
    alerts.send({ type: 'alert.withdraw' });
    expect(said().map(({ alert }) => alert.key)).toEqual(['interface.done']);
    expect(heard).toHaveLength(1);
  });
  it('go after 3000 ms, after their own time, or stay', () => {
    const { clock, show, said } = area();
    show(done);
    show({ kind: 'error', problem: { code: 'offline' }, duration: 10_000 });
    show({ kind: 'warning', key: 'interface.licence_ends', duration: 0 });
    clock.increment(2_999);
    expect(said()).toHaveLength(3);
    clock.increment(1);
    expect(said().map(({ alert }) => alert.kind)).toEqual(['error', 'warning']);
    clock.increment(1_000_000);
    expect(said().map(({ alert }) => alert.kind)).toEqual(['warning']);
  });

  it('stand still under the pointer and get their whole time again after it', () => {
    const { clock, alerts, show, said } = area();
    show(done);
    clock.increment(2_000);
    alerts.send({ type: 'alert.hold', id: 'alert:1' });
    clock.increment(60_000);
    expect(said()).toHaveLength(1);
    alerts.send({ type: 'alert.release', id: 'alert:1' });
    clock.increment(2_999);
    expect(said()).toHaveLength(1);
    clock.increment(1);
    expect(said()).toHaveLength(0);
  });

  it('said again while they stand are counted, not doubled, and stand longer', () => {
    const { clock, show, said } = area();
    show(done);
    clock.increment(2_000);
    show(done);
    show({ ...done, params: { name: 'another' } });
    clock.increment(2_000);
    expect(said().map(({ count }) => count)).toEqual([2, 1]);
    clock.increment(3_000);
    show(done);
    expect(said().map(({ count }) => count)).toEqual([1]);
  });

  it('can be closed one by one or all at once', () => {
    const { alerts, show, said } = area();
    show(done);
    show({ kind: 'info', key: 'interface.hint' });
    alerts.send({ type: 'alert.close', id: 'alert:1' });
    expect(said().map(({ alert }) => alert.kind)).toEqual(['info']);
    show({ kind: 'warning', key: 'interface.hint', duration: 0 });
    alerts.send({ type: 'alerts.clear' });
    expect(said()).toEqual([]);
  });
});

describe('dialogs', () => {
  it('come one after the other, and each asker hears its own answer', () => {
    const { alerts } = area();
    const [first, second] = [requester('first'), requester('second')];
    alerts.send({ type: 'dialog.ask', dialog: question('a', first.actor) });
    alerts.send({ type: 'dialog.ask', dialog: question('b', second.actor) });
    expect(presentDialog(alerts.getSnapshot())?.dialog.about).toBe('a');
    alerts.send({ type: 'dialog.answer', action: 'approve' });
    expect([first.heard, second.heard]).toEqual([[{ type: 'dialog.answered', id: 'dialog:1', action: 'approve', about: 'a' }], []]);
    alerts.send({ type: 'dialog.dismiss' });
    expect(second.heard.map(({ action }) => action)).toEqual(['cancel']);
    expect(presentDialog(alerts.getSnapshot())).toBeUndefined();
  });

  it('that must be answered cannot be dismissed, and take no answer they do not offer', () => {
    const { alerts } = area();
    const { heard, actor } = requester();
    alerts.send({
      type: 'dialog.ask',
      dialog: customDialog({ text: { key: 'interface.choose' }, actions: [{ action: 'go', label: { key: 'interface.go' } }], replyTo: actor }),
    });
    expect(alerts.getSnapshot().can({ type: 'dialog.dismiss' })).toBe(false);
    expect(alerts.getSnapshot().can({ type: 'dialog.answer', action: 'other' })).toBe(false);
    alerts.send({ type: 'alerts.clear' });
    expect(heard.map(({ action }) => action)).toEqual(['dismissed']);
  });

  it('all get the answer that changes nothing when the area is cleared', () => {
    const { alerts } = area();
    const { heard, actor } = requester();
    for (const about of ['a', 'b', 'c']) alerts.send({ type: 'dialog.ask', dialog: question(about, actor) });
    alerts.send({ type: 'alerts.clear' });
    expect(heard.map(({ about, action }) => `${about} ${action}`)).toEqual(['a cancel', 'b cancel', 'c cancel']);
    expect(alerts.getSnapshot().value).toBe('quiet');
  });

  it('that yield stand behind all others, also behind one that comes later', () => {
    const { alerts } = area();
    const [patient, urgent] = [requester('patient'), requester('urgent')];
    const present = () => presentDialog(alerts.getSnapshot())?.dialog.about;
    alerts.send({ type: 'dialog.ask', dialog: question('first', urgent.actor) });
    alerts.send({ type: 'dialog.ask', dialog: { ...question('offer', patient.actor), yields: true } });
    expect(present()).toBe('first');
    alerts.send({ type: 'dialog.dismiss' });
    expect(present()).toBe('offer');
    alerts.send({ type: 'dialog.ask', dialog: question('second', urgent.actor) });
    expect(present()).toBe('second');
    alerts.send({ type: 'dialog.answer', action: 'approve' });
    expect([urgent.heard.map(({ about }) => about), patient.heard]).toEqual([['first', 'second'], []]);
    expect(present()).toBe('offer');
  });

  it('of an asker that went away are taken back', () => {
    const { alerts } = area();
    const [first, second] = [requester('first'), requester('second')];
    alerts.send({ type: 'dialog.ask', dialog: question('a', first.actor) });
    alerts.send({ type: 'dialog.ask', dialog: question('b', second.actor) });
    alerts.send({ type: 'dialog.withdraw', actorIds: ['first'] });
    expect(presentDialog(alerts.getSnapshot())?.dialog.about).toBe('b');
    expect(first.heard).toEqual([]);
  });
});

describe('a custom dialog', () => {
  const { actor } = requester();
  const whole = { text: { key: 'interface.choose' }, actions: [{ action: 'go', label: { key: 'interface.go' } }], replyTo: actor };
  const { text: _text, ...textless } = whole;
  const { replyTo: _replyTo, ...deaf } = whole;

  it.each([
    ['no text', textless],
    ['an empty text', { ...whole, text: { key: '' } }],
    ['no actions', { ...whole, actions: [] }],
    ['no handler', deaf],
    ['an action without a name', { ...whole, actions: [{ action: '', label: { key: 'interface.go' } }] }],
    ['an action without a label', { ...whole, actions: [{ action: 'go' } as never] }],
    ['an action that is none', { ...whole, actions: [null as never] }],
    ['the same action twice', { ...whole, actions: [...whole.actions, ...whole.actions] }],
    ['no default action though it is not modal', { ...whole, modal: false }],
    ['a default action that it does not offer', { ...whole, modal: false, defaultAction: 'stay' }],
  ])('with %s is refused', (_, definition) => {
    expect(() => customDialog(definition)).toThrow(DialogError);
  });

  it('is modal unless it says otherwise', () => {
    expect(customDialog(whole).modal).toBe(true);
    expect(customDialog({ ...whole, modal: false, defaultAction: 'go' })).toMatchObject({ modal: false, defaultAction: 'go', kind: 'custom' });
  });
});
