import { createActor, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import { type ListFact, listMachine } from '#machines/list/list.machine.ts';
import type { DeleteAnswer, DeleteTarget } from '#machines/list/list-rows.ts';
import type { Page, Row } from '#machines/rows.ts';
import type { AreaName } from '#models/areas.ts';
import { emptyQuery, type ListQuery } from '#models/query.ts';
import { uuid } from '#tests/support/people.ts';
import { held } from '#tests/support/ports.ts';

const rows = (...numbers: number[]): Row[] => numbers.map((number) => ({ id: uuid(number), name: `Person ${number}` }));
const pageOf = (found: Row[], total = found.length): Page => ({ rows: found, total, asOf: '2026-01-01T00:00:00Z' });
const query = (page: number): ListQuery => ({ ...emptyQuery, page });

async function list(first = pageOf(rows(1, 2, 3), 60)) {
  const loadPage = held<Page, { area: AreaName; query: ListQuery }>();
  const deleteRows = held<DeleteAnswer, DeleteTarget>();
  const clock = new SimulatedClock();
  const actor = createActor(listMachine.provide({ actors: { loadPage: loadPage.actor, deleteRows: deleteRows.actor } }), {
    input: { area: 'users', query: emptyQuery },
    clock,
  }).start();
  const facts: ListFact[] = [];
  actor.on('*', (fact) => facts.push(fact));
  await loadPage.answer(first);
  const context = () => actor.getSnapshot().context;
  const names = () => context().rows.map(({ name }) => name);
  return { actor, loadPage, deleteRows, clock, facts, context, names };
}
const approve = { type: 'dialog.answered', id: 'dialog:1', action: 'approve', about: 'delete' } as const;

describe('rows', () => {
  it('of an older question never win over a newer one', async () => {
    const { actor, loadPage, names } = await list();
    actor.send({ type: 'query.show', query: query(2) });
    actor.send({ type: 'query.show', query: query(3) });
    expect(loadPage.waiting()).toBe(1);
    await loadPage.answer(pageOf(rows(33), 60));
    await loadPage.answer(pageOf(rows(22), 60));
    expect(names()).toEqual(['Person 33']);
  });

  it('stay while others load and when those do not come', async () => {
    const { actor, loadPage, names, context } = await list();
    actor.send({ type: 'query.show', query: query(2) });
    expect([actor.getSnapshot().hasTag('refreshing'), names().length]).toEqual([true, 3]);
    await loadPage.refuse({ code: 'unavailable' });
    expect([actor.getSnapshot().hasTag('failed'), names().length, context().problem?.code]).toEqual([true, 3, 'unavailable']);
    actor.send({ type: 'rows.reload' });
    await loadPage.answer(pageOf(rows(21), 60));
    expect([names(), context().problem]).toEqual([['Person 21'], null]);
  });

  it('are not asked for again by the same question', async () => {
    const { actor, loadPage } = await list();
    actor.send({ type: 'query.show', query: { ...emptyQuery, sort: [], filters: { match: 'match_all', items: [] } } });
    expect(loadPage.asked).toHaveLength(1);
  });

  it('that never come are a timeout', async () => {
    const { actor, clock, context } = await list();
    actor.send({ type: 'rows.reload' });
    clock.increment(45_000);
    expect(context().problem).toEqual({ code: 'timeout' });
  });

  it('missing beyond the last page lead back to it', async () => {
    const { actor, loadPage, facts } = await list();
    actor.send({ type: 'query.show', query: query(9) });
    await loadPage.answer(pageOf([], 45));
    expect(facts).toEqual([{ type: 'query.wanted', query: query(3) }]);
    // Whoever came too late to hear that says what they show.
    actor.send({ type: 'query.show', query: query(9) });
    expect(facts).toEqual(Array(2).fill({ type: 'query.wanted', query: query(3) }));
    expect(loadPage.asked).toHaveLength(2);
  });
});

describe('a change of the question', () => {
  it('is only wished for, and starts from the first page', async () => {
    const { actor, loadPage, facts } = await list();
    actor.send({ type: 'query.show', query: query(2) });
    actor.send({ type: 'query.change', patch: { sort: ['-name'] } });
    actor.send({ type: 'query.change', patch: { page: 3 } });
    expect(facts).toEqual([
      { type: 'query.wanted', query: { ...emptyQuery, page: 1, sort: ['-name'] } },
      { type: 'query.wanted', query: { ...emptyQuery, page: 3 } },
    ]);
    expect(loadPage.asked).toHaveLength(2);
  });
});

describe('the selection', () => {
  it('holds over pages and forgets rows that are gone', async () => {
    const { actor, loadPage, context } = await list();
    actor.send({ type: 'row.toggle', id: uuid(1) });
    actor.send({ type: 'row.toggle', id: uuid(2) });
    actor.send({ type: 'query.show', query: query(2) });
    await loadPage.answer(pageOf(rows(21, 22), 60));
    actor.send({ type: 'page.toggle' });
    expect(context().selection).toEqual([1, 2, 21, 22].map(uuid));
    actor.send({ type: 'rows.reload' });
    await loadPage.answer(pageOf(rows(22), 59));
    expect(context().selection).toEqual([1, 2, 22].map(uuid));
  });

  it('of a page is taken back as a whole', async () => {
    const { actor, context } = await list();
    actor.send({ type: 'row.toggle', id: uuid(2) });
    actor.send({ type: 'page.toggle' });
    expect(context().selection).toHaveLength(3);
    actor.send({ type: 'page.toggle' });
    expect(context().selection).toEqual([]);
  });

  it('goes with other filters, and stays with another order', async () => {
    const { actor, context } = await list();
    actor.send({ type: 'row.toggle', id: uuid(1) });
    actor.send({ type: 'query.show', query: { ...emptyQuery, sort: ['-name'] } });
    expect(context().selection).toEqual([uuid(1)]);
    actor.send({ type: 'query.show', query: { ...emptyQuery, filters: { match: 'match_any', items: [] } } });
    expect(context().selection).toEqual([]);
  });

  it('of all that match becomes that of the page when one row is left out', async () => {
    const { actor, context } = await list();
    actor.send({ type: 'selection.allMatching' });
    expect(context()).toMatchObject({ allMatching: true, selection: [] });
    actor.send({ type: 'row.toggle', id: uuid(2) });
    expect(context()).toMatchObject({ allMatching: false, selection: [uuid(1), uuid(3)] });
  });
});

describe('deleting', () => {
  it('asks first, naming one row and counting several', async () => {
    const { actor, facts, deleteRows } = await list();
    actor.send({ type: 'rows.delete', ids: [uuid(2)] });
    actor.send({ ...approve, action: 'cancel' });
    actor.send({ type: 'page.toggle' });
    actor.send({ type: 'rows.delete' });
    const titles = facts.flatMap((fact) => (fact.type === 'dialog.ask' ? fact.dialog.title : []));
    expect(titles).toEqual([
      { key: 'areas.users.delete_named', params: { name: 'Person 2' } },
      { key: 'areas.users.delete_question', params: { count: 3 } },
    ]);
    expect(deleteRows.asked).toEqual([]);
  });

  it('keeps what became of each row, reads anew, and leaves chosen what stayed', async () => {
    const { actor, deleteRows, loadPage, context } = await list();
    actor.send({ type: 'row.toggle', id: uuid(1) });
    actor.send({ type: 'row.toggle', id: uuid(2) });
    actor.send({ type: 'rows.delete' });
    actor.send(approve);
    expect(deleteRows.asked).toEqual([{ area: 'users', ids: [uuid(1), uuid(2)] }]);
    const outcomes = [
      { id: uuid(1), name: 'Person 1', ok: true },
      { id: uuid(2), name: 'Person 2', ok: false, problem: { code: 'in_use', message: 'item is in use' } },
    ];
    await deleteRows.answer({ outcomes });
    expect(context()).toMatchObject({ outcomes, selection: [uuid(2)], target: null });
    expect(loadPage.asked).toHaveLength(2);
    actor.send({ type: 'outcomes.clear' });
    expect(context().outcomes).toEqual([]);
  });

  it('of all that match is work that the workspace follows', async () => {
    const { actor, deleteRows, facts, context } = await list();
    const job = {
      id: uuid(9),
      kind: 'bulk_delete' as const,
      state: 'queued' as const,
      done: 0,
      total: 60,
      file_name: null,
      failures: [],
      problem: null,
      created_at: '2026-01-01T00:00:00Z',
    };
    actor.send({ type: 'selection.allMatching' });
    actor.send({ type: 'rows.delete' });
    actor.send(approve);
    expect(deleteRows.asked).toEqual([{ area: 'users', filters: emptyQuery.filters }]);
    await deleteRows.answer({ job });
    expect(facts.at(-1)).toEqual({ type: 'job.start', request: { kind: 'adopt', area: 'users', job } });
    expect(context().allMatching).toBe(false);
  });

  it('goes on while another page is shown', async () => {
    const { actor, deleteRows } = await list();
    actor.send({ type: 'rows.delete', ids: [uuid(1)] });
    actor.send(approve);
    actor.send({ type: 'query.show', query: query(2) });
    expect([deleteRows.waiting(), actor.getSnapshot().hasTag('deleting')]).toEqual([1, true]);
  });

  it('that fails says why and changes nothing', async () => {
    const { actor, deleteRows, facts, context } = await list();
    actor.send({ type: 'row.toggle', id: uuid(1) });
    actor.send({ type: 'rows.delete' });
    actor.send(approve);
    await deleteRows.refuse({ code: 'forbidden' });
    expect(facts.at(-1)).toEqual({ type: 'alert.show', alert: { kind: 'error', problem: { code: 'forbidden' } } });
    expect(context().selection).toEqual([uuid(1)]);
  });
});

it('an export takes the question along', async () => {
  const { actor, facts } = await list();
  const filters: ListQuery['filters'] = { match: 'match_all', items: [{ field: 'name', rule: 'contains', value: 'an' }] };
  actor.send({ type: 'query.show', query: { ...emptyQuery, filters, sort: ['-name'] } });
  actor.send({ type: 'rows.export', format: 'csv', columns: ['name'] });
  expect(facts.at(-1)).toEqual({
    type: 'job.start',
    request: { kind: 'export', area: 'users', format: 'csv', filters, sort: ['-name'], columns: ['name'] },
  });
  actor.send({ type: 'rows.export', format: 'xlsx', readable: true });
  expect(facts.at(-1)).toMatchObject({ request: { format: 'xlsx', readable: true } });
});
