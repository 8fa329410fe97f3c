import fc from 'fast-check';
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import { listMachine } from '#machines/list/list.machine.ts';
import { realtimeMachine, type SocketCommand, type SocketReport } from '#machines/realtime/realtime.machine.ts';
import type { Page, Row } from '#machines/rows.ts';
import { emptyQuery } from '#models/query.ts';
import type { ServerWord } from '#models/realtime.ts';
import { uuid } from '#tests/support/people.ts';
import { held, settled } from '#tests/support/ports.ts';
import { silent } from '#tests/support/streams.ts';

const at = '2026-01-01T00:00:00Z';
const users = 'areas.users';
const row = (id: number, version = 1): Row => ({ id: uuid(id), name: `Person ${id}`, version });
const page = (...rows: Row[]): Page => ({ rows, total: rows.length, asOf: at });

async function openList(...rows: Row[]) {
  const loadPage = held<Page, never>();
  const clock = new SimulatedClock();
  const list = createActor(listMachine.provide({ actors: { loadPage: loadPage.actor as never } }), {
    input: { area: 'users', query: emptyQuery },
    clock,
  }).start();
  await loadPage.answer(page(...rows));
  const has = (tag: 'loading' | 'refreshing' | 'ready') => list.getSnapshot().hasTag(tag);
  const changed = (...ids: number[]) => list.send({ type: 'rows.changed', ids: ids.map(uuid) });
  return { list, loadPage, clock, has, changed, context: () => list.getSnapshot().context };
}

describe('a list of which rows change', () => {
  it('reads its page again after a second, once, without a word, and marks what is new', async () => {
    const { loadPage, clock, has, changed, context } = await openList(row(1), row(2));
    for (let count = 0; count < 100; count++) changed(1);
    clock.increment(999);
    expect(loadPage.asked).toHaveLength(1);
    clock.increment(1);
    expect([loadPage.asked.length, has('refreshing'), has('loading'), has('ready')]).toEqual([2, false, false, true]);
    await loadPage.answer(page(row(1, 2), row(2), row(3)));
    expect(context().rows.map(({ id }) => id)).toEqual([uuid(1), uuid(2), uuid(3)]);
    expect(context().changed).toEqual([uuid(1), uuid(3)]);
  });

  it('keeps what is selected, but for rows that are gone', async () => {
    const { list, loadPage, clock, changed, context } = await openList(row(1), row(2), row(3));
    for (const id of [1, 2]) list.send({ type: 'row.toggle', id: uuid(id) });
    changed(2);
    clock.increment(1_000);
    await loadPage.answer(page(row(1), row(3)));
    expect(context().selection).toEqual([uuid(1)]);
  });

  it('leaves rows where they are while a row’s menu is open or a deletion is asked about', async () => {
    const { list, loadPage, clock, changed } = await openList(row(1));
    list.send({ type: 'rows.hold' });
    changed(1);
    clock.increment(10_000);
    expect(loadPage.asked).toHaveLength(1);
    list.send({ type: 'rows.release' });
    list.send({ type: 'rows.delete', ids: [uuid(1)] });
    clock.increment(10_000);
    expect(loadPage.asked).toHaveLength(1);
    list.send({ type: 'dialog.answered', id: 'dialog:1', action: 'cancel', about: 'delete' });
    clock.increment(1_000);
    expect(loadPage.asked).toHaveLength(2);
  });

  it('changed while they were read are read once more', async () => {
    const { loadPage, clock, changed } = await openList(row(1));
    changed(1);
    clock.increment(1_000);
    changed(1);
    await loadPage.answer(page(row(1, 2)));
    clock.increment(1_000);
    expect(loadPage.asked).toHaveLength(3);
  });

  it('leaves them too where the reading had begun before the menu was opened, and reads again when it is closed', async () => {
    const { list, loadPage, clock, changed, context } = await openList(row(1));
    changed(2);
    clock.increment(1_000);
    list.send({ type: 'rows.hold' });
    await loadPage.answer(page(row(1), row(2)));
    clock.increment(10_000);
    expect([context().rows.length, loadPage.asked.length]).toEqual([1, 2]);
    list.send({ type: 'rows.release' });
    clock.increment(1_000);
    await loadPage.answer(page(row(1), row(2)));
    expect(context().rows).toHaveLength(2);
  });

  it('keeps its rows when reading again fails, and reads a failed page when the server is back', async () => {
    const { list, loadPage, clock, changed, has, context } = await openList(row(1));
    changed(1);
    clock.increment(1_000);
    await loadPage.refuse({ code: 'offline' });
    expect([has('ready'), context().rows.length, context().problem]).toEqual([true, 1, null]);
    list.send({ type: 'rows.reload' });
    await loadPage.refuse({ code: 'offline' });
    list.send({ type: 'rows.changed', ids: [] });
    clock.increment(1_000);
    expect(loadPage.waiting()).toBe(1);
  });
});

