import { describe, expect, it } from 'vitest';
import { presentDialog } from '#machines/alerts/alerts.machine.ts';
import type { PageShown } from '#machines/workspace/pages.ts';
import {
  editorAt,
  editorOf,
  hasUnsaved,
  holdsForm,
  listOf,
  openPicker,
  presentPage,
  previousPath,
  type WorkspaceFact,
  wouldLose,
} from '#machines/workspace/workspace.machine.ts';
import type { FormActor, FormDraft } from '#machines/form/form.machine.ts';
import { emptyQuery } from '#models/query.ts';
import { composedApp } from '#tests/support/composed-app.ts';
import { urgent } from '#tests/support/markers.ts';
import { anna, uuid } from '#tests/support/people.ts';
import { sampleForm } from '#tests/support/sample-form.ts';

const page = { rows: [urgent], total: 1, asOf: '2026-01-01T00:00:00Z' };
const list: PageShown = { path: '/markers?page=2', kind: 'list', area: 'markers' };
const edit: PageShown = { pageId: 'a', path: `/markers/${urgent.id}/edit?pageId=a`, kind: 'edit', area: 'markers', id: urgent.id };
const add: PageShown = { pageId: 'b', path: '/group-types/add?pageId=b', kind: 'add', area: 'group-types' };
const home: PageShown = { path: '/home', kind: 'other' };

async function atWork(recalled: readonly PageShown[] = []) {
  const world = composedApp(recalled);
  await world.ports.restoreSession.answer(anna);
  const workspace = world.the('workspace');
  const facts: WorkspaceFact[] = [];
  workspace.on('*', (fact) => facts.push(fact));
  const now = () => workspace.getSnapshot();
  const show = (shown: PageShown) => workspace.send({ type: 'page.shown', page: shown });
  const question = () => presentDialog(world.the('alerts').getSnapshot())?.dialog.about;
  const answer = (action: string) => world.the('alerts').send({ type: 'dialog.answer', action });
  const openList = async () => {
    show(list);
    await world.ports.loadPage.answer(page);
  };
  const openEditor = async (shown = edit) => {
    show(shown);
    if (shown.kind === 'edit') await world.ports.loadRow.answer(urgent);
    await world.ports.recallDraft.answer({ chain: 'chain', saved: null });
    return editorOf(now(), shown.pageId ?? '');
  };
  const type = (name: string, pageId = 'a') => editorOf(now(), pageId)?.send({ type: 'draft.change', path: ['name'], value: name });
  const factsOf = (type: WorkspaceFact['type']) => facts.filter((fact) => fact.type === type);
  return { ...world, workspace, now, show, question, answer, openList, openEditor, type, factsOf };
}

const formId = 'form:sample';
type Workspace = Awaited<ReturnType<typeof atWork>>['workspace'];
/** Opens a form as a view does; changes it from then on. */
function openForm(workspace: Workspace): (part: FormDraft) => void {
  workspace.send({ type: 'child.open', id: formId, src: 'form', input: { form: sampleForm.name, given: { id: uuid(1), text: 'Cat' } } });
  return (part) => workspace.send({ type: 'child.notify', id: formId, event: { type: 'form.change', part } });
}
const draftOf = (workspace: Workspace): unknown => (workspace.getSnapshot().children[formId] as FormActor).getSnapshot().context.draft['comment'];

