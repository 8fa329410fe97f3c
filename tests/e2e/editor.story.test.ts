import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { editorStory } from '#tests/support/stories/editor.ts';
import { type Driver, runStory } from '#tests/support/story.ts';
import { type Gate, setGate } from './support/gate.ts';
import { change, make, named, read, type StoredRow } from './support/records.ts';
import { setStage } from './support/stage.ts';
import { atRest, setTab, signsOn, visible } from './support/story-page.ts';

const stage = setStage();
const openTab = setTab(stage, 'admin');
let place: Record<string, unknown>;
beforeAll(async () => {
  const [riverside] = await named<StoredRow & { domain_type_id: { id: string } }>(stage, 'groups', 'Riverside');
  const [tower] = await named<StoredRow & { domain_type_id: { id: string } }>(stage, 'groups', 'Tower A');
  place = { parent_id: riverside?.id, domain_type_id: tower?.domain_type_id.id };
});

let made = 0;
const unavailable = { status: 503, code: 'unavailable', message: 'service is unavailable, try again later' } as const;
const taken = {
  status: 422,
  code: 'invalid_data',
  message: 'invalid data sent',
  data: { issues: [{ path: ['name'], rule: 'not_unique', params: {} }] },
};

/** What the console itself kept of one half-typed group, to be laid where it keeps that of any other. */
let example: { entry: [key: string, text: string]; id: string; name: string } | undefined;
async function layDraft(page: Page, group: { id: string; name: string }): Promise<void> {
  if (!example) throw new Error('no draft was ever kept');
  const { entry, id, name } = example;
  const { chain } = JSON.parse(entry[1]) as { chain: string };
  const own = entry.map((text) => text.replaceAll(id, group.id).replaceAll(name, group.name).replaceAll(chain, randomUUID()));
  await page.evaluate(([key = '', text = '']) => sessionStorage.setItem(key, text), own);
}

const nameField = '.field[data-path="name"] input';
const signs = {
  back: '.editor-back',
  question: 'dialog[open]',
  busy: '.editor-buttons [type=submit][aria-busy=true]',
  failure: '.failure',
  conflict: '.conflict',
  unsure: '.notice-warn',
  refusal: '.notice-bad',
  correction: '.notice-info:has(.pi-check)',
  unsaved: '.editor-state',
  name: nameField,
};

/** The page of one group, as somebody sees and uses it who edits it. */
function editorOn(page: Page, group: { id: string; name: string }, gates: Record<'load' | 'save' | 'removal', Gate>) {
  const button = (name: string | RegExp) => page.locator('.editor-page').getByRole('button', { name, exact: true });
  const name = page.locator(nameField);
  const question = page.locator('dialog[open]');
  const usable = async (control: ReturnType<Page['locator']>) =>
    !(await question.isVisible()) && (await control.first().isVisible()) && (await control.first().isEnabled());
  const look = async (): Promise<string> => {
    if (!new URL(page.url()).pathname.endsWith('/edit')) return 'closed';
    const seen = await signsOn(page, signs);
    const isChanged = seen.name !== group.name;
    if (gates.load.waiting() > 0) return seen.back === undefined ? 'on its way' : 'opening';
    if (seen.question !== undefined) return seen.question.includes('Leave') ? 'askedToLeave' : isChanged ? 'askedToRemoveUnsaved' : 'askedToRemove';
    if (gates.save.waiting() > 0 && seen.busy !== undefined) return 'saving';
    if (gates.removal.waiting() > 0) return isChanged ? 'removingUnsaved' : 'removing';
    if (seen.failure !== undefined) return 'failed';
    if (seen.conflict !== undefined) return (await button('Continue').isEnabled()) ? 'decided' : 'conflict';
    if (seen.unsure !== undefined) return 'unsure';
    if (seen.refusal !== undefined) return seen.name === '' ? 'faulty' : 'refused';
    if (seen.correction !== undefined) return 'corrected';
    if (seen.name === undefined) return 'on its way';
    if (seen.unsaved === undefined) return 'untouched';
    return seen.name === '' ? 'incomplete' : 'changed';
  };
  return { button, name, question, usable, look };
}

