import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { listMachine } from '#machines/list/list.machine.ts';
import type { DeleteAnswer, ListContext } from '#machines/list/list-rows.ts';
import type { Page } from '#machines/rows.ts';
import type { Job } from '#models/job.ts';
import { emptyQuery } from '#models/query.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { uuid } from '#tests/support/people.ts';

const [first, second] = [
  { id: uuid(1), name: 'Anna' },
  { id: uuid(2), name: 'Boris' },
] as const;
const page: Page = { rows: [first, second], total: 2, asOf: '2026-01-01T00:00:00Z' };
const job: Job = {
  id: uuid(9),
  kind: 'bulk_delete',
  state: 'queued',
  done: 0,
  total: 2,
  file_name: null,
  failures: [],
  problem: null,
  created_at: '2026-01-01T00:00:00Z',
};
const searching = { ...emptyQuery, filters: { match: 'match_all' as const, items: [{ field: 'name', rule: 'contains' as const, value: 'an' }] } };

const samples = {
  'query.show': [
    { type: 'query.show', query: emptyQuery },
    { type: 'query.show', query: searching },
    { type: 'query.show', query: { ...emptyQuery, page: 2 } },
  ],
  'query.change': { type: 'query.change', patch: { sort: ['-name'] } },
  'rows.reload': { type: 'rows.reload' },
  'rows.changed': { type: 'rows.changed', ids: [second.id] },
  'rows.renew': { type: 'rows.renew' },
  'rows.hold': { type: 'rows.hold' },
  'rows.release': { type: 'rows.release' },
  'row.toggle': { type: 'row.toggle', id: first.id },
  'page.toggle': { type: 'page.toggle' },
  'selection.clear': { type: 'selection.clear' },
  'selection.allMatching': { type: 'selection.allMatching' },
  'rows.delete': [{ type: 'rows.delete' }, { type: 'rows.delete', ids: [second.id] }],
  'rows.export': { type: 'rows.export', format: 'csv', columns: ['name'] },
  'outcomes.clear': { type: 'outcomes.clear' },
  'dialog.answered': [
    { type: 'dialog.answered', id: 'dialog:1', action: 'approve', about: 'delete' },
    { type: 'dialog.answered', id: 'dialog:1', action: 'cancel', about: 'delete' },
  ],
} satisfies Samples<EventFromLogic<typeof listMachine>>;

describe('a list', () => {
  mapTests(listMachine, {
    inputs: [
      { area: 'users', query: emptyQuery },
      { area: 'users', query: { ...emptyQuery, page: 2 } },
    ],
    samples,
    answers: {
      loadFirst: [page, { ...page, rows: [], total: 2 }],
      loadAgain: [page, { ...page, rows: [first], total: 1 }, { ...page, rows: [], total: 2 }],
      loadQuietly: [page, { ...page, rows: [{ ...first, version: 2 }], total: 1 }, { ...page, rows: [], total: 2 }],
      deleteRows: [
        { outcomes: [{ id: first.id, name: 'Anna', ok: true }] },
        { outcomes: [{ id: first.id, name: 'Anna', ok: false, problem: { code: 'in_use', message: 'item is in use' } }] },
        { job },
      ] satisfies DeleteAnswer[],
    },
    words: ({ context }) => {
      const { rows, query, selection, allMatching } = context as ListContext;
      const chosen = allMatching ? ', all matching' : selection.length > 0 ? ', some chosen' : '';
      return `[${rows.length > 0 ? 'rows' : 'no rows'}${query.page > 1 ? ', page 2' : ''}${chosen}]`;
    },
  });
});
