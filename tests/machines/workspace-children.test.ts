import { createActor, type EventObject, fromCallback, fromPromise } from 'xstate';
import { describe, expect, it } from 'vitest';
import { editorMachine } from '#machines/editor/editor.machine.ts';
import type { JobRequest } from '#machines/job-request.ts';
import { jobMachine } from '#machines/job.machine.ts';
import { paletteMachine } from '#machines/palette/palette.machine.ts';
import type { LaterChild } from '#machines/view-child.ts';
import type { PageShown } from '#machines/workspace/pages.ts';
import type { WorkspaceEvent } from '#machines/workspace/workspace-events.ts';
import { editorAt, editorOf, type WorkspaceFact, workspaceMachine } from '#machines/workspace/workspace.machine.ts';
import type { Job } from '#models/job.ts';
import { emptyQuery } from '#models/query.ts';
import { uuid } from '#tests/support/people.ts';

const edit: PageShown = { pageId: 'a', path: `/markers/${uuid(1)}/edit?pageId=a`, kind: 'edit', area: 'markers', id: uuid(1) };
const home: PageShown = { path: '/home', kind: 'other' };
const changed: WorkspaceEvent = {
  type: 'realtime.events',
  events: [{ topic: 'areas.markers', name: 'RowsChanged', payload: { area: 'markers', ids: [uuid(1)] } }],
};
const request: JobRequest = { kind: 'export', area: 'markers', format: 'csv', filters: emptyQuery.filters, sort: [] };
const never = <Output, Input>() => fromPromise<Output, Input>(() => new Promise(() => {}));

/** A workspace whose children's code the test brings by hand. */
function working() {
  const wanted: LaterChild[] = [];
  const started: JobRequest[] = [];
  const workspace = createActor(
    workspaceMachine.provide({
      actors: {
        pageMemory: fromCallback(() => {}),
        loadChild: fromCallback<EventObject, LaterChild>(({ input }) => {
          wanted.push(input);
          return () => void wanted.splice(wanted.indexOf(input), 1);
        }),
        editor: editorMachine.provide({ actors: { loadRow: never(), recallDraft: never() } }),
        job: jobMachine.provide({
          actors: {
            startJob: fromPromise<Job, JobRequest>(({ input }) => {
              started.push(input);
              return new Promise(() => {});
            }),
          },
        }),
        palette: paletteMachine.provide({ actors: { recallRecent: never(), findRows: never(), readPaletteDoors: never() } }),
      },
    }),
  ).start();
  const facts: WorkspaceFact[] = [];
  workspace.on('*', (fact) => facts.push(fact));
  return {
    workspace,
    wanted,
    started,
    now: () => workspace.getSnapshot(),
    show: (page: PageShown) => workspace.send({ type: 'page.shown', page }),
    bring: () => workspace.send({ type: 'child.ready', child: wanted[0] as LaterChild }),
    miss: () => workspace.send({ type: 'child.missing', id: (wanted[0] as LaterChild).id, problem: { code: 'chunk_failed' } }),
    alerts: () => facts.filter(({ type }) => type === 'alert.show'),
  };
}

describe('a child whose code comes later', () => {
  it('is subscribed to who else is at its row when it begins, and not sooner: the answer comes once', () => {
    const { now, show, bring } = working();
    show(edit);
    const editors = (): string[] => now().context.topics.filter((topic) => topic.endsWith(uuid(1)));
    expect(editors()).toEqual([]);
    bring();
    expect(editors()).toHaveLength(1);
  });

  it('begins once the code is there; what happened on the server before that is not told to it', () => {
    const { workspace, wanted, now, show, bring } = working();
    show(edit);
    workspace.send(changed);
    expect([editorOf(now(), 'a'), now().status]).toEqual([undefined, 'active']);
    bring();
    expect(editorOf(now(), 'a')?.getSnapshot().status).toBe('active');
    expect(wanted).toEqual([]);
  });

  it('is not fetched any further once its page has gone, and does not begin then', () => {
    const { workspace, wanted, now, show } = working();
    show(edit);
    const late = wanted[0] as LaterChild;
    show(home);
    expect(wanted).toEqual([]);
    workspace.send({ type: 'child.ready', child: late });
    expect(now().children[late.id]).toBeUndefined();
  });

  it('that cannot be had is said; a page asks for it again when it is shown again', () => {
    const { wanted, now, show, bring, miss, alerts } = working();
    show(edit);
    miss();
    expect(alerts()).toHaveLength(1);
    show(edit);
    expect(wanted).toHaveLength(1);
    bring();
    expect(editorOf(now(), 'a')?.getSnapshot().status).toBe('active');
  });

  it('that cannot be had leaves no dialog behind', () => {
    const { workspace, wanted, now, show, miss } = working();
    show(home);
    workspace.send({ type: 'editor.open', area: 'markers', mode: 'add' });
    const { id } = wanted[0] as LaterChild;
    miss();
    expect([now().context.dialogs, editorAt(now(), id), wanted]).toEqual([[], undefined, []]);
  });

  it('of a view begins while the view stands, and not after it has gone', () => {
    const { workspace, wanted, now, bring } = working();
    const palette = { type: 'child.open', id: 'palette', src: 'palette', input: { own: [], doorWords: '' } } as const;
    workspace.send(palette);
    bring();
    expect(now().children['palette']?.getSnapshot().status).toBe('active');
    workspace.send({ type: 'child.close', id: 'palette' });
    workspace.send(palette);
    workspace.send({ type: 'child.close', id: 'palette' });
    expect([wanted, now().context.children, now().context.loading, now().children['palette']]).toEqual([[], [], [], undefined]);
  });

  it('is work that is closed before it begins: the server is never asked', () => {
    const { workspace, wanted, started, now, bring } = working();
    workspace.send({ type: 'job.start', request });
    workspace.send({ type: 'job.close', id: 'job:1' });
    expect([wanted, now().context.jobs, started]).toEqual([[], [], []]);
    workspace.send({ type: 'job.start', request });
    bring();
    expect(started).toEqual([request]);
  });
});
