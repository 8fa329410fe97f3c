import { createActor, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import type { DraftKey, SavedDraft } from '#machines/editor/draft.ts';
import { type EditorInput, editorMachine, type SaveRequest } from '#machines/editor/editor.machine.ts';
import type { Row } from '#machines/rows.ts';
import type { AreaName } from '#models/areas.ts';
import type { Problem } from '#models/problem.ts';
import { recoloured, renamed, urgent } from '#tests/support/markers.ts';
import { uuid } from '#tests/support/people.ts';
import { held } from '#tests/support/ports.ts';

const whole = { name: 'Urgent', color: '#ff0000' };
const notUnique: Problem = { code: 'not_unique', data: { issues: [{ path: ['name'], rule: 'not_unique', params: {} }] } };

async function editor(input: EditorInput = { area: 'markers', id: urgent.id, mode: 'edit' }, saved: SavedDraft | null = null) {
  const loadRow = held<Row, { area: AreaName; id: string }>();
  const recallDraft = held<{ chain: string; saved: SavedDraft | null }, DraftKey>();
  const saveRow = held<{ id: string }, SaveRequest>();
  const deleteRow = held<void, { area: AreaName; id: string; version: number | null }>();
  const clock = new SimulatedClock();
  const store: SavedDraft[] = [];
  let forgotten = 0;
  const machine = editorMachine.provide({
    actors: { loadRow: loadRow.actor, recallDraft: recallDraft.actor, saveRow: saveRow.actor, deleteRow: deleteRow.actor },
    actions: { saveDraft: (_, { saved: draft }) => void store.push(draft), forgetDraft: () => void (forgotten += 1) },
  });
  const actor = createActor(machine, { input, clock }).start();
  const facts: { type: string }[] = [];
  actor.on('*', (fact) => facts.push(fact));
  if (input.mode !== 'add') await loadRow.answer(urgent);
  if (input.mode !== 'view') await recallDraft.answer({ chain: saved?.chain ?? 'chain', saved });
  const context = () => actor.getSnapshot().context;
  const type = (value: string, field = 'name') => actor.send({ type: 'draft.change', path: [field], value });
  const approve = () => actor.send({ type: 'editor.approve' });
  return { actor, loadRow, saveRow, deleteRow, clock, store, facts, context, type, approve, forgotten: () => forgotten };
}
const newMarker: EditorInput = { area: 'markers', mode: 'add', preset: whole };

describe('saving', () => {
  it('sends only what changed, with the version it is based on', async () => {
    const { type, approve, saveRow } = await editor();
    type('Soon');
    approve();
    expect(saveRow.asked).toEqual([{ area: 'markers', id: urgent.id, version: 1, body: { name: 'Soon' }, key: 'chain:1' }]);
  });

  it('a new record sends all of it', async () => {
    const { approve, saveRow, actor, facts } = await editor(newMarker);
    approve();
    approve();
    expect(saveRow.asked).toEqual([{ area: 'markers', id: null, version: null, body: whole, key: 'chain:1' }]);
    await saveRow.answer({ id: uuid(8) });
    expect(facts.at(-1)).toMatchObject({ type: 'editor.saved', area: 'markers', id: uuid(8) });
    expect(actor.getSnapshot().status).toBe('done');
  });

  it.each([{ code: 'timeout' }, { code: 'offline' }, { code: 'unknown_outcome' }] as const)(
    'again after $code is the same try under the same key, and nothing can be changed before the outcome is known',
    async (problem) => {
      const { approve, saveRow, actor, context } = await editor(newMarker);
      approve();
      await saveRow.refuse(problem);
      expect([actor.getSnapshot().hasTag('unsure'), context().problem]).toEqual([true, problem]);
      expect(actor.getSnapshot().can({ type: 'draft.change', path: ['name'], value: 'Other' })).toBe(false);
      approve();
      expect(saveRow.asked.map(({ key }) => key)).toEqual(['chain:1', 'chain:1']);
    },
  );

  it('without an answer at all is given up as unknown', async () => {
    const { approve, saveRow, actor, clock } = await editor(newMarker);
    approve();
    clock.increment(45_000);
    expect([actor.getSnapshot().hasTag('unsure'), saveRow.waiting()]).toEqual([true, 0]);
  });

  it('again after a refusal is a new try once something was changed', async () => {
    const { approve, type, saveRow } = await editor(newMarker);
    approve();
    await saveRow.refuse(notUnique);
    approve();
    await saveRow.refuse(notUnique);
    type('Other');
    approve();
    expect(saveRow.asked.map(({ key }) => key)).toEqual(['chain:1', 'chain:1', 'chain:2']);
  });

  it('a record that is gone keeps what was typed', async () => {
    const { approve, type, saveRow, actor, context, facts } = await editor();
    type('Soon');
    approve();
    await saveRow.refuse({ code: 'not_found' });
    expect([actor.getSnapshot().hasTag('editing'), context().draft['name'], context().problem?.code]).toEqual([true, 'Soon', 'not_found']);
    expect(facts.map(({ type: fact }) => fact)).toContain('alert.show');
  });
});

describe('findings', () => {
  it('come with the first approval, are said, and follow every change from then on', async () => {
    const { approve, type, saveRow, context, facts } = await editor();
    type('');
    expect(context().issues).toEqual([]);
    approve();
    expect(context().issues).toMatchObject([{ path: ['name'], rule: 'required' }]);
    expect(facts.at(-2)).toEqual({ type: 'alert.show', alert: { kind: 'error', key: 'interface.check_fields_data' } });
    type('x'.repeat(32));
    expect(context().issues).toMatchObject([{ path: ['name'], rule: 'max_length' }]);
    type('Soon');
    expect([context().issues, saveRow.asked]).toEqual([[], []]);
  });

  it('of the server stand at their field until that field is changed', async () => {
    const { approve, type, saveRow, context } = await editor();
    type('Taken');
    approve();
    await saveRow.refuse(notUnique);
    expect(context().issues).toMatchObject([{ path: ['name'], rule: 'not_unique' }]);
    type('#00ff00', 'color');
    expect(context().issues).toMatchObject([{ rule: 'not_unique' }]);
    type('Free');
    expect(context().issues).toEqual([]);
  });

  it('of an e-mail that is used stand at the e-mail', async () => {
    const { approve, saveRow, context } = await editor(newMarker);
    approve();
    await saveRow.refuse({ code: 'email_used' });
    expect(context().issues).toEqual([{ path: ['email'], rule: 'email_used', params: {} }]);
  });
});

describe('two people at one record', () => {
  it('who changed different fields lose nothing of either', async () => {
    const { approve, type, saveRow, actor, context } = await editor();
    type('Soon');
    approve();
    await saveRow.refuse({ code: 'conflict', data: recoloured });
    expect(context().conflict?.fields.map(({ field, side }) => [field, side])).toEqual([
      ['name', 'mine'],
      ['color', 'theirs'],
    ]);
    actor.send({ type: 'conflict.resolve' });
    expect(saveRow.asked.at(-1)).toMatchObject({ version: 2, body: { name: 'Soon' }, key: 'chain:2' });
  });

  it('whose fields nobody else touched is saved on top of the newer version, unasked', async () => {
    const { approve, type, saveRow, facts } = await editor();
    type('Soon');
    approve();
    await saveRow.refuse({ code: 'conflict', data: { ...urgent, version: 5 } });
    expect(saveRow.asked.at(-1)).toMatchObject({ version: 5, body: { name: 'Soon' }, key: 'chain:2' });
    await saveRow.answer({ id: urgent.id });
    expect([saveRow.asked.length, facts.at(-1)?.type]).toEqual([2, 'editor.saved']);
  });

  it('who changed the same field must choose', async () => {
    const { approve, type, saveRow, actor, context } = await editor();
    type('Soon');
    approve();
    await saveRow.refuse({ code: 'conflict', data: renamed });
    expect(context().conflict?.fields).toEqual([{ field: 'name', base: 'Urgent', mine: 'Soon', theirs: 'Very urgent', side: null }]);
    expect(actor.getSnapshot().can({ type: 'conflict.resolve' })).toBe(false);
    actor.send({ type: 'conflict.take', field: 'name', side: 'mine' });
    actor.send({ type: 'conflict.resolve' });
    expect(saveRow.asked.at(-1)).toMatchObject({ version: 2, body: { name: 'Soon' } });
  });

  it('taking all of theirs has nothing left to save', async () => {
    const { approve, type, saveRow, actor, facts } = await editor();
    type('Soon');
    approve();
    await saveRow.refuse({ code: 'conflict', data: renamed });
    actor.send({ type: 'conflict.take', field: 'name', side: 'theirs' });
    actor.send({ type: 'conflict.resolve' });
    expect([saveRow.asked.length, facts.at(-1)?.type]).toEqual([1, 'editor.saved']);
  });

  it('a try that was stored although its answer was lost is seen as stored', async () => {
    const { approve, type, saveRow, facts } = await editor();
    type('Soon');
    approve();
    await saveRow.refuse({ code: 'timeout' });
    approve();
    await saveRow.refuse({ code: 'conflict', data: { ...urgent, version: 2, name: 'Soon' } });
    expect(facts.at(-1)?.type).toBe('editor.saved');
  });

  it('deleting what was changed meanwhile is refused once, then goes by the newer version', async () => {
    const { actor, deleteRow } = await editor({ area: 'markers', id: urgent.id, mode: 'view' });
    const yes = { type: 'dialog.answered', id: 'dialog:1', action: 'approve', about: 'delete' } as const;
    actor.send({ type: 'editor.delete' });
    actor.send(yes);
    await deleteRow.refuse({ code: 'conflict', data: renamed });
    expect(actor.getSnapshot().hasTag('viewing')).toBe(true);
    actor.send({ type: 'editor.delete' });
    actor.send(yes);
    expect(deleteRow.asked.map(({ version }) => version)).toEqual([1, 2]);
  });
});

describe('the kept draft', () => {
  const earlier: SavedDraft = { chain: 'earlier', attempt: 3, draft: { ...whole, name: 'Later' }, base: whole, version: 1 };

  it('is kept half a second after the last change, and before saving', async () => {
    const { type, approve, clock, store } = await editor();
    type('S');
    clock.increment(499);
    type('Soon');
    clock.increment(499);
    expect(store).toEqual([]);
    clock.increment(1);
    expect(store).toEqual([{ chain: 'chain', attempt: 1, draft: { ...whole, name: 'Soon' }, base: whole, version: 1 }]);
    type('Sooner');
    approve();
    expect(store.at(-1)?.draft['name']).toBe('Sooner');
  });

  it('comes back with its try and the version it was based on', async () => {
    const { context, actor, approve, saveRow } = await editor(undefined, { ...earlier, version: 0 });
    expect(context()).toMatchObject({ restored: true, draft: { name: 'Later' }, version: 0 });
    expect(actor.getSnapshot().hasTag('unsaved')).toBe(true);
    approve();
    expect(saveRow.asked).toEqual([{ area: 'markers', id: urgent.id, version: 0, body: { name: 'Later' }, key: 'earlier:3' }]);
  });

  it('that says nothing new is no restored draft', async () => {
    const { context, actor } = await editor(undefined, { ...earlier, draft: whole });
    expect([context().restored, actor.getSnapshot().hasTag('unsaved')]).toEqual([false, false]);
  });

  it('is forgotten when discarded, saved, left for good, or typed back', async () => {
    const discarded = await editor(undefined, earlier);
    discarded.actor.send({ type: 'draft.discard' });
    expect([discarded.forgotten(), discarded.context().restored, discarded.context().draft['name']]).toEqual([1, false, 'Urgent']);
    const saved = await editor(undefined, earlier);
    saved.approve();
    await saved.saveRow.answer({ id: urgent.id });
    expect(saved.forgotten()).toBe(1);
    const left = await editor(undefined, earlier);
    left.actor.send({ type: 'editor.cancel' });
    left.actor.send({ type: 'dialog.answered', id: 'dialog:1', action: 'approve', about: 'leave' });
    expect(left.forgotten()).toBe(1);
    const back = await editor(undefined, earlier);
    back.type('Urgent');
    expect([back.forgotten(), back.actor.getSnapshot().hasTag('unsaved')]).toEqual([1, false]);
  });
});

describe('a look at a record', () => {
  it('becomes its editing', async () => {
    const { actor, context } = await editor({ area: 'markers', id: urgent.id, mode: 'view' });
    expect(actor.getSnapshot().can({ type: 'draft.change', path: ['name'], value: 'x' })).toBe(false);
    actor.send({ type: 'editor.edit' });
    expect([actor.getSnapshot().hasTag('loading'), context().mode]).toEqual([true, 'edit']);
  });

  it('takes what a picker chose, one or several', async () => {
    const { actor, context } = await editor({ area: 'users', mode: 'add' });
    const manager = { id: uuid(2), name: 'Manager' };
    actor.send({ type: 'picker.chosen', path: ['role'], rows: [manager], multiple: false });
    actor.send({ type: 'picker.chosen', path: ['markers'], rows: [manager], multiple: true });
    expect(context().draft).toMatchObject({ role: manager, markers: [manager] });
    actor.send({ type: 'picker.chosen', path: ['role'], rows: [], multiple: false });
    expect(context().draft['role']).toBeNull();
  });
});

describe('what somebody else stores meanwhile', () => {
  const changed = (ids: readonly string[] = [urgent.id]) => ({ type: 'row.changed', ids }) as const;

  it('is looked up and offered, without touching the form', async () => {
    const { actor, loadRow, context } = await editor();
    actor.send(changed([uuid(99)]));
    expect(loadRow.asked).toHaveLength(1);
    actor.send(changed());
    await loadRow.answer(renamed);
    expect([context().news, context().draft]).toEqual([renamed, whole]);
    actor.send({ type: 'news.take' });
    expect(context()).toMatchObject({ news: null, version: renamed['version'], draft: { name: renamed.name } });
  });

  it('joins what was typed, field by field, and asks only where both changed the same', async () => {
    const { actor, loadRow, context, type } = await editor();
    type('Soon');
    actor.send(changed());
    await loadRow.answer(recoloured);
    actor.send({ type: 'news.take' });
    expect(context()).toMatchObject({
      news: null,
      conflict: null,
      version: recoloured['version'],
      draft: { name: 'Soon', color: recoloured['color'] },
    });
    actor.send(changed());
    await loadRow.answer({ ...recoloured, version: 9, name: 'Later' });
    actor.send({ type: 'news.take' });
    expect(actor.getSnapshot().hasTag('conflicted')).toBe(true);
    expect(context().draft['name']).toBe('Soon');
  });

  it('that this form does not hold is taken without a word: the next save goes on from it', async () => {
    const { actor, loadRow, context, type, approve, saveRow } = await editor();
    actor.send(changed([]));
    await loadRow.answer({ ...urgent, version: 7 });
    expect([context().news, context().version]).toEqual([null, 7]);
    type('Soon');
    approve();
    expect(saveRow.asked.at(-1)).toMatchObject({ version: 7 });
  });

  it('says that the record is gone', async () => {
    const { actor, loadRow, context } = await editor();
    actor.send(changed());
    await loadRow.refuse({ code: 'not_found' });
    expect(context().news).toBe('gone');
  });

  it.each([{ code: 'not_found' }, { code: 'offline' }, { code: 'internal' }] as const)(
    'that cannot be looked up ($code) leaves the form alive, even while it is being saved',
    async (problem) => {
      const { actor, loadRow, type, approve, saveRow } = await editor();
      actor.send(changed());
      await loadRow.refuse(problem);
      expect(actor.getSnapshot().status).toBe('active');
      type('Soon');
      actor.send(changed());
      approve();
      await loadRow.refuse(problem);
      expect([actor.getSnapshot().status, actor.getSnapshot().hasTag('saving')]).toEqual(['active', true]);
      await saveRow.answer({ id: urgent.id });
      expect(actor.getSnapshot().status).toBe('done');
    },
  );
});
