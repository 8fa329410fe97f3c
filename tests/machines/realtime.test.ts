import { createActor, fromCallback, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import { realtimeMachine, type RealtimeFact, type SocketCommand, type SocketReport, type WakeReport } from '#machines/realtime/realtime.machine.ts';
import { retryPause } from '#machines/realtime/realtime.setup.ts';
import type { RealtimeEvent, ServerWord } from '#models/realtime.ts';
import { uuid } from '#tests/support/people.ts';
import { streamOf } from '#tests/support/streams.ts';

const at = '2026-01-01T00:00:00Z';
const users = 'areas.users';
const groups = 'areas.groups';
const rows = (...ids: number[]): RealtimeEvent => ({ topic: users, name: 'RowsChanged', payload: { area: 'users', ids: ids.map(uuid) } });
const subscribed = (topic: string): ServerWord => ({ topic, name: 'Subscribed', payload: {} });

/** A channel over a socket and a page in the hands of the test. */
function channel(wanted: readonly string[] = [users]) {
  const clock = new SimulatedClock();
  const facts: RealtimeFact[] = [];
  /** What each connection was told to say. */
  const sockets: { said: string[]; stopped: boolean }[] = [];
  let report: (fact: SocketReport) => void = () => {};
  let wake: () => void = () => {};
  const machine = realtimeMachine.provide({
    actors: {
      socket: fromCallback<SocketCommand>(({ sendBack, receive }) => {
        const socket = { said: [] as string[], stopped: false };
        sockets.push(socket);
        report = sendBack;
        receive(({ frames }) => socket.said.push(...frames.map(({ command, topic }) => `${command} ${topic}`)));
        return () => {
          socket.stopped = true;
        };
      }),
      wakeups: streamOf<WakeReport>((send) => {
        wake = () => send({ type: 'link.nudged' });
      }),
    },
  });
  const actor = createActor(machine, { input: { wanted: { test: wanted }, isLate: false }, clock });
  for (const type of ['realtime.events', 'realtime.resynced', 'realtime.gap', 'token.rejected'] as const) actor.on(type, (fact) => facts.push(fact));
  actor.start();
  const has = (tag: 'connected' | 'connecting' | 'disconnected' | 'apart') => actor.getSnapshot().hasTag(tag);
  return {
    actor,
    clock,
    facts,
    sockets,
    wake: () => wake(),
    open: () => report({ type: 'socket.opened', at }),
    close: (chance = 0.5, code = 1006) => report({ type: 'socket.closed', code, at, chance }),
    refuse: (spent = false) => report({ type: 'socket.refused', spent, at, chance: 0.5 }),
    hear: (...words: ServerWord[]) => report({ type: 'socket.heard', words, at }),
    said: () => sockets.at(-1)?.said ?? [],
    state: () => (['connected', 'connecting', 'disconnected'] as const).filter(has).join(),
    apart: () => has('apart'),
    resynced: () => facts.flatMap((fact) => (fact.type === 'realtime.resynced' ? [...fact.topics] : [])),
    events: () => facts.flatMap((fact) => (fact.type === 'realtime.events' ? [...fact.events] : [])),
    count: (type: RealtimeFact['type']) => facts.filter((fact) => fact.type === type).length,
  };
}

describe('connecting (RT-08, RT-09, R1)', () => {
  it('goes through disconnected, connecting and connected, trying every 4 seconds', () => {
    const { state, close, clock, open, sockets } = channel();
    for (let attempt = 1; attempt <= 8; attempt++) {
      expect([state(), sockets.length]).toEqual(['connecting', attempt]);
      close();
      expect(state()).toBe('disconnected');
      clock.increment(3_999);
      expect(state()).toBe('disconnected');
      clock.increment(1);
    }
    open();
    expect(state()).toBe('connected');
  });

  it('spreads attempts by 20 % more or less, and after ten failures waits longer, a minute at most', () => {
    expect([0, 0.5, 1].map((chance) => retryPause({ failures: 1, chance }))).toEqual([3_200, 4_000, 4_800]);
    expect([10, 11, 12, 13, 14, 50].map((failures) => retryPause({ failures, chance: 0.5 }))).toEqual([4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('gives up an attempt that nobody answers after 10 seconds', () => {
    const { state, clock, sockets } = channel();
    clock.increment(10_000);
    expect([state(), sockets[0]?.stopped]).toEqual(['disconnected', true]);
  });

  it('tries at once when the network is back or the page is looked at, with one socket (R4)', () => {
    const { state, close, wake, sockets } = channel();
    close();
    wake();
    wake();
    wake();
    expect([state(), sockets.length]).toEqual(['connecting', 2]);
  });

  it('holds one open socket at a time, whatever happens', () => {
    const { close, wake, refuse, open, sockets, clock, actor } = channel();
    const moves = [close, wake, () => refuse(true), open, refuse, () => clock.increment(4_000), () => actor.send({ type: 'token.renewed' })];
    for (let round = 0; round < 500; round++) {
      moves[(round * 7 + (round % 11)) % moves.length]?.();
      expect(sockets.filter(({ stopped }) => !stopped).length).toBeLessThanOrEqual(1);
    }
  });

  it('says after 5 seconds, not before, that nothing is heard', () => {
    const { open, close, clock, apart } = channel();
    open();
    clock.increment(5_000);
    expect(apart()).toBe(false);
    close();
    clock.increment(4_000);
    open();
    clock.increment(10_000);
    expect(apart()).toBe(false);
    close();
    clock.increment(4_999);
    expect(apart()).toBe(false);
    clock.increment(1);
    expect(apart()).toBe(true);
    open();
    expect(apart()).toBe(false);
  });
});

describe('subscribing (RT-10, R5)', () => {
  it('asks for each wanted topic exactly once on every connection', () => {
    const { open, close, clock, said, hear } = channel([users, groups]);
    open();
    expect(said()).toEqual([`subscribe ${users}`, `subscribe ${groups}`]);
    hear(subscribed(users), subscribed(groups));
    clock.increment(11_000);
    expect(said()).toHaveLength(2);
    close();
    clock.increment(4_000);
    open();
    expect(said()).toEqual([`subscribe ${users}`, `subscribe ${groups}`]);
  });

  it('asks again every 5 seconds for what was not acknowledged, and only for that', () => {
    const { open, clock, said, hear } = channel([users, groups]);
    open();
    hear(subscribed(groups));
    clock.increment(5_000);
    clock.increment(5_000);
    expect(said().filter((frame) => frame === `subscribe ${users}`)).toHaveLength(3);
    expect(said().filter((frame) => frame === `subscribe ${groups}`)).toHaveLength(1);
    hear(subscribed(users));
    clock.increment(11_000);
    expect(said().filter((frame) => frame === `subscribe ${users}`)).toHaveLength(3);
  });

  it('counts who wants a topic: it is given up when nobody does any more', () => {
    const { open, said, hear, actor } = channel([users]);
    open();
    hear(subscribed(users));
    actor.send({ type: 'topics.want', owner: 'other', topics: [users, groups] });
    expect(said()).toEqual([`subscribe ${users}`, `subscribe ${groups}`]);
    actor.send({ type: 'topics.want', owner: 'test', topics: [] });
    expect(said()).toHaveLength(2);
    actor.send({ type: 'topics.want', owner: 'other', topics: [groups] });
    expect(said().at(-1)).toBe(`unsubscribe ${users}`);
  });

  it('does not ask again for what was refused, until the role changes or the connection is another', () => {
    const { open, said, hear, clock } = channel([users, 'private-app-changes']);
    open();
    hear({ topic: users, name: 'Refused', payload: { code: 'forbidden' } }, subscribed('private-app-changes'));
    clock.increment(10_000);
    expect(said()).toHaveLength(2);
    hear({ topic: 'private-app-changes', name: 'RoleChanged', payload: { roleId: uuid(1) } });
    expect(said().at(-1)).toBe(`subscribe ${users}`);
  });
});

describe('gaps', () => {
  it('says what is to be read again once each topic is heard again, not before', () => {
    const { open, hear, close, clock, resynced, count } = channel([users, groups]);
    open();
    hear(subscribed(users), subscribed(groups));
    expect(resynced()).toEqual([]);
    close();
    expect(count('realtime.gap')).toBe(1);
    clock.increment(4_000);
    open();
    expect(resynced()).toEqual([]);
    hear(subscribed(groups));
    expect(resynced()).toEqual([groups]);
    hear(subscribed(users));
    expect(resynced()).toEqual([groups, users]);
  });

  it('reads again what became wanted while nothing was heard, or was acknowledged late', () => {
    const { open, hear, clock, resynced, close, actor } = channel([users]);
    open();
    clock.increment(5_000);
    hear(subscribed(users));
    expect(resynced()).toEqual([users]);
    close();
    actor.send({ type: 'topics.want', owner: 'other', topics: [groups] });
    clock.increment(4_000);
    open();
    hear(subscribed(groups));
    expect(resynced()).toEqual([users, groups]);
  });

  it('reads all again when the server says that it missed something itself', () => {
    const { open, hear, resynced } = channel([users, groups]);
    open();
    hear(subscribed(users), subscribed(groups), { topic: '', name: 'Gap', payload: {} });
    expect(resynced()).toEqual([users, groups]);
  });
});

describe('signs of life (R3)', () => {
  it('finds out within 20 seconds that nobody is there', () => {
    const { open, clock, state, said } = channel();
    open();
    clock.increment(12_000);
    expect(said().at(-1)).toBe('publish probe');
    clock.increment(4_999);
    expect(state()).toBe('connected');
    clock.increment(1);
    expect(state()).toBe('disconnected');
  });

  it('asks nothing while words come, and asks at once when the page is looked at again', () => {
    const { open, hear, clock, said, wake, state } = channel([]);
    open();
    for (let round = 0; round < 10; round++) {
      clock.increment(10_000);
      hear({ topic: 'probe', name: 'Alive', payload: {} });
    }
    expect(said()).toEqual([]);
    wake();
    expect(said()).toEqual(['publish probe']);
    clock.increment(5_000);
    expect(state()).toBe('disconnected');
  });
});

describe('a dead token (R10, R11)', () => {
  it('is told once, and waited for without trying again', () => {
    const { refuse, count, clock, sockets, state, actor, open } = channel();
    refuse();
    expect([count('token.rejected'), state()]).toEqual([1, 'disconnected']);
    clock.increment(30_000);
    expect(sockets).toHaveLength(1);
    actor.send({ type: 'token.renewed' });
    expect(sockets).toHaveLength(2);
    open();
    expect([count('token.rejected'), state()]).toEqual([1, 'connected']);
  });

  it('that is refused again after it was renewed is not renewed in a loop', () => {
    const { refuse, count, clock, actor } = channel();
    for (let round = 0; round < 20; round++) {
      refuse();
      actor.send({ type: 'token.renewed' });
      clock.increment(60_000);
    }
    expect(count('token.rejected')).toBe(1);
  });

  it('for which there is a newer one already is no reason to ask: the newer one is tried', () => {
    const { refuse, count, sockets } = channel();
    refuse(true);
    expect([count('token.rejected'), sockets.length]).toEqual([0, 2]);
  });
});

describe('what is heard', () => {
  it('is told once a picture: changes of one area as one, everything else in its order', () => {
    const { open, hear, facts, count } = channel([users, 'private-user.1']);
    open();
    hear(subscribed(users));
    const call = (step: number): RealtimeEvent => ({ topic: 'private-user.1', name: 'CallUpdated', payload: { step } });
    hear(rows(1), call(1), rows(2), call(2), rows(1, 3));
    expect(count('realtime.events')).toBe(1);
    expect(facts.at(-1)).toEqual({ type: 'realtime.events', events: [rows(1, 2, 3), call(1), call(2)] });
  });

  it('about topics nobody wants is dropped', () => {
    const { open, hear, events } = channel([groups]);
    open();
    hear(rows(1));
    expect(events()).toEqual([]);
  });

  it('with "any row" among changes means any row', () => {
    const { open, hear, events } = channel();
    open();
    hear(rows(1), rows(), rows(2));
    expect(events()).toEqual([rows()]);
  });
});