describe('the actors of views', () => {
  it('are there once, however often they are opened, until their view closes them', async () => {
    const { workspace, ports, now } = await atWork();
    const open = { type: 'child.open', id: 'list:markers:1', src: 'list', input: { area: 'markers', query: emptyQuery } } as const;
    workspace.send(open);
    workspace.send(open);
    expect(ports.loadPage.asked).toHaveLength(1);
    workspace.send({ type: 'child.close', id: open.id });
    expect([now().context.children, now().children[open.id]]).toEqual([[], undefined]);
  });

  it('make one call at a time; a second press while one runs is not heard, and what was answered is told to the view', async () => {
    const { workspace, ports, factsOf } = await atWork();
    const id = 'form:sessions:1';
    const send = { type: 'child.notify', id, event: { type: 'form.send', request: { call: 'sessions' } } } as const;
    workspace.send({ type: 'child.open', id, src: 'form', input: {} });
    workspace.send(send);
    workspace.send(send);
    expect(ports.runCall.asked).toEqual([{ call: 'sessions' }]);
    await ports.runCall.refuse({ code: 'offline' });
    expect(factsOf('form.refused')).toEqual([{ type: 'form.refused', form: id, problem: { code: 'offline' } }]);
  });

  it('that are not there hear nothing', async () => {
    const { workspace, now } = await atWork();
    workspace.send({ type: 'child.notify', id: 'form:gone', event: { type: 'form.save' } });
    expect(now().status).toBe('active');
  });
});

describe('the stack of pages over a reload', () => {
  it('is the one of before: closing the page returns to the page it was opened from', async () => {
    const before = await atWork();
    await before.openList();
    await before.openEditor();
    before.show(add);
    const { now, show } = await atWork(before.stack());
    show(add);
    expect(now().context.pages.map(({ pageId }) => pageId)).toEqual(['', 'a', 'b']);
    expect(previousPath(now())).toBe(edit.path);
    show({ ...edit, pageId: 'a' });
    expect(previousPath(now())).toBe(list.path);
  });

  it('says nothing about a page from the menu, nor about one that did not stand in it', async () => {
    const fromMenu = await atWork([list, edit, add]);
    fromMenu.show(home);
    expect(fromMenu.now().context.pages.map(({ path }) => path)).toEqual([home.path]);
    const pasted = await atWork([list, edit]);
    pasted.show(add);
    expect(previousPath(pasted.now())).toBeNull();
  });
});

describe('the stack of pages', () => {
  it('grows with pages that have a pageId and leads back the way one came', async () => {
    const { now, show, openList, openEditor } = await atWork();
    await openList();
    await openEditor();
    show(add);
    expect(now().context.pages.map(({ pageId }) => pageId)).toEqual(['', 'a', 'b']);
    expect([presentPage(now())?.path, previousPath(now())]).toEqual([add.path, edit.path]);
    show(list);
    expect([presentPage(now())?.path, previousPath(now())]).toEqual([list.path, null]);
  });

  it('a known page closes what lies above it and stops what served it', async () => {
    const { now, show, openList, openEditor } = await atWork();
    await openList();
    const below = listOf(now(), 'markers');
    below?.send({ type: 'row.toggle', id: urgent.id });
    const editor = await openEditor();
    show(list);
    expect(editor?.getSnapshot().status).toBe('stopped');
    expect(listOf(now(), 'markers')).toBe(below);
    expect(below?.getSnapshot().context.selection).toEqual([urgent.id]);
  });

  it('a page from the menu is a new root', async () => {
    const { now, show, openList, openEditor } = await atWork();
    await openList();
    await openEditor();
    show(home);
    expect(now().context.pages.map(({ path }) => path)).toEqual(['/home']);
    expect(Object.keys(now().children)).toEqual(['pageMemory']);
  });

  it('follows the address of a page without starting it anew', async () => {
    const { now, show, openList } = await atWork();
    await openList();
    const before = listOf(now(), 'markers');
    show({ ...list, path: '/markers?page=3' });
    expect(listOf(now(), 'markers')).toBe(before);
    expect(presentPage(now())?.path).toBe('/markers?page=3');
  });

  it('a page that is closed takes what lies on it along', async () => {
    const { workspace, now, openList, openEditor } = await atWork();
    await openList();
    await openEditor();
    workspace.send({ type: 'editor.open', area: 'group-types', mode: 'add' });
    workspace.send({ type: 'page.closed', pageId: 'a' });
    expect(Object.keys(now().children)).toEqual(['pageMemory', 'list:markers']);
    expect(now().context.dialogs).toEqual([]);
  });
});

