import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sense, simulated } from './support/alarms.ts';
import { lookAtControls } from './support/controls.ts';
import { drawn, height, lookAt, manners } from './support/looks.ts';
import { sitDown } from './support/person.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
/** A sensor that has tripped before, also at a first try, tells nothing new. */
const sensors = ['smoke', 'gas', 'panic', 'pull_cord'] as const;
let tripped = 0;

/** What may stand over a page, each with the presses that bring it up. */
const overlays: Readonly<Record<string, { at: string; open: (page: Page) => Promise<void>; shows: string }>> = {
  'the menu of the person': { at: '/users', open: (page) => page.locator('.person-button').click(), shows: '.popup' },
  'the latest notifications': { at: '/users', open: (page) => page.locator('.bell').click(), shows: '.bell-menu' },
  'the menu of a row': { at: '/users', open: (page) => page.locator('tbody .icon-button').first().click(), shows: '.popup [role=menuitem]' },
  'the question before a row is deleted': {
    at: '/users',
    open: async (page) => {
      await page.locator('tbody .icon-button').first().click();
      await page.locator('.popup [data-tone=bad]').click();
    },
    shows: 'dialog[open]',
  },
  'the palette': {
    at: '/users',
    open: async (page) => {
      await page.keyboard.press('Control+k');
      await page.locator('dialog[open] input').fill('an');
    },
    shows: 'dialog[open] [role=option]',
  },
  'the keys': { at: '/users', open: (page) => page.keyboard.press('?'), shows: 'dialog[open]' },
  'what a field is chosen from': {
    at: '/users/add',
    open: (page) => page.locator('.field[data-path=role] button').last().click(),
    shows: 'dialog.sheet[open] .sheet-lines[data-busy=false] .sheet-line',
  },
  'the question before changes are left behind': {
    at: '/users/add',
    open: async (page) => {
      await page.locator('.field[data-path=name] input').fill('Greta');
      await page.locator('.editor-back').click();
    },
    shows: 'dialog[open]',
  },
  'what is wrong with a form': {
    at: '/users/add',
    open: (page) =>
      page
        .getByRole('button', { name: /^(?:Save|Сохранить)$/ })
        .last()
        .click(),
    shows: '[aria-invalid=true]',
  },
};

describe('with an emergency alert and an alarm up', () => {
  beforeAll(async () => {
    await sense(stage, await simulated(stage, 'Gym'), 'trip', 'flood');
    const call = <T>(method: string, path: string, body?: unknown) => api<{ data: T }>(stage.server, method, path, { token: stage.token, body });
    const { body } = await call<{ id: string; name: string }[]>('GET', '/emergency-alerts');
    const fire = body.data.find(({ name }) => name === 'Gas leak');
    const { status } = await call('POST', `/emergency-alerts/${fire?.id}/start`, { is_drill: false });
    if (status !== 200) throw new Error(`the alert was not started: ${status}`);
  });

  it.each(manners.filter(({ axe }) => axe))(
    'no menu and no dialog is a barrier in $locale, dark $dark, $width px wide',
    async ({ locale, dark, width }) => {
      const { page, enter, close } = await sitDown(stage, { locale, dark, width, height: height(width) });
      const found: string[] = [];
      const look = lookAt(page, found, { axe: true });
      await page.goto('/login');
      await page.locator('#login').waitFor();
      await page.getByRole('button', { name: locale === 'ru-RU' ? 'Русский' : 'English' }).click();
      await enter('admin');
      for (const [name, { at, open, shows }] of Object.entries(overlays)) {
        await page.goto(at);
        await drawn(page);
        for (const up of ['.emergency-line', '.alarm-row']) await page.locator(up).first().waitFor();
        await open(page);
        await page.locator(shows).first().waitFor();
        await look(name);
      }
      // Notices of alarms are for whoever sits at the desk; looked at, they are read.
      await sense(stage, await simulated(stage, 'Gym'), 'trip', sensors[tripped % sensors.length] ?? 'smoke');
      tripped += 1;
      const desk = await sitDown(stage, { storageState: await stage.remembered('concierge'), locale, dark, width, height: height(width) });
      await desk.page.goto('/users');
      await drawn(desk.page);
      await desk.page.locator('.important-stack .important').first().waitFor();
      await lookAt(desk.page, found, { axe: true })('an important notice');
      await desk.page.locator('.bell').click();
      await desk.page.locator('.bell-menu').waitFor();
      await lookAt(desk.page, found, { axe: true })('the latest notifications, which stand for it while they are open');
      expect(await desk.page.locator('.important-stack').isVisible()).toBe(false);
      await desk.page.keyboard.press('Escape');
      await desk.page.locator('.bell-menu').waitFor({ state: 'detached' });
      await desk.close();
      expect(found).toEqual([]);
      await close();
    },
    300_000,
  );

  it.each([1440, 1280, 390] as const)(
    'the card of long work, an important notice and the end of a list are all in reach, %i px wide',
    async (width) => {
      const desk = await sitDown(stage, { storageState: await stage.remembered('concierge'), width, height: height(width) });
      const { page } = desk;
      await page.goto('/call-history');
      await drawn(page);
      await sense(stage, await simulated(stage, 'Gym'), 'trip', sensors[tripped % sensors.length] ?? 'smoke');
      tripped += 1;
      await page.locator('.important-stack .important').first().waitFor();
      await page
        .getByRole('button', { name: /^Export/ })
        .first()
        .click();
      await page
        .locator('dialog[open]')
        .getByRole('button', { name: /^Export/ })
        .click();
      await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
      await page.locator('dialog[open]').waitFor({ state: 'detached' });
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      expect(await page.evaluate(lookAtControls, '.jobs button, .important-stack :is(a, button), .list-foot button')).toMatchObject({ covered: [] });
      await desk.close();
    },
  );
});
