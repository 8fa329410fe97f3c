import { type AnyActorLogic, createActor, type EventFromLogic, fromPromise } from 'xstate';
import { describe, expect, it } from 'vitest';
import { Moves } from '#server/telephony/calls/moves.ts';
import { type CallContext, UnpluggedCall } from '#server/telephony/calls/server-call.setup.ts';
import { serverCallMachine } from '#server/telephony/calls/server-call.machine.ts';
import type { Offer, Route, Stage } from '#server/telephony/calls/types.ts';
import { carelessInvokes, endlessWaits } from '#tests/support/actor-tree.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const callee: Offer = { leg: 'callee', number: '1003', as: 'callee' };
const desk: Offer = { leg: 'desk', number: '1001', as: 'desk' };
const interceptor: Offer = { leg: 'operator', number: '1002', as: 'interceptor' };
const stage = (goesOnAfterError: boolean): Stage => ({
  rings: [{ number: '1003', name: null, as: 'callee', phone: false, door: null }],
  seconds: 10,
  goesOnAfterError,
});
const open = (more: Partial<Extract<Route, { kind: 'open' }>>): Route => ({
  kind: 'open',
  type: 'normal',
  stages: [],
  queue: false,
  talkSeconds: 120,
  ...more,
});
const legs = ['callee', 'desk'] as const;

const samples = {
  'offers.made': [
    { type: 'offers.made', offers: [callee], round: 1 },
    { type: 'offers.made', offers: [desk], round: 1 },
    { type: 'offers.made', offers: [], round: 1 },
    { type: 'offers.made', offers: [desk], round: 2 },
  ],
  'leg.progress': { type: 'leg.progress', leg: 'callee' },
  'leg.confirmed': legs.map((leg) => ({ type: 'leg.confirmed', leg }) as const),
  'leg.ended': [
    ...legs.map((leg) => ({ type: 'leg.ended', leg, parting: 'left' }) as const),
    { type: 'leg.ended', leg: 'desk', parting: 'lost' },
    { type: 'leg.ended', leg: 'desk', parting: 'silent' },
  ],
  'caller.left': [
    { type: 'caller.left', lost: false },
    { type: 'caller.left', lost: true },
  ],
  'number.came': ['1001', '1003'].map((number) => ({ type: 'number.came', number }) as const),
  'call.join': [
    { type: 'call.join', offer: desk },
    { type: 'call.join', offer: interceptor },
  ],
  'call.stop': { type: 'call.stop', reason: 'stopped' },
  'call.handOver': { type: 'call.handOver' },
} satisfies Samples<EventFromLogic<typeof serverCallMachine>>;

describe('a call of the server', () => {
  mapTests(serverCallMachine, {
    inputs: [
      { sos: false, adopted: false, joined: null },
      { sos: false, adopted: true, joined: callee },
    ],
    samples,
    answers: {
      findRoute: [
        { kind: 'refused', status: 404, reason: 'unknown_number' } satisfies Route,
        open({ stages: [stage(true)] }),
        open({ stages: [stage(false)] }),
        open({ stages: [stage(true), stage(true)], queue: true }),
        open({ type: 'awaiting', queue: true }),
        open({}),
      ],
      claim: [true, false],
      connect: [undefined],
    },
    words: ({ context }) => {
      const { type, stages, stage: now, queue, offers, claimant, owner, answered } = context as CallContext;
      return [
        type === 'awaiting' ? '[awaiting]' : '',
        stages.length > 0 ? '[more]' : '',
        now?.goesOnAfterError === false && !answered ? '[stops]' : '',
        queue && type === 'normal' ? '[queue]' : '',
        offers.length > 0 ? `[rings ${[...new Set(offers.map(({ as }) => as))].toSorted().join(' ')}]` : '',
        claimant ? `[claimed by ${claimant.as}]` : '',
        owner ? `[of ${owner.as}]` : '',
        answered ? '[answered]' : '',
      ]
        .filter(Boolean)
        .join(' ');
    },
  });

  it('can be brought down by nothing it invokes, and waits for nothing without end', () => {
    expect(carelessInvokes(serverCallMachine)).toEqual([]);
    expect(endlessWaits(serverCallMachine, [])).toEqual([]);
  });

  it('has its ports loudly unplugged', async () => {
    const failures = await Promise.all(
      Object.entries(serverCallMachine.implementations.actors as Record<string, AnyActorLogic>).map(
        ([name, logic]) =>
          new Promise<unknown>((resolve) => {
            const actor = createActor(logic, { input: {} });
            actor.subscribe({ error: (error) => resolve(error instanceof UnpluggedCall ? null : name) });
            actor.start();
          }),
      ),
    );
    expect(failures.filter(Boolean)).toEqual([]);
  });

  it('spells its events subject.verb', () => {
    const own = serverCallMachine.events.filter((type) => !type.startsWith('xstate.'));
    expect(own.filter((type) => !/^[a-z][a-zA-Z]*\.[a-z][a-zA-Z]*$/.test(type))).toEqual([]);
  });
});

describe('a call that runs', () => {
  it('can be looked at, and the log is told: each move by event and state, and of nothing that they carry', async () => {
    const lines: object[] = [];
    const moves = new Moves('7f3a', { log: { debug: ((line: object) => lines.push(line)) as never }, now: () => new Date(0) });
    const idle = () => undefined;
    const machine = serverCallMachine.provide({
      actors: {
        findRoute: fromPromise(async () => open({ stages: [stage(true)] })),
        claim: fromPromise(async () => true),
        connect: fromPromise(idle as never),
      },
      actions: {
        ring: idle,
        ringDesk: idle,
        notifyRinging: idle,
        holdCaller: idle,
        cancelOffers: idle,
        refuseJoin: idle,
        releaseLeg: idle,
        storeStatus: idle,
        finish: idle,
      },
    });
    const actor = createActor(machine, {
      id: 'call:7f3a',
      input: { sos: false, adopted: false, joined: null },
      inspect: (seen) => moves.hear(seen),
    }).start();
    await expect.poll(() => actor.getSnapshot().hasTag('ringing')).toBe(true);
    actor.send({ type: 'offers.made', offers: [callee], round: 1 });
    actor.send({ type: 'leg.confirmed', leg: 'callee' });
    await expect.poll(() => actor.getSnapshot().hasTag('talking')).toBe(true);
    expect(new Set(lines.flatMap((line) => Object.keys(line)))).toEqual(new Set(['call', 'event', 'states']));
    expect(lines).toContainEqual(expect.objectContaining({ call: '7f3a', event: 'leg.confirmed' }));
    expect(JSON.stringify([lines, moves.last])).not.toContain('1003');
    expect(moves.last.map(({ event }) => event)).toEqual(expect.arrayContaining(['xstate.init', 'offers.made', 'leg.confirmed']));
  });
});
