import { createActor, fromPromise, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import { type AlertAnswer, emergencyMachine } from '#machines/emergency/emergency.machine.ts';
import type { ActiveAlert } from '#models/emergency-alert-calls.ts';
import { activeAlert } from '#tests/support/emergency.ts';
import { uuid } from '#tests/support/people.ts';

const settled = () => new Promise((done) => setTimeout(done, 0));
const { id } = activeAlert();
const changed = { type: 'realtime.events', events: [] } as const;

function opened(answer: (said: AlertAnswer) => Promise<unknown>, alerts: readonly ActiveAlert[] = [activeAlert()]) {
  const clock = new SimulatedClock();
  const world: { alerts: readonly ActiveAlert[] } = { alerts };
  const sent: AlertAnswer[] = [];
  const heard: string[] = [];
  const actor = createActor(
    emergencyMachine.provide({
      actors: {
        readEmergencies: fromPromise(() => Promise.resolve(world.alerts)),
        answerEmergency: fromPromise(({ input }: { input: AlertAnswer }) => {
          sent.push(input);
          return answer(input);
        }),
      },
    }),
    { clock },
  );
  actor.on('sound.play', ({ sound }) => void heard.push(sound));
  actor.start();
  return { clock, world, sent, heard, actor, context: () => actor.getSnapshot().context };
}

describe('the emergency alerts of a person', () => {
  it('are read at the start, and again with every word of the channel', async () => {
    const { actor, world, context } = opened(() => Promise.resolve(null));
    await settled();
    expect(context().alerts).toHaveLength(1);
    world.alerts = [];
    actor.send(changed);
    await settled();
    expect(context().alerts).toEqual([]);
  });

  it('are answered once, however often it is said', async () => {
    const { actor, sent, context } = opened(() => Promise.resolve(null));
    await settled();
    actor.send({ type: 'emergency.safe', id });
    actor.send({ type: 'emergency.safe', id });
    await settled();
    actor.send({ type: 'emergency.safe', id });
    actor.send({ type: 'emergency.seen', id });
    await settled();
    expect(sent.map(({ said }) => said)).toEqual(['safe']);
    expect(context().alerts[0]?.safe_at).not.toBeNull();
  });

  it('keep what was said over a lost connection, and say it when that is back', async () => {
    let isDown = true;
    const { actor, clock, sent, context } = opened(() => (isDown ? Promise.reject({ code: 'unavailable' }) : Promise.resolve(null)));
    await settled();
    actor.send({ type: 'emergency.safe', id });
    await settled();
    expect(context().outgoing).toHaveLength(1);
    isDown = false;
    clock.increment(4_000);
    await settled();
    expect([sent.length, context().outgoing.length]).toEqual([2, 0]);
  });

  it('sound until they are answered, or over', async () => {
    const { actor, clock, world, heard } = opened(() => Promise.resolve(null));
    await settled();
    clock.increment(20_000);
    actor.send(changed);
    await settled();
    expect(heard).toEqual(['emergency', 'emergency']);
    actor.send({ type: 'emergency.safe', id });
    await settled();
    clock.increment(60_000);
    expect(heard).toHaveLength(2);
    world.alerts = [activeAlert({ started_at: '2026-03-01T11:00:00.000Z' })];
    actor.send(changed);
    await settled();
    expect(heard).toHaveLength(3);
    world.alerts = [];
    actor.send(changed);
    await settled();
    clock.increment(60_000);
    expect(heard).toHaveLength(3);
  });

  it('of a drill are heard once, as a notification is; what was answered elsewhere is not heard', async () => {
    const { actor, clock, world, heard } = opened(() => Promise.resolve(null), [activeAlert({ is_drill: true })]);
    await settled();
    world.alerts = [activeAlert({ is_drill: true }), activeAlert({ id: uuid(852), safe_at: '2026-03-01T10:01:00.000Z' })];
    actor.send(changed);
    await settled();
    clock.increment(60_000);
    expect(heard).toEqual(['warning']);
  });

  it('drop what was said of an alert that is over or was started anew', async () => {
    const { actor, clock, world, sent, context } = opened(() => Promise.reject({ code: 'unavailable' }));
    await settled();
    actor.send({ type: 'emergency.safe', id });
    await settled();
    world.alerts = [activeAlert({ started_at: '2026-03-01T11:00:00.000Z' })];
    actor.send(changed);
    await settled();
    clock.increment(4_000);
    await settled();
    expect([sent.length, context().outgoing.length, context().alerts[0]?.safe_at]).toEqual([1, 0, null]);
  });
});
