import { createActor, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import { waitingCallsMachine } from '#machines/phone/waiting-calls.machine.ts';
import type { ServerCall } from '#models/call.ts';
import { topics } from '#models/realtime.ts';
import { waiting } from '#tests/support/phone.ts';
import { held } from '#tests/support/ports.ts';

const published = (call: ServerCall) =>
  ({ type: 'realtime.events', events: [{ topic: topics.calls('700'), name: 'CallUpdated', payload: { ...call } }] }) as const;

/** A desk whose reading of the queue is on its way. */
async function reading() {
  const readPhoneSettings = held<{ queues: { number: string; name: string; group: null }[]; recall_seconds: number }>();
  const readWaiting = held<{ calls: readonly ServerCall[]; at: number | null }>();
  const machine = waitingCallsMachine.provide({
    actors: { readPhoneSettings: readPhoneSettings.actor as never, readWaiting: readWaiting.actor as never },
  });
  const actor = createActor(machine, { input: { number: '1001', isDesk: true }, clock: new SimulatedClock() });
  const lists: (readonly [string, string])[][] = [];
  actor.on('waiting.read', ({ calls }) => lists.push(calls.map(({ id, status }) => [id, status] as const)));
  actor.start();
  await readPhoneSettings.answer({ queues: [{ number: '700', name: 'Riverside', group: null }], recall_seconds: 60 });
  return { actor, lists, readWaiting };
}

describe('a reading of the queue and what is told meanwhile', () => {
  it('keeps out a call that was destroyed while the reading was on its way', async () => {
    const { actor, lists, readWaiting } = await reading();
    actor.send(published(waiting(1, { status: 'destroyed' })));
    await readWaiting.answer({ calls: [waiting(1), waiting(2)], at: null });
    expect(lists).toEqual([[[waiting(2).id, 'waiting']]]);
  });
  it('takes the newer of a call that is in both, and a call that only was told', async () => {
    const { actor, lists, readWaiting } = await reading();
    actor.send(published(waiting(1, { status: 'answered', answered_by: '1002' })));
    actor.send(published(waiting(3)));
    await readWaiting.answer({ calls: [waiting(1), waiting(2)], at: null });
    expect(lists).toEqual([
      [
        [waiting(1).id, 'answered'],
        [waiting(2).id, 'waiting'],
        [waiting(3).id, 'waiting'],
      ],
    ]);
  });
});