async function driver(): Promise<Driver> {
  const group = { id: await make(stage, 'groups', { ...place, name: `Story ${(made += 1)}` }), name: `Story ${made}` };
  const page = await openTab();
  const [path, stored] = [`/groups/${group.id}`, () => read<StoredRow & { description: string | null }>(stage, 'groups', group.id)];
  const gates = {
    load: await setGate(page, (at, method) => at === path && method === 'GET'),
    save: await setGate(page, (at, method) => at === path && method === 'PATCH'),
    removal: await setGate(page, (at, method) => at === path && method === 'DELETE'),
  };
  const { load, save, removal } = gates;
  for (const gate of [load, save, removal]) gate.hold();
  let sent = 0;
  page.on('request', (request) => (sent += request.method() === 'PATCH' ? 1 : 0));
  // The browser's own question before a reload with unsaved changes.
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`${path}/edit`);

  const { button, name, question, usable, look } = editorOn(page, group, gates);
  const answer = (text: string | RegExp) => () => question.getByRole('button', { name: text }).click();
  const take = (side: 'Yours' | 'Theirs') => page.getByRole('radio', { name: `Name: ${side}` });
  let typed = '';
  const type = () => name.fill((typed = typed === '' ? `${group.name} A` : `${typed}A`));
  const approve = () => button('Save').click();
  const storedKeys = () => page.evaluate((id) => Object.keys(sessionStorage).filter((key) => key.includes(id)), group.id);
  const forgotten = async () => {
    await expect.poll(storedKeys).toEqual([]);
  };
  const reload = async () => {
    await expect.poll(storedKeys).toHaveLength(1);
    await page.reload();
  };
  const discard = async () => {
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await forgotten();
  };
  let cameFrom = '';
  return {
    where: (expected) =>
      atRest(page, async () => ((await look()) === 'askedToLeave' && cameFrom === 'changed' ? 'askedToLeaveChanged' : look()), expected),
    words: {
      arrived: () => load.decide('through'),
      arrivedWithDraft: async () => {
        if (example) await layDraft(page, group);
        else {
          await load.decide('through');
          await type();
          load.hold();
          await reload();
          const [entry] = await page.evaluate((id) => Object.entries(sessionStorage).filter(([key]) => key.includes(id)), group.id);
          if (entry) example = { entry, ...group };
        }
        await load.decide('through');
        await page.getByText('Your unsaved changes were restored').waitFor();
        typed = await name.inputValue();
      },
      missing: () => load.decide(unavailable),
      tryAgain: async () => {
        load.hold();
        await page.getByRole('button', { name: 'Try again' }).click();
      },
      type,
      emptyName: () => name.fill(''),
      takeBack: async () => {
        const theirs = button('Keep theirs, discard mine');
        if (await theirs.isVisible()) return theirs.click();
        if (['changed', 'incomplete'].includes(await look())) return name.fill(group.name);
        await reload();
        return discard();
      },
      save: async () => {
        save.hold();
        await approve();
      },
      saveIncomplete: approve,
      saveNothing: async () => {
        await approve();
        await page.waitForURL(/\/groups(\?|$)/);
        expect(sent).toBe(0);
      },
      saveMerged: () => button('Continue').click(),
      stored: async () => {
        const before = await stored();
        await save.decide('through');
        await page.waitForURL(/\/groups(\?|$)/);
        expect(await stored()).toMatchObject({ name: typed, version: before.version + 1 });
      },
      refusedByServer: () => save.decideThese(taken),
      somebodyWasFirst: async () => {
        await change(stage, 'groups', group.id, { name: `Their ${made}` });
        await save.decideThese('through');
      },
      savedElsewhere: async () => {
        const before = sent;
        // There and back: nothing is left of it but the version.
        for (const description of ['Theirs', null]) await change(stage, 'groups', group.id, { description });
        await save.decideThese('through');
        await expect.poll(() => sent).toBe(before + 1);
      },
      noAnswer: () => save.decideThese('lost'),
      giveUp: () => button('Cancel').click(),
      takeMine: () => take('Yours').check(),
      takeTheirs: () => take('Theirs').check(),
      close: async () => {
        cameFrom = await look();
        const cancel = button('Cancel');
        await ((await cancel.isVisible()) ? cancel : page.locator('.editor-back')).click();
      },
      stay: answer('Cancel'),
      goAway: async () => {
        await answer('Leave')();
        await forgotten();
        expect((await stored()).name).not.toBe(typed);
      },
      remove: () => button('Delete').click(),
      yes: answer(/^Delete/),
      no: answer('Cancel'),
      removed: async () => {
        await removal.decide('through');
        await page.waitForURL(/\/groups(\?|$)/);
        await forgotten();
      },
      inUse: async () => {
        await make(stage, 'groups', { ...place, parent_id: group.id, name: `Below ${made}` });
        await removal.decide('through');
      },
    },
    buttons: [
      { name: 'type', words: ['type'], isThere: () => usable(name) },
      {
        name: 'approve',
        words: ['save', 'saveIncomplete', 'saveNothing'],
        isThere: () => usable(button('Save')),
      },
      {
        name: 'cancel',
        words: ['close', 'giveUp'],
        isThere: async () => (await usable(button('Cancel'))) || (!(await visible(page, '.area-form')) && usable(page.locator('.editor-back'))),
      },
      { name: 'delete', words: ['remove'], isThere: () => usable(button('Delete')) },
      { name: 'save merged', words: ['saveMerged'], isThere: () => usable(button('Continue')) },
      { name: 'take mine', words: ['takeMine'], isThere: () => usable(take('Yours')) },
      { name: 'take theirs', words: ['takeTheirs'], isThere: () => usable(take('Theirs')) },
      { name: 'try again', words: ['tryAgain'], isThere: () => usable(page.locator('.failure').getByRole('button')) },
    ],
  };
}

describe('an editor tells its story in the browser', () => {
  runStory(editorStory, driver, { brief: true });
});
