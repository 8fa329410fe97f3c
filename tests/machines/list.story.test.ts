import { createActor, SimulatedClock } from 'xstate';
import { describe, expect } from 'vitest';
import { type ListEvent, listMachine } from '#machines/list/list.machine.ts';
import type { DeleteAnswer, DeleteTarget } from '#machines/list/list-rows.ts';
import type { Page, Row } from '#machines/rows.ts';
import type { AreaName } from '#models/areas.ts';
import { emptyQuery, type ListQuery } from '#models/query.ts';
import { uuid } from '#tests/support/people.ts';
import { held } from '#tests/support/ports.ts';
import { listStory } from '#tests/support/stories/list.ts';
import { type Driver, runStory } from '#tests/support/story.ts';

const row: Row = { id: uuid(1), name: 'Anna' };
const page: Page = { rows: [row, { id: uuid(2), name: 'Boris' }], total: 40, asOf: '2026-01-01T00:00:00Z' };

function driver(): Driver {
  const loadPage = held<Page, { area: AreaName; query: ListQuery }>();
  const deleteRows = held<DeleteAnswer, DeleteTarget>();
  const actors = { loadPage: loadPage.actor, deleteRows: deleteRows.actor };
  const list = createActor(listMachine.provide({ actors }), { input: { area: 'users', query: emptyQuery }, clock: new SimulatedClock() }).start();
  const press = (event: ListEvent) => () => list.send(event);
  const answerQuestion = (action: string) => press({ type: 'dialog.answered', id: 'dialog:1', action, about: 'delete' });
  const has = (tag: Parameters<ReturnType<typeof list.getSnapshot>['hasTag']>[0]) => list.getSnapshot().hasTag(tag);
  // A question, and rows on their way out, cover the list.
  const uncovered = (event: ListEvent) => () => ended === '' && !has('confirming') && !has('deleting') && list.getSnapshot().can(event);
  const turn: Record<number, number> = { 1: 2, 2: 1 };
  let ended = '';
  const where = (): string => {
    if (ended) return ended;
    const { selection, allMatching, rows } = list.getSnapshot().context;
    if (has('confirming')) return allMatching ? 'askedAboutAll' : has('refreshing') ? 'askedTurning' : has('failed') ? 'askedStale' : 'asked';
    if (has('deleting')) return allMatching ? 'removingAll' : 'removing';
    if (rows.length === 0) return has('failed') ? 'failed' : 'waiting';
    const chosen = allMatching ? 'AllChosen' : selection.length > 0 ? 'Chosen' : '';
    if (has('failed')) return `stale${chosen}`;
    if (has('refreshing')) return `turning${chosen}`;
    return { '': 'seeing', Chosen: 'chosen', AllChosen: 'allChosen' }[chosen];
  };
  return {
    where,
    words: {
      arrived: () => loadPage.answer(page),
      broken: () => loadPage.refuse({ code: 'unavailable' }),
      reload: press({ type: 'rows.reload' }),
      searchOther: press({
        type: 'query.show',
        query: { ...emptyQuery, filters: { match: 'match_all', items: [{ field: 'name', rule: 'contains', value: 'a' }] } },
      }),
      turnPage: () => {
        const { query } = list.getSnapshot().context;
        list.send({ type: 'query.show', query: { ...query, page: turn[query.page] ?? 1 } });
      },
      choose: press({ type: 'row.toggle', id: row.id }),
      exceptOne: press({ type: 'row.toggle', id: row.id }),
      unchoose: press({ type: 'row.toggle', id: row.id }),
      chooseAll: press({ type: 'selection.allMatching' }),
      unchooseAll: press({ type: 'selection.clear' }),
      remove: press({ type: 'rows.delete' }),
      removeAll: press({ type: 'rows.delete' }),
      yes: answerQuestion('approve'),
      no: answerQuestion('cancel'),
      allGone: () => deleteRows.answer({ outcomes: [{ id: row.id, name: 'Anna', ok: true }] }),
      oneStays: () =>
        deleteRows.answer({ outcomes: [{ id: row.id, name: 'Anna', ok: false, problem: { code: 'in_use', message: 'item is in use' } }] }),
      notReached: async () => {
        const all = where() === 'removingAll';
        await deleteRows.refuse({ code: 'offline' });
        expect(has('deleting')).toBe(false);
        if (all) ended = 'unsent';
      },
      workStarted: async () => {
        await deleteRows.answer({
          job: {
            id: uuid(9),
            kind: 'bulk_delete',
            state: 'queued',
            done: 0,
            total: 40,
            file_name: null,
            failures: [],
            problem: null,
            created_at: '2026-01-01T00:00:00Z',
          },
        });
        expect(list.getSnapshot().context.allMatching).toBe(false);
        ended = 'sent';
      },
    },
    buttons: [
      { name: 'choose a row', words: ['choose', 'unchoose', 'exceptOne'], isThere: uncovered({ type: 'row.toggle', id: row.id }) },
      { name: 'choose all that match', words: ['chooseAll'], isThere: uncovered({ type: 'selection.allMatching' }) },
      { name: 'delete', words: ['remove', 'removeAll'], isThere: uncovered({ type: 'rows.delete' }) },
      {
        name: 'answer the question',
        words: ['yes', 'no'],
        isThere: () => list.getSnapshot().can({ type: 'dialog.answered', id: 'dialog:1', action: 'cancel', about: 'delete' }),
      },
    ],
  };
}

describe('a list tells its story', () => {
  runStory(listStory, driver);
});