describe('an editor that has finished', () => {
  it('is told with the way back, the list reads anew, and the person reads "Done"', async () => {
    const { openList, openEditor, type, ports, factsOf, the } = await atWork();
    await openList();
    const editor = await openEditor();
    type('Soon');
    editor?.send({ type: 'editor.approve' });
    await ports.saveRow.answer({ id: urgent.id });
    expect(factsOf('page.done')).toEqual([{ type: 'page.done', pageId: 'a', path: list.path }]);
    expect(factsOf('rows.changed')).toEqual([{ type: 'rows.changed', area: 'markers' }]);
    expect(ports.loadPage.asked).toHaveLength(2);
    expect(the('alerts').getSnapshot().context.shown).toHaveLength(1);
  });

  it('as a dialog just goes, and the page below stays', async () => {
    const { workspace, now, openList, ports } = await atWork();
    await openList();
    workspace.send({ type: 'editor.open', area: 'markers', mode: 'add', preset: { name: 'New' } });
    const child = now().context.dialogs[0]?.child ?? '';
    await ports.recallDraft.answer({ chain: 'chain', saved: null });
    expect(ports.recallDraft.asked.at(-1)).toEqual({ area: 'markers', id: null, place: 'dialog' });
    editorAt(now(), child)?.send({ type: 'editor.approve' });
    await ports.saveRow.answer({ id: uuid(2) });
    expect(now().context.dialogs).toEqual([]);
    expect(editorAt(now(), child)).toBeUndefined();
    expect(presentPage(now())?.path).toBe(list.path);
    expect(ports.loadPage.asked).toHaveLength(2);
  });

  it('is opened afresh when its page is shown again', async () => {
    const { now, show, openEditor } = await atWork();
    const editor = await openEditor();
    editor?.send({ type: 'editor.cancel' });
    expect(editorOf(now(), 'a')?.getSnapshot().status).toBe('done');
    show(edit);
    expect(editorOf(now(), 'a')?.getSnapshot().hasTag('loading')).toBe(true);
  });
});

