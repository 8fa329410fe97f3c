import { createActor, fromPromise, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import type { Offer, PaletteDoor } from '#machines/palette/offers.ts';
import { paletteMachine } from '#machines/palette/palette.machine.ts';
import type { Found } from '#models/search.ts';
import { uuid } from '#tests/support/people.ts';
import { paletteStory } from '#tests/support/stories/palette.ts';
import { type Driver, runStory } from '#tests/support/story.ts';

const screen: Offer = { kind: 'screen', target: '/users', title: 'Users', detail: null, words: '' };
const signOut: Offer = { kind: 'act', target: 'signOut', title: 'Sign out', detail: null, words: '' };
const gate = { id: uuid(8), name: 'River gate', token: 'the-token-of-the-river-gate' };
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
};

interface Deps {
  recent?: readonly string[];
  find?: (text: string, recent: readonly string[]) => Promise<readonly Found[]>;
}
function played({ recent = [], find = () => Promise.resolve([]) }: Deps = {}) {
  const clock = new SimulatedClock();
  const asked: string[] = [];
  const stored: (readonly string[])[] = [];
  const picked: Offer[] = [];
  let answer: { resolve: (outcome: 'confirmed') => void; reject: (error: unknown) => void } | undefined;
  const machine = paletteMachine.provide({
    actors: {
      recallRecent: fromPromise(() => Promise.resolve(recent)),
      findRows: fromPromise(({ input }) => {
        asked.push(input.text);
        return find(input.text, input.recent);
      }),
      readPaletteDoors: fromPromise((): Promise<readonly PaletteDoor[]> => Promise.resolve([gate])),
      openPaletteDoor: fromPromise(() => new Promise<'confirmed' | 'unconfirmed'>((resolve, reject) => (answer = { resolve, reject }))),
    },
    actions: { saveRecent: (_, params) => void stored.push(params.recent) },
  });
  const actor = createActor(machine, { clock, input: { own: [screen, signOut], doorWords: 'Open the door' } });
  actor.on('palette.picked', ({ offer }) => void picked.push(offer));
  actor.start();
  return { actor, clock, asked, stored, picked, door: () => answer };
}
const titles = ({ actor }: ReturnType<typeof played>): string[] => actor.getSnapshot().context.offers.map(({ title }) => title);
async function typed(here: ReturnType<typeof played>, text: string): Promise<void> {
  here.actor.send({ type: 'palette.type', text });
  here.clock.increment(60);
  await settle();
}

function driver(): Driver {
  const here = played();
  const { actor, clock } = here;
  const type = (text: string) => () => typed(here, text);
  return {
    where: async () => {
      await settle();
      const snapshot = actor.getSnapshot();
      if (here.picked.length > 0) return 'gone';
      if (snapshot.hasTag('asking')) return 'asksForGate';
      if (snapshot.hasTag('opening')) return 'opensGate';
      if (snapshot.hasTag('confirmed')) return 'saysOpen';
      if (snapshot.hasTag('unconfirmed')) return 'saysUnconfirmed';
      if (snapshot.hasTag('refused')) return 'saysRefused';
      const offered = titles(here);
      if (offered.length === 0) return 'offersNothing';
      return offered.includes('River gate') ? 'offersGate' : offered.includes('Sign out') ? 'offersAll' : 'offersUsers';
    },
    words: {
      typeUsers: type('use'),
      typeGate: type('gate'),
      typeNonsense: type('zzz'),
      wipe: type(''),
      pick: () => actor.send({ type: 'palette.pick' }),
      goBack: () => actor.send({ type: 'palette.back' }),
      openIt: () => actor.send({ type: 'palette.confirm' }),
      gateSaysOpen: () => here.door()?.resolve('confirmed'),
      gateSaysNothing: () => clock.increment(6_000),
      gateIsRefused: () => here.door()?.reject({ code: 'forbidden' }),
    },
    buttons: [
      { name: 'Open', words: ['openIt'], isThere: () => actor.getSnapshot().can({ type: 'palette.confirm' }) },
      { name: 'Back', words: ['goBack'], isThere: () => actor.getSnapshot().can({ type: 'palette.back' }) },
    ],
  };
}

describe('the command palette, as told', () => {
  runStory(paletteStory, driver);

  it('asks the server once the hand rests, and only for what is typed last', async () => {
    const here = played();
    await settle();
    here.actor.send({ type: 'palette.type', text: 'a' });
    here.clock.increment(59);
    here.actor.send({ type: 'palette.type', text: 'an' });
    here.clock.increment(60);
    await settle();
    expect(here.asked).toEqual(['an']);
  });

  it('drops an answer to what is no longer typed', async () => {
    let late: ((rows: readonly Found[]) => void) | undefined;
    const here = played({
      find: (text) =>
        text === 'a' ? new Promise((resolve) => (late = resolve)) : Promise.resolve([{ area: 'users', id: uuid(2), name: 'Bea', detail: null }]),
    });
    await typed(here, 'a');
    await typed(here, 'be');
    late?.([{ area: 'users', id: uuid(1), name: 'Anna', detail: null }]);
    await settle();
    expect(titles(here)).toEqual(['Bea']);
  });

  it('offers first what was used lately, by its rows as they are now, and remembers what is picked', async () => {
    const anna: Found = { area: 'users', id: uuid(1), name: 'Anna', detail: null };
    const here = played({
      recent: [`users:${anna.id}`, `users:${uuid(9)}`, 'act:signOut'],
      find: (_text, recent) => Promise.resolve(recent.includes(anna.id) ? [anna] : []),
    });
    await settle();
    expect(titles(here)).toEqual(['Anna', 'Sign out', 'Users']);
    here.actor.send({ type: 'palette.pick', key: 'screen:/users' });
    expect(here.stored).toEqual([['screen:/users', `users:${anna.id}`, `users:${uuid(9)}`, 'act:signOut']]);
  });

  it('moves round the lines and keeps the mark on its line when more is found', async () => {
    const here = played({ find: () => Promise.resolve([{ area: 'users', id: uuid(1), name: 's', detail: null }]) });
    await settle();
    here.actor.send({ type: 'palette.type', text: 's' });
    const at = (): string | undefined => here.actor.getSnapshot().context.offers[here.actor.getSnapshot().context.at]?.title;
    expect(titles(here)).toEqual(['Sign out', 'Users']);
    here.actor.send({ type: 'palette.move', to: 'previous' });
    expect(at()).toBe('Users');
    here.clock.increment(60);
    await settle();
    expect([titles(here), at()]).toEqual([['s', 'Sign out', 'Users'], 'Users']);
    here.actor.send({ type: 'palette.move', to: 'next' });
    expect(at()).toBe('s');
  });

  it('says that rows could not be found, keeps what it has, and tries again', async () => {
    let fails = true;
    const here = played({ find: () => (fails ? Promise.reject({ code: 'offline' }) : Promise.resolve([])) });
    await typed(here, 'users');
    expect([here.actor.getSnapshot().hasTag('failed'), titles(here)]).toEqual([true, ['Users']]);
    fails = false;
    here.actor.send({ type: 'palette.retry' });
    await settle();
    expect(here.actor.getSnapshot().hasTag('failed')).toBe(false);
  });
});
