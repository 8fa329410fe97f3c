import type { Page } from 'playwright-core';
import { afterAll, describe, expect } from 'vitest';
import { alarmsStory } from '#tests/support/stories/alarms.ts';
import { type Driver, runStory } from '#tests/support/story.ts';
import { atAnotherDesk, openAlarms, quieten, sense, simulated } from './support/alarms.ts';
import { type Gate, setGate } from './support/gate.ts';
import { setStage } from './support/stage.ts';
import { atRest, setTab, signsOn, visible } from './support/story-page.ts';

const stage = setStage();
const openTab = setTab(stage, 'concierge');
afterAll(() => quieten(stage));

const signs = { waiting: '.alarm-row[data-waiting="true"]', row: '.alarm-row', holder: '.alarm-holder', dialog: 'dialog[open]' };

async function where(page: Page, claims: Gate, processing: Gate, was: { tripped: boolean; over: boolean }): Promise<string> {
  const { waiting, row, holder = '' } = await signsOn(page, signs);
  const mine = holder.includes('by you');
  if (processing.waiting() > 0) return mine ? 'processing' : 'processingTheirs';
  if (waiting !== undefined) return claims.waiting() > 0 ? 'takingOn' : 'ringing';
  if (row !== undefined) return mine ? 'mine' : 'theirs';
  if (was.over) return 'over';
  return was.tripped ? 'hidden' : 'quiet';
}

async function driver(): Promise<Driver> {
  await quieten(stage);
  const device = await simulated(stage, 'Tower A lobby');
  await sense(stage, device, 'clear', 'smoke');
  const page = await openTab();
  await page.clock.install();
  const claims = await setGate(page, (path) => path.endsWith('/claim'));
  const processing = await setGate(page, (path) => path.endsWith('/process'));
  claims.hold();
  processing.hold();
  await page.goto('/home');
  await page.locator('.bell').waitFor();
  const was = { tripped: false, over: false };
  let id = '';
  const button = (name: string) => page.locator('.alarm-row').getByRole('button', { name, exact: true });
  const elsewhere = async (act: 'claim' | 'process') => {
    expect((await atAnotherDesk(stage, id, act)).status).toBe(200);
    was.over ||= act === 'process';
  };
  /** What was asked for and lost is said, and the dialog in which it was asked is left. */
  const leaveDialog = async () => {
    await page.locator('dialog[open]').getByRole('button', { name: 'Cancel' }).click();
  };
  return {
    where: (expected) => atRest(page, () => where(page, claims, processing, was), expected),
    words: {
      smokeTrips: async () => {
        was.tripped = true;
        await sense(stage, device, 'trip', 'smoke');
        await expect.poll(async () => (await openAlarms(stage)).length).toBe(1);
        id = (await openAlarms(stage))[0]?.id ?? '';
      },
      smokeClears: async () => {
        await sense(stage, device, 'clear', 'smoke');
        await page.getByText('Sensor cleared').waitFor();
      },
      timePasses: () => page.clock.fastForward(21_000),
      takeOn: () => button('Acknowledge').click(),
      isMine: () => claims.decideThese('through'),
      colleagueWasFirst: async () => {
        await elsewhere('claim');
        await claims.decideThese('through');
        await page.getByText('Anna Keller has already acknowledged this alarm.').waitFor();
      },
      noAnswer: () => claims.decideThese('lost'),
      colleagueTakesItOn: () => elsewhere('claim'),
      colleagueProcesses: () => elsewhere('process'),
      hide: () => button('Hide here').click(),
      process: async () => {
        await button('Resolve').click();
        await page.locator('dialog[open] textarea').fill('Toast');
        await page.locator('dialog[open]').getByRole('button', { name: 'Resolve' }).click();
      },
      isProcessed: async () => {
        was.over = true;
        await processing.decideThese('through');
      },
      colleagueProcessedIt: async () => {
        await elsewhere('process');
        await processing.decideThese('through');
      },
      noAnswerYet: async () => {
        await processing.decideThese('lost');
        await leaveDialog();
      },
    },
    buttons: [
      {
        name: 'take on',
        words: ['takeOn'],
        isThere: () =>
          button('Acknowledge')
            .isEnabled({ timeout: 100 })
            .catch(() => false),
      },
      { name: 'process', words: ['process'], isThere: async () => (await button('Resolve').isVisible()) && !(await visible(page, 'dialog[open]')) },
      { name: 'hide', words: ['hide'], isThere: () => button('Hide here').isVisible() },
    ],
  };
}

describe('an alarm tells its story in the browser', () => {
  runStory(alarmsStory, driver, { brief: true });
});