describe('leaving', () => {
  it('what is stored is free', async () => {
    const { workspace, openList, openEditor, factsOf, now } = await atWork();
    await openList();
    await openEditor();
    expect([hasUnsaved(now()), wouldLose(now(), list)]).toEqual([false, false]);
    workspace.send({ type: 'page.leave', page: list });
    expect(factsOf('page.free')).toHaveLength(1);
  });

  it('a page on top of an unsaved one asks nothing', async () => {
    const { workspace, openEditor, type, factsOf, now } = await atWork();
    await openEditor();
    type('Soon');
    expect([hasUnsaved(now()), wouldLose(now(), add)]).toEqual([true, false]);
    workspace.send({ type: 'page.leave', page: add });
    expect(factsOf('page.free')).toHaveLength(1);
  });

  it('unsaved changes asks, and staying keeps them', async () => {
    const { workspace, openList, openEditor, type, factsOf, question, answer, now } = await atWork();
    await openList();
    const editor = await openEditor();
    type('Soon');
    expect(wouldLose(now(), list)).toBe(true);
    workspace.send({ type: 'page.leave', page: list });
    expect([question(), now().hasTag('leaving')]).toEqual(['leave', true]);
    answer('cancel');
    expect([factsOf('page.stayed').length, factsOf('page.free').length, now().hasTag('leaving')]).toEqual([1, 0, false]);
    expect(editor?.getSnapshot().context.draft['name']).toBe('Soon');
  });

  it('unsaved changes for good is free, and no page is told as done', async () => {
    const { workspace, openList, openEditor, type, factsOf, answer, now } = await atWork();
    await openList();
    await openEditor();
    type('Soon');
    workspace.send({ type: 'page.leave', page: list });
    answer('approve');
    expect([factsOf('page.free').length, factsOf('page.done').length, hasUnsaved(now())]).toEqual([1, 0, false]);
  });

  it('two unsaved pages asks about the lower first; staying on the upper leaves the upper untouched', async () => {
    const { workspace, openEditor, type, factsOf, answer, now } = await atWork();
    await openEditor();
    type('Soon');
    const upper = await openEditor(add);
    type('House', 'b');
    workspace.send({ type: 'page.leave', page: home });
    answer('approve');
    answer('cancel');
    expect([factsOf('page.stayed').length, factsOf('page.free').length]).toEqual([1, 0]);
    expect(upper?.getSnapshot().context.draft['name']).toBe('House');
    expect(hasUnsaved(now())).toBe(true);
  });

  it('a form with changes asks, whatever page comes next, and is settled once they are gone', async () => {
    const { workspace, show, factsOf, question, answer, now } = await atWork();
    show(home);
    const changed = openForm(workspace);
    changed({ comment: 'Dog' });
    expect([holdsForm(now()), hasUnsaved(now()), wouldLose(now(), add)]).toEqual([true, true, true]);
    workspace.send({ type: 'page.leave', page: add });
    expect([question(), now().hasTag('leaving')]).toEqual(['leave', true]);
    answer('cancel');
    expect([factsOf('page.stayed').length, holdsForm(now())]).toEqual([1, true]);
    workspace.send({ type: 'page.leave', page: add });
    answer('approve');
    expect([factsOf('page.free').length, holdsForm(now()), draftOf(workspace)]).toEqual([1, false, 'Cat']);
  });

  it('a form that was changed back, or saved, asks nothing', async () => {
    const { workspace, show, factsOf, ports, now } = await atWork();
    show(home);
    const changed = openForm(workspace);
    changed({ comment: 'Dog' });
    changed({ comment: 'Cat' });
    expect(holdsForm(now())).toBe(false);
    changed({ comment: 'Dog' });
    workspace.send({ type: 'child.notify', id: formId, event: { type: 'form.save' } });
    await ports.runCall.answer({ ok: true });
    expect(factsOf('form.saved')).toEqual([{ type: 'form.saved', form: formId, answer: { ok: true } }]);
    workspace.send({ type: 'page.leave', page: list });
    expect(factsOf('page.free')).toHaveLength(1);
  });

  it('with its view a form goes, and the question about it', async () => {
    const { workspace, show, question, now } = await atWork();
    show(home);
    openForm(workspace)({ comment: 'Dog' });
    workspace.send({ type: 'page.leave', page: list });
    expect(question()).toBe('leave');
    workspace.send({ type: 'child.close', id: formId });
    expect([question(), holdsForm(now()), now().children[formId], now().hasTag('leaving')]).toEqual([undefined, false, undefined, false]);
  });

  it('in the middle of saving stays until the answer is there', async () => {
    const { workspace, openEditor, type, factsOf } = await atWork();
    const editor = await openEditor();
    type('Soon');
    editor?.send({ type: 'editor.approve' });
    workspace.send({ type: 'page.leave', page: home });
    expect(factsOf('page.stayed')).toHaveLength(1);
    expect(editor?.getSnapshot().hasTag('saving')).toBe(true);
  });

  it('by force takes the open question back', async () => {
    const { workspace, show, openEditor, type, question, now } = await atWork();
    await openEditor();
    type('Soon');
    workspace.send({ type: 'page.leave', page: home });
    show(home);
    expect([question(), now().value]).toEqual([undefined, 'resting']);
  });

  it('by the end of the session keeps what was typed last; by signing out nothing', async () => {
    for (const [end, drafts] of [
      ['expired', ['Soon']],
      ['signedOut', []],
    ] as const) {
      const { the, openEditor, type, ports, saved } = await atWork();
      await openEditor();
      type('Soon');
      the('session').send(end === 'expired' ? { type: 'token.rejected' } : { type: 'session.signOut' });
      if (end === 'expired') await ports.refreshTokens.refuse({ code: 'invalid_token' });
      expect(saved.map(({ saved: { draft } }) => draft['name'])).toEqual(drafts);
    }
  });

  it('the console answers open questions with what changes nothing', async () => {
    const { the, openEditor, type, question, app } = await atWork();
    const editor = await openEditor();
    type('Soon');
    editor?.send({ type: 'editor.cancel' });
    expect(question()).toBe('leave');
    the('session').send({ type: 'session.signOut' });
    expect([question(), app.getSnapshot().value]).toEqual([undefined, 'signedOut']);
    expect(editor?.getSnapshot().status).toBe('stopped');
  });
});

