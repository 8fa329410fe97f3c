import { createActor, fromCallback, SimulatedClock } from 'xstate';
import { describe } from 'vitest';
import { realtimeMachine, type SocketCommand, type SocketReport, type WakeReport } from '#machines/realtime/realtime.machine.ts';
import { realtimeStory } from '#tests/support/stories/realtime.ts';
import { type Driver, runStory } from '#tests/support/story.ts';
import { streamOf } from '#tests/support/streams.ts';

const at = '2026-01-01T00:00:00Z';

function driver(): Driver {
  const clock = new SimulatedClock();
  let report: (fact: SocketReport) => void = () => {};
  let wake: () => void = () => {};
  const machine = realtimeMachine.provide({
    actors: {
      socket: fromCallback<SocketCommand>(({ sendBack }) => {
        report = sendBack;
      }),
      wakeups: streamOf<WakeReport>((send) => {
        wake = () => send({ type: 'link.nudged' });
      }),
    },
  });
  const actor = createActor(machine, { input: { wanted: {}, isLate: false }, clock }).start();
  const where = (): string => {
    const snapshot = actor.getSnapshot();
    if (snapshot.matches({ link: { disconnected: 'renewing' } })) return 'fetchingPass';
    if (snapshot.hasTag('disconnected')) return 'pausing';
    if (snapshot.hasTag('connecting')) return snapshot.context.renewed ? 'callingWithNewPass' : 'calling';
    return snapshot.matches({ link: { open: { connected: { pulse: 'probing' } } } }) ? 'askingIfThere' : 'listening';
  };
  return {
    where,
    words: {
      answered: () => report({ type: 'socket.opened', at }),
      hungUp: () => report({ type: 'socket.closed', code: 1001, at, chance: 0.5 }),
      nobodyThere: () => clock.increment(where() === 'calling' ? 10_000 : 5_000),
      strangerToday: () => report({ type: 'socket.refused', spent: false, at, chance: 0.5 }),
      passWasOld: () => report({ type: 'socket.refused', spent: true, at, chance: 0.5 }),
      news: () => report({ type: 'socket.heard', words: [{ topic: 'probe', name: 'Alive', payload: {} }], at }),
      silence: () => clock.increment(12_000),
      lookedAway: () => wake(),
      timePassed: () => clock.increment(4_000),
      newPass: () => actor.send({ type: 'token.renewed' }),
    },
    buttons: [],
  };
}

describe('the realtime channel, as told', () => {
  runStory(realtimeStory, driver);
});