/** One thing that happens between a server, a wire and a list. */
type Step = 'change' | 'add' | 'remove' | 'deliver' | 'repeat' | 'reverse' | 'cut' | 'reconnect' | 'tick' | 'answer';
const steps: Step[] = ['change', 'add', 'remove', 'deliver', 'repeat', 'reverse', 'cut', 'reconnect', 'tick', 'answer'];

/** Plays a script and answers what the list shows in the end beside what the server has. */
async function play(script: readonly (readonly [Step, number])[]): Promise<{ shown: unknown; stored: unknown }> {
  const clock = new SimulatedClock();
  const stored = new Map<number, number>([1, 2, 3].map((id) => [id, 1]));
  const questions: (() => void)[] = [];
  let report: (fact: SocketReport) => void = () => {};
  let wire: ServerWord[] = [];
  let published: ServerWord[] = [];
  const read = (): Page => page(...[...stored].toSorted(([a], [b]) => a - b).map(([id, version]) => row(id, version)));
  const list = createActor(
    listMachine.provide({
      actors: {
        // The server reads when it is asked; its answer may be long on the way.
        loadPage: fromPromise<Page>(() => {
          const answer = read();
          return new Promise((resolve) => void questions.push(() => resolve(answer)));
        }) as never,
      },
    }),
    { input: { area: 'users', query: emptyQuery }, clock },
  ).start();
  const realtime = createActor(
    realtimeMachine.provide({
      actors: {
        socket: fromCallback<SocketCommand>(({ sendBack, receive }) => {
          report = sendBack;
          receive(({ frames }) => {
            for (const { command, topic } of frames) wire.push({ topic, name: command === 'subscribe' ? 'Subscribed' : 'Alive', payload: {} });
          });
        }),
        wakeups: silent(),
      },
    }),
    { input: { wanted: { test: [users] }, isLate: false }, clock },
  );
  realtime.on('realtime.events', ({ events }) => {
    for (const event of events) if (event.name === 'RowsChanged') list.send({ type: 'rows.changed', ids: event.payload.ids });
  });
  realtime.on('realtime.resynced', () => list.send({ type: 'rows.changed', ids: [] }));
  realtime.start();
  const isOpen = () => realtime.getSnapshot().hasTag('connected');
  const publish = (id: number) => {
    if (isOpen()) wire.push({ topic: users, name: 'RowsChanged', payload: { area: 'users', ids: [uuid(id)] } });
  };
  const deliver = () => {
    if (isOpen() && wire.length > 0) report({ type: 'socket.heard', words: wire, at });
    published = wire;
    wire = [];
  };
  const connect = () => {
    if (realtime.getSnapshot().hasTag('connecting')) report({ type: 'socket.opened', at });
  };
  const answer = async () => {
    questions.shift()?.();
    for (let turn = 0; turn < 4; turn++) await Promise.resolve();
  };
  const acts: Record<Step, (n: number) => void | Promise<void>> = {
    change: (n) => {
      const [id, version] = [...stored][n % Math.max(1, stored.size)] ?? [];
      if (id === undefined || version === undefined) return;
      stored.set(id, version + 1);
      publish(id);
    },
    add: (n) => {
      const id = 10 + (n % 20);
      if (stored.has(id)) return;
      stored.set(id, 1);
      publish(id);
    },
    remove: (n) => {
      const [id] = [...stored][n % Math.max(1, stored.size)] ?? [];
      if (id === undefined) return;
      stored.delete(id);
      publish(id);
    },
    deliver,
    repeat: () => void (wire = [...wire, ...published.filter(({ name }) => name === 'RowsChanged')]),
    reverse: () => void wire.reverse(),
    cut: () => {
      wire = [];
      if (isOpen()) report({ type: 'socket.closed', code: 1006, at, chance: 0.5 });
    },
    reconnect: () => {
      clock.increment(4_000);
      connect();
    },
    tick: () => clock.increment(1_000),
    answer,
  };
  connect();
  deliver();
  await answer();
  for (const [step, n] of script) await acts[step](n);
  // Then nothing more happens, and all that is on its way arrives.
  for (let round = 0; round < 6; round++) {
    clock.increment(4_000);
    connect();
    deliver();
    clock.increment(1_000);
    while (questions.length > 0) await answer();
  }
  const shown = list.getSnapshot().context.rows;
  realtime.stop();
  list.stop();
  return { shown, stored: read().rows };
}

describe('changes told twice, in any order, or not at all (R8)', () => {
  it('leave the list as the server is, whatever happens on the way (1,000 scripts)', async () => {
    const script = fc.array(fc.tuple(fc.constantFrom(...steps), fc.nat(100)), { minLength: 5, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(script, async (published) => {
        const { shown, stored } = await play(published);
        expect(shown).toEqual(stored);
      }),
      { numRuns: 1_000 },
    );
    await settled();
  });
});
