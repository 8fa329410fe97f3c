import { createActor, SimulatedClock } from 'xstate';
import { expect, it } from 'vitest';
import { type PickerFact, pickerMachine, type PickerRequest } from '#machines/picker.machine.ts';
import type { Page } from '#machines/rows.ts';
import type { AreaName } from '#models/areas.ts';
import type { ListQuery } from '#models/query.ts';
import { uuid } from '#tests/support/people.ts';
import { held } from '#tests/support/ports.ts';

const person = (number: number) => ({ id: uuid(number), name: `Person ${number}` });
const page = (total: number, ...numbers: number[]): Page => ({ rows: numbers.map(person), total, asOf: '2026-01-01T00:00:00Z' });

function picker(request: Partial<PickerRequest> = {}) {
  const loadPage = held<Page, { area: AreaName; query: ListQuery }>();
  const clock = new SimulatedClock();
  const actor = createActor(pickerMachine.provide({ actors: { loadPage: loadPage.actor } }), {
    input: { area: 'users', multiple: true, chosen: [], ...request },
    clock,
  }).start();
  const facts: PickerFact[] = [];
  actor.on('*', (fact) => facts.push(fact));
  const asked = () => loadPage.asked.map(({ query }) => query);
  const names = () => actor.getSnapshot().context.rows.map(({ name }) => name);
  return { actor, loadPage, clock, facts, asked, names };
}

it('asks with its own filters and the searched words, a while after the last letter', async () => {
  const { actor, loadPage, clock, asked } = picker({ filters: [{ field: 'role', rule: 'equals', value: uuid(2) }] });
  await loadPage.answer(page(1, 1));
  actor.send({ type: 'picker.search', text: 'a' });
  clock.increment(299);
  actor.send({ type: 'picker.search', text: ' an ' });
  clock.increment(299);
  expect(asked()).toHaveLength(1);
  clock.increment(1);
  expect(asked().at(-1)).toEqual({
    page: 1,
    size: 20,
    sort: ['name'],
    with: [],
    filters: {
      match: 'match_all',
      items: [
        { field: 'role', rule: 'equals', value: uuid(2) },
        { field: 'name', rule: 'contains', value: 'an' },
      ],
    },
  });
});

it('shows only what answers the newest words', async () => {
  const { actor, loadPage, clock, names } = picker();
  await loadPage.answer(page(1, 1));
  actor.send({ type: 'picker.search', text: 'a' });
  clock.increment(300);
  actor.send({ type: 'picker.search', text: 'an' });
  clock.increment(300);
  await loadPage.answer(page(1, 3));
  await loadPage.answer(page(1, 2));
  expect(names()).toEqual(['Person 3']);
});

it('loads more as long as there is more, no row twice', async () => {
  const { actor, loadPage, names, asked } = picker();
  await loadPage.answer(page(3, 1, 2));
  actor.send({ type: 'picker.more' });
  await loadPage.answer(page(3, 2, 3));
  expect([names(), asked().map(({ page: number }) => number)]).toEqual([
    ['Person 1', 'Person 2', 'Person 3'],
    [1, 2],
  ]);
  expect(actor.getSnapshot().can({ type: 'picker.more' })).toBe(false);
});

it('keeps what is there when more cannot be loaded, and may be asked again', async () => {
  const { actor, loadPage, names, asked } = picker();
  await loadPage.answer(page(3, 1));
  actor.send({ type: 'picker.more' });
  await loadPage.refuse({ code: 'offline' });
  expect([names(), actor.getSnapshot().context.problem?.code]).toEqual([['Person 1'], 'offline']);
  actor.send({ type: 'picker.more' });
  expect(asked().map(({ page: number }) => number)).toEqual([1, 2, 2]);
});

it('that fails at first offers another try', async () => {
  const { actor, loadPage } = picker();
  await loadPage.refuse({ code: 'unavailable' });
  expect(actor.getSnapshot().hasTag('failed')).toBe(true);
  actor.send({ type: 'rows.reload' });
  await loadPage.answer(page(1, 1));
  expect([actor.getSnapshot().hasTag('ready'), actor.getSnapshot().context.problem]).toEqual([true, null]);
});

it('keeps chosen rows over searches, up to the most allowed', async () => {
  const { actor, loadPage, clock, facts } = picker({ chosen: [person(9)], max: 2 });
  await loadPage.answer(page(3, 1, 2, 3));
  actor.send({ type: 'picker.toggle', row: person(1) });
  expect(actor.getSnapshot().can({ type: 'picker.toggle', row: person(2) })).toBe(false);
  expect(actor.getSnapshot().can({ type: 'picker.toggle', row: person(9) })).toBe(true);
  actor.send({ type: 'picker.search', text: 'two' });
  clock.increment(300);
  await loadPage.answer(page(0));
  actor.send({ type: 'picker.approve' });
  expect(facts).toEqual([{ type: 'picker.chose', rows: [person(9), person(1)] }]);
});

it('of one row is done with the first touch', async () => {
  const { actor, loadPage, facts } = picker({ multiple: false, chosen: [person(9)] });
  await loadPage.answer(page(1, 1));
  actor.send({ type: 'picker.toggle', row: person(1) });
  expect([facts, actor.getSnapshot().status]).toEqual([[{ type: 'picker.chose', rows: [person(1)] }], 'done']);
});

it('that is cancelled chooses nothing', () => {
  const { actor, facts } = picker({ chosen: [person(9)] });
  actor.send({ type: 'picker.cancel' });
  expect(facts).toEqual([{ type: 'picker.cancelled' }]);
});
