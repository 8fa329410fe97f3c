import { createActor, type EventFromLogic, fromCallback } from 'xstate';
import { describe } from 'vitest';
import { confirmDialog } from '#machines/alerts/dialog.ts';
import { type WorkspaceContext, workspaceMachine } from '#machines/workspace/workspace.machine.ts';
import type { Job } from '#models/job.ts';
import { emptyQuery } from '#models/query.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { uuid } from '#tests/support/people.ts';

const requester = createActor(fromCallback(() => {}));
const job: Job = {
  id: uuid(9),
  kind: 'export',
  state: 'completed',
  done: 1,
  total: 1,
  file_name: 'markers.csv',
  failures: [],
  problem: null,
  created_at: '2026-01-01T00:00:00Z',
};
const list = { path: '/markers', kind: 'list', area: 'markers' } as const;
const edit = { pageId: 'a', path: `/markers/${uuid(1)}/edit?pageId=a`, kind: 'edit', area: 'markers', id: uuid(1) } as const;
const editor = `editor:markers:${uuid(1)}:a`;

const samples = {
  'pages.recalled': { type: 'pages.recalled', pages: [list, edit] },
  'page.shown': [
    { type: 'page.shown', page: list },
    { type: 'page.shown', page: edit },
    { type: 'page.shown', page: { path: '/home', kind: 'other' } },
  ],
  'page.closed': [
    { type: 'page.closed', pageId: 'a' },
    { type: 'page.closed', pageId: 'unknown' },
  ],
  'page.leave': [
    { type: 'page.leave', page: list },
    { type: 'page.leave', page: edit },
  ],
  'editor.open': { type: 'editor.open', area: 'group-types', mode: 'add', preset: { name: 'House' } },
  'editor.touched': { type: 'editor.touched', editor },
  'editor.settled': { type: 'editor.settled', editor },
  'editor.saved': { type: 'editor.saved', editor, area: 'markers', id: uuid(1) },
  'editor.deleted': { type: 'editor.deleted', editor, area: 'markers', id: uuid(1) },
  'editor.left': { type: 'editor.left', editor },
  'editor.stayed': { type: 'editor.stayed', editor },
  'child.open': [
    { type: 'child.open', id: 'form:profile', src: 'form', input: { given: null } },
    { type: 'child.open', id: 'list:users:1', src: 'list', input: { area: 'users', query: emptyQuery } },
    { type: 'child.open', id: 'deviceSearch', src: 'deviceSearch' },
    { type: 'child.open', id: 'palette', src: 'palette', input: { own: [], doorWords: '' } },
  ],
  'child.ready': [
    { type: 'child.ready', child: { id: 'palette', src: 'palette', input: { own: [], doorWords: '' } } },
    { type: 'child.ready', child: { id: editor, src: 'editor', input: { area: 'markers', mode: 'edit', place: 'page', id: uuid(1) } } },
    { type: 'child.ready', child: { id: 'picker:groups', src: 'picker', input: { area: 'groups', multiple: true, chosen: [] } } },
  ],
  'child.missing': { type: 'child.missing', id: 'palette', problem: { code: 'chunk_failed' } },
  'child.notify': { type: 'child.notify', id: 'form:profile', event: { type: 'form.save' } },
  'child.close': { type: 'child.close', id: 'form:profile' },
  'form.saved': { type: 'form.saved', form: 'form:profile', answer: null },
  'form.refused': { type: 'form.refused', form: 'form:profile', problem: { code: 'offline' } },
  'form.touched': { type: 'form.touched', form: 'form:profile' },
  'form.settled': { type: 'form.settled', form: 'form:profile' },
  'form.left': { type: 'form.left', form: 'form:profile' },
  'form.stayed': { type: 'form.stayed', form: 'form:profile' },
  'picker.open': { type: 'picker.open', area: 'groups', multiple: true, chosen: [], reply: editor, path: ['name'] },
  'picker.chose': { type: 'picker.chose', rows: [{ id: uuid(3), name: 'Riverside' }] },
  'picker.cancelled': { type: 'picker.cancelled' },
  'job.start': { type: 'job.start', request: { kind: 'adopt', area: 'markers', job } },
  'job.started': { type: 'job.started', id: job.id, child: 'job:1' },
  'realtime.events': {
    type: 'realtime.events',
    events: [
      { topic: 'areas.markers', name: 'RowsChanged', payload: { area: 'markers', ids: [uuid(1)] } },
      { topic: `jobs.${job.id}`, name: 'JobChanged', payload: { id: job.id } },
    ],
  },
  'realtime.resynced': { type: 'realtime.resynced', topics: ['areas.markers', `jobs.${job.id}`] },
  'realtime.gap': { type: 'realtime.gap', asOf: null },
  'token.rejected': { type: 'token.rejected' },
  'job.ended': [
    { type: 'job.ended', job, area: 'markers', own: false },
    { type: 'job.ended', job: { ...job, state: 'failed' }, area: 'markers', own: false },
    { type: 'job.ended', job: { ...job, state: 'cancelled' }, area: 'markers', own: false },
    { type: 'job.ended', job, area: 'markers', own: true },
  ],
  'job.close': { type: 'job.close', id: 'job:1' },
  'rows.changed': { type: 'rows.changed', area: 'markers' },
  'drafts.store': { type: 'drafts.store' },
  'alert.show': { type: 'alert.show', alert: { kind: 'info', key: 'interface.done' } },
  'dialog.ask': {
    type: 'dialog.ask',
    dialog: confirmDialog({ text: { key: 'interface.leave_question' }, approve: { key: 'interface.leave' }, about: 'leave', replyTo: requester }),
  },
  'dialog.withdraw': { type: 'dialog.withdraw', actorIds: ['requester'] },
} satisfies Samples<EventFromLogic<typeof workspaceMachine>>;

describe('the workspace', () => {
  mapTests(workspaceMachine, {
    inputs: [undefined],
    samples,
    answers: { pageMemory: [], loadChild: [] },
    children: [
      { type: `xstate.done.actor.${editor}`, actorId: editor },
      { type: 'xstate.done.actor.job:1', actorId: 'job:1' },
      { type: 'xstate.done.actor.picker:groups', actorId: 'picker:groups' },
      {
        type: 'xstate.done.actor.load.palette',
        actorId: 'load.palette',
        output: { id: 'palette', src: 'palette', input: { own: [], doorWords: '' } },
      },
      { type: 'xstate.error.actor.list:markers', actorId: 'list:markers', error: { code: 'internal' } },
    ],
    words: ({ context }) => {
      const { pages, picker, jobs, dialogs, unsaved, finished, children, loading } = context as WorkspaceContext;
      const stack = pages.map(({ kind }) => kind).join(' < ') || 'no page';
      const form = children.includes('form:profile') && (unsaved.includes('form:profile') ? 'unsaved form' : 'form');
      const besides = form
        ? form
        : picker
          ? 'picker'
          : dialogs.length > 0
            ? 'dialog'
            : jobs.length > 0
              ? 'job'
              : unsaved.length > 0
                ? 'unsaved'
                : finished.length > 0
                  ? 'finished'
                  : loading.includes(editor)
                    ? 'loading'
                    : '';
      return `[${stack}${besides && `; ${besides}`}]`;
    },
  });
});
