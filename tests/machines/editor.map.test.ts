import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import type { SavedDraft } from '#machines/editor/draft.ts';
import { type EditorContext, editorMachine } from '#machines/editor/editor.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { recoloured, renamed, urgent } from '#tests/support/markers.ts';
import { uuid } from '#tests/support/people.ts';

const base = { name: 'Urgent', color: '#ff0000' };
const saved: SavedDraft = { chain: 'kept', attempt: 1, draft: { ...base, name: 'Soon' }, base, version: 1 };

const samples = {
  'draft.change': [
    { type: 'draft.change', path: ['name'], value: 'Soon' },
    { type: 'draft.change', path: ['name'], value: '' },
    { type: 'draft.change', path: ['name'], value: 'Urgent' },
  ],
  'picker.chosen': { type: 'picker.chosen', path: ['color'], rows: [{ id: uuid(7), name: 'Blue' }], multiple: true },
  'editors.changed': { type: 'editors.changed', people: [{ id: uuid(8), name: 'Anna' }] },
  'draft.store': { type: 'draft.store' },
  'draft.discard': { type: 'draft.discard' },
  'editor.edit': { type: 'editor.edit' },
  'editor.approve': { type: 'editor.approve' },
  'editor.cancel': { type: 'editor.cancel' },
  'editor.leave': { type: 'editor.leave' },
  'editor.delete': { type: 'editor.delete' },
  'editor.retry': { type: 'editor.retry' },
  'row.changed': [
    { type: 'row.changed', ids: [uuid(1)] },
    { type: 'row.changed', ids: [uuid(2)] },
  ],
  'news.take': { type: 'news.take' },
  'conflict.take': { type: 'conflict.take', field: 'name', side: 'mine' },
  'conflict.resolve': { type: 'conflict.resolve' },
  'dialog.answered': [
    { type: 'dialog.answered', id: 'dialog:1', action: 'approve', about: 'leave' },
    { type: 'dialog.answered', id: 'dialog:1', action: 'cancel', about: 'leave' },
  ],
} satisfies Samples<EventFromLogic<typeof editorMachine>>;

describe('an editor', () => {
  mapTests(editorMachine, {
    inputs: [
      { area: 'markers', mode: 'add', preset: base },
      { area: 'markers', mode: 'add', source: { kind: 'copy', id: uuid(1) } },
      { area: 'markers', id: uuid(1), mode: 'edit' },
      { area: 'markers', id: uuid(1), mode: 'view' },
    ],
    samples,
    children: [
      ...[renamed, recoloured, { ...urgent, version: 2 }].map((output) => ({ type: 'xstate.done.actor.peek', output })),
      ...[{ code: 'not_found' }, { code: 'offline' }].map((error) => ({ type: 'xstate.error.actor.peek', error })),
    ],
    answers: {
      loadRow: [urgent],
      loadSource: [{ fields: { ...urgent, name: 'Urgent (copy)' } }],
      recallDraft: [
        { chain: 'new', saved: null },
        { chain: 'kept', saved },
      ],
      saveRow: [{ id: uuid(1) }],
      deleteRow: [undefined],
    },
    failures: {
      saveRow: [
        { code: 'conflict', data: renamed },
        { code: 'conflict', data: recoloured },
        { code: 'conflict', data: { ...urgent, version: 2 } },
        { code: 'conflict', data: { ...urgent, version: 2, name: 'Soon' } },
        { code: 'timeout' },
        { code: 'not_unique', data: { issues: [{ path: ['name'], rule: 'not_unique', params: {} }] } },
      ],
      deleteRow: [{ code: 'in_use' }, { code: 'conflict', data: renamed }],
    },
    words: ({ context }) => {
      const { mode, draft, conflict, news } = context as EditorContext;
      const open = conflict?.fields.filter(({ side }) => side === null).length ?? 0;
      return `[${mode}${draft['name'] === '' ? ', no name' : ''}${conflict ? `, ${open} open` : ''}${news !== null && news !== 'gone' ? ', news' : ''}]`;
    },
  });
});
