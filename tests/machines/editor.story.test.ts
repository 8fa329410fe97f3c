import { createActor, SimulatedClock } from 'xstate';
import { describe, expect } from 'vitest';
import type { DraftKey, SavedDraft } from '#machines/editor/draft.ts';
import { type EditorEvent, editorMachine, type SaveRequest } from '#machines/editor/editor.machine.ts';
import type { Row } from '#machines/rows.ts';
import type { AreaName } from '#models/areas.ts';
import { renamed, urgent } from '#tests/support/markers.ts';
import { held } from '#tests/support/ports.ts';
import { editorStory } from '#tests/support/stories/editor.ts';
import { type Driver, runStory } from '#tests/support/story.ts';

const base = { name: 'Urgent', color: '#ff0000' };
const saved: SavedDraft = { chain: 'kept', attempt: 1, draft: { ...base, name: 'Later' }, base, version: 1 };

function driver(): Driver {
  const clock = new SimulatedClock();
  const loadRow = held<Row, { area: AreaName; id: string }>();
  const recallDraft = held<{ chain: string; saved: SavedDraft | null }, DraftKey>();
  const saveRow = held<{ id: string }, SaveRequest>();
  const deleteRow = held<void, { area: AreaName; id: string; version: number | null }>();
  const store = new Map<string, SavedDraft>();
  const machine = editorMachine.provide({
    actors: { loadRow: loadRow.actor, recallDraft: recallDraft.actor, saveRow: saveRow.actor, deleteRow: deleteRow.actor },
    actions: {
      saveDraft: (_, { key, saved: draft }) => void store.set(key.area, draft),
      forgetDraft: (_, key) => void store.delete(key.area),
    },
  });
  const editor = createActor(machine, { input: { area: 'markers', id: urgent.id, mode: 'edit' }, clock }).start();
  const press = (event: EditorEvent) => () => editor.send(event);
  const can = (event: EditorEvent) => () => editor.getSnapshot().can(event);
  const answerQuestion = (action: string) => press({ type: 'dialog.answered', id: 'dialog:1', action, about: 'leave' });
  const type = (value: string) => press({ type: 'draft.change', path: ['name'], value });
  let cameFrom = '';
  const where = (): string => {
    const now = editor.getSnapshot();
    if (now.hasTag('done')) return 'closed';
    if (now.hasTag('loading')) return 'opening';
    if (now.hasTag('failed')) return 'failed';
    if (now.hasTag('saving')) return 'saving';
    if (now.hasTag('unsure')) return 'unsure';
    if (now.hasTag('conflicted')) return now.can({ type: 'conflict.resolve' }) ? 'decided' : 'conflict';
    const unsaved = now.context.draft['name'] !== 'Urgent';
    if (now.matches('leaving')) return cameFrom === 'changed' ? 'askedToLeaveChanged' : 'askedToLeave';
    if (now.matches('confirmingDeletion')) return unsaved ? 'askedToRemoveUnsaved' : 'askedToRemove';
    if (now.hasTag('deleting')) return unsaved ? 'removingUnsaved' : 'removing';
    const { issues, serverIssues } = now.context;
    if (now.hasTag('refused')) return serverIssues.length > 0 ? 'refused' : issues.length > 0 ? 'faulty' : 'corrected';
    if (now.hasTag('unsaved')) return now.context.draft['name'] === '' ? 'incomplete' : 'changed';
    return 'untouched';
  };
  return {
    where,
    words: {
      arrived: async () => {
        await loadRow.answer(urgent);
        await recallDraft.answer({ chain: 'new', saved: null });
      },
      arrivedWithDraft: async () => {
        await loadRow.answer(urgent);
        await recallDraft.answer({ chain: 'kept', saved });
        expect(editor.getSnapshot().context.restored).toBe(true);
      },
      missing: () => loadRow.refuse({ code: 'not_found' }),
      tryAgain: press({ type: 'editor.retry' }),
      type: () => {
        type('Soon')();
        clock.increment(500);
        expect(store.get('markers')?.draft).toEqual({ ...base, name: 'Soon' });
      },
      emptyName: type(''),
      takeBack: () => {
        editor.send({ type: 'draft.discard' });
        expect(store.size).toBe(0);
      },
      save: press({ type: 'editor.approve' }),
      saveIncomplete: press({ type: 'editor.approve' }),
      saveNothing: () => {
        editor.send({ type: 'editor.approve' });
        expect(saveRow.asked).toEqual([]);
      },
      saveMerged: () => {
        editor.send({ type: 'conflict.resolve' });
        expect(saveRow.asked.at(-1)?.version).toBe(2);
      },
      stored: () => saveRow.answer({ id: urgent.id }),
      refusedByServer: () => saveRow.refuse({ code: 'not_unique', data: { issues: [{ path: ['name'], rule: 'not_unique', params: {} }] } }),
      somebodyWasFirst: () => saveRow.refuse({ code: 'conflict', data: renamed }),
      savedElsewhere: async () => {
        const { row, version } = editor.getSnapshot().context;
        await saveRow.refuse({ code: 'conflict', data: { ...row, version: (version ?? 0) + 1 } });
        expect(saveRow.asked.at(-1)).toMatchObject({ version: (version ?? 0) + 1 });
      },
      noAnswer: () => saveRow.refuse({ code: 'timeout' }),
      giveUp: press({ type: 'editor.cancel' }),
      takeMine: press({ type: 'conflict.take', field: 'name', side: 'mine' }),
      takeTheirs: press({ type: 'conflict.take', field: 'name', side: 'theirs' }),
      close: () => {
        cameFrom = where();
        editor.send({ type: 'editor.cancel' });
      },
      stay: answerQuestion('cancel'),
      goAway: answerQuestion('approve'),
      remove: press({ type: 'editor.delete' }),
      yes: answerQuestion('approve'),
      no: answerQuestion('cancel'),
      removed: () => deleteRow.answer(undefined),
      inUse: () => deleteRow.refuse({ code: 'in_use' }),
    },
    buttons: [
      { name: 'type', words: ['type'], isThere: can({ type: 'draft.change', path: ['name'], value: 'Soon' }) },
      { name: 'approve', words: ['save', 'saveIncomplete', 'saveNothing'], isThere: can({ type: 'editor.approve' }) },
      { name: 'cancel', words: ['close', 'giveUp'], isThere: can({ type: 'editor.cancel' }) },
      { name: 'discard', words: ['takeBack'], isThere: can({ type: 'draft.discard' }) },
      { name: 'delete', words: ['remove'], isThere: can({ type: 'editor.delete' }) },
      { name: 'save merged', words: ['saveMerged'], isThere: can({ type: 'conflict.resolve' }) },
      { name: 'take mine', words: ['takeMine'], isThere: can({ type: 'conflict.take', field: 'name', side: 'mine' }) },
      { name: 'try again', words: ['tryAgain'], isThere: can({ type: 'editor.retry' }) },
    ],
  };
}

describe('an editor tells its story', () => {
  runStory(editorStory, driver);
});