describe('a picker', () => {
  const groups = { area: 'groups', multiple: true, chosen: [], path: ['domains'] } as const;

  it('gives its choice to the editor that asked, and goes', async () => {
    const { workspace, show, now, ports, factsOf } = await atWork();
    show({ pageId: 'u', path: '/users/add?pageId=u', kind: 'add', area: 'users' });
    await ports.recallDraft.answer({ chain: 'chain', saved: null });
    workspace.send({ type: 'picker.open', ...groups, reply: 'editor:users:new:u' });
    const picker = openPicker(now());
    picker?.send({ type: 'picker.toggle', row: { id: uuid(3), name: 'Riverside' } });
    picker?.send({ type: 'picker.approve' });
    expect(editorOf(now(), 'u')?.getSnapshot().context.draft['domains']).toEqual([{ id: uuid(3), name: 'Riverside' }]);
    expect(openPicker(now())).toBeUndefined();
    expect(factsOf('picker.chosen')).toMatchObject([{ path: ['domains'], reply: 'editor:users:new:u', multiple: true }]);
  });

  it('tells its choice to whoever listens where no child asked', async () => {
    const { workspace, openList, now, factsOf } = await atWork();
    await openList();
    workspace.send({ type: 'picker.open', ...groups, multiple: false, reply: 'filter' });
    openPicker(now())?.send({ type: 'picker.toggle', row: { id: uuid(3), name: 'Riverside' } });
    expect(factsOf('picker.chosen')).toMatchObject([{ rows: [{ name: 'Riverside' }], reply: 'filter' }]);
  });

  it('is one at a time, and goes with its page', async () => {
    const { workspace, show, openList, now } = await atWork();
    await openList();
    workspace.send({ type: 'picker.open', ...groups, reply: 'filter' });
    const first = openPicker(now());
    workspace.send({ type: 'picker.open', ...groups, area: 'roles', reply: 'filter' });
    expect([first?.getSnapshot().status, now().context.picker?.area]).toEqual(['stopped', 'roles']);
    show(home);
    expect(openPicker(now())).toBeUndefined();
  });
});

describe('long work', () => {
  it('goes on while pages come and go, and its end is said', async () => {
    const { workspace, show, openList, now, ports, clock, the } = await atWork();
    await openList();
    listOf(now(), 'markers')?.send({ type: 'rows.export', format: 'xlsx' });
    expect(ports.startJob.asked).toEqual([
      { kind: 'export', area: 'markers', format: 'xlsx', filters: { match: 'match_all', items: [] }, sort: ['name'] },
    ]);
    show(home);
    const job = {
      id: uuid(9),
      kind: 'export',
      state: 'queued',
      done: 0,
      total: 1,
      file_name: null,
      failures: [],
      problem: null,
      created_at: '2026-01-01T00:00:00Z',
    } as const;
    await ports.startJob.answer({ ...job, failures: [] });
    clock.increment(1_000);
    await ports.readJob.answer({ ...job, failures: [], state: 'completed', file_name: 'markers.xlsx' });
    expect(the('alerts').getSnapshot().context.shown).toHaveLength(1);
    expect(now().context.jobs).toEqual(['job:1']);
    workspace.send({ type: 'job.close', id: 'job:1' });
    expect(now().context.jobs).toEqual([]);
  });
});
