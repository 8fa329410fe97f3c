import { beforeAll, describe, expect, it } from 'vitest';
import { callOf, mirrorOf } from '#tests/support/phone-mirrors.ts';
import { sense, simulated } from './support/alarms.ts';
import { barriers } from './support/barriers.ts';
import { sitDown } from './support/person.ts';
import { ownPhone, scenes } from './support/phone-scenes.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

const screens = [
  '/home',
  '/users',
  '/users/add',
  '/roles',
  '/roles/add',
  '/groups',
  '/groups/add',
  '/markers',
  '/group-types',
  '/audit-events',
  '/devices',
  '/devices/add',
  '/devices/events',
  '/devices/tasks',
  '/devices/search',
  '/devices/remote-control',
  '/devices/alarms',
  '/devices/alarms-calls',
  '/notifications',
  '/notifications/settings',
  '/licenses',
  '/virtual-numbers',
  '/virtual-numbers/add',
  '/call-history',
  '/sip-trunks/add',
  '/profile',
  '/mails',
  '/simulator',
  '/nowhere',
];

/** Looked at where barriers are looked for, and no further: each takes a second. */
const furtherScreens = [
  '/announces',
  '/announces/add',
  '/announces/response',
  '/amenities',
  '/amenities/add',
  '/amenities/reservations',
  '/emergency-alerts',
  '/emergency-alerts/add',
  '/conversations',
  '/mail-templates',
  '/mail-templates/add',
  '/backups',
  '/system-info',
  '/reports/licenses',
  '/general-settings',
  ...['registration', 'mail', 'templates', 'sip', 'white-label', 'wallet', 'integrations', 'markers'].map(
    (section) => `/general-settings/${section}`,
  ),
  '/integration/add',
  '/forward-rules',
  '/forward-rules/add',
  '/sip-trunks',
  '/guest-access',
  '/schedules',
  '/schedules/add',
  '/access-rules',
  '/access-rules/add',
  '/identifiers',
  '/identifiers/add',
  '/ukey2',
  '/access-matrix',
  '/access-control/events',
  '/elevators',
  '/elevators/events',
  '/elevators/access-rules',
];
/** Lists of which a row is opened. */
const opened = ['/users', '/roles', '/devices', '/announces', '/amenities', '/emergency-alerts', '/identifiers'];

/** Each language at each width. Barriers are looked for in two of them, which have each language, light and width once: that takes most of the time. */
const manners = [
  { locale: 'en-GB', dark: false, width: 1440, axe: true },
  { locale: 'ru-RU', dark: true, width: 390, axe: true },
  { locale: 'ru-RU', dark: false, width: 1440, axe: false },
  { locale: 'en-GB', dark: true, width: 390, axe: false },
];
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const height = (width: number): number => (width === 390 ? 844 : 900);
type Seat = Awaited<ReturnType<typeof sitDown>>;

/** Looks at a page and notes what nobody should meet: barriers (in `within`, where that is asked for), sideways scrolling, words of the machine. */
function lookAt(page: Seat['page'], found: string[], { axe, within = 'html' }: { axe: boolean; within?: string }) {
  return async (path: string) => {
    if (axe) found.push(...(await barriers(page, { within, tags: standards })).map((barrier) => `${path}: ${barrier}`));
    const { overflow, words } = await page.evaluate(() => ({
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      words: document.body.innerText,
    }));
    if (overflow > 1) found.push(`${path}: ${overflow} px too wide`);
    const raw =
      /\b(?:interface|areas|list|errors|validation|permissions|home|simulator|phone)\.[a-z_-]+\.[\w.-]+|\bnull\b|\bundefined\b|\[object/.exec(words);
    if (raw) found.push(`${path}: says ${raw[0]}`);
  };
}

/** Waits until a screen shows what it has. */
async function drawn(page: Seat['page']): Promise<void> {
  await page.locator('main h1, main h2, .top-title, main form').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('.bone, [aria-busy=true]'), undefined, { timeout: 10_000 });
}

describe.each(manners)('every screen in $locale, dark $dark, $width px wide', ({ locale, dark, width, axe }) => {
  it('is accessible, fits, speaks in words and throws nothing', async () => {
    const { page, signIn, close } = await sitDown(stage, { locale, dark, width, height: height(width) });
    const found: string[] = [];
    const look = lookAt(page, found, { axe });
    await page.goto('/login');
    await page.locator('#login').waitFor();
    await page.getByRole('button', { name: locale === 'ru-RU' ? 'Русский' : 'English' }).click();
    await look('/login');
    await page.goto(`/registration/${'x'.repeat(43)}`);
    await page.locator('.session-note-bad').waitFor();
    await look('/registration');
    await signIn('admin');
    await page.waitForURL('**/home');
    for (const path of screens) {
      await page.goto(path);
      await drawn(page);
      await look(path);
    }
    // What is chosen from stands above the page: a filter's month.
    await page.goto('/devices/events');
    await page.locator('.chip-add').click();
    await page.locator('.filter-fields button').last().click();
    await page.locator('.p-datepicker').waitFor();
    await look('a filter by date');
    expect(found).toEqual([]);
    await close();
  });
});

describe.each(manners.filter(({ axe }) => axe))('every further screen in $locale, dark $dark, $width px wide', ({ locale, dark, width }) => {
  it('is accessible, fits and speaks in words', async () => {
    const { page, signIn, close } = await sitDown(stage, { locale, dark, width, height: height(width) });
    const found: string[] = [];
    const look = lookAt(page, found, { axe: true });
    await page.goto('/login');
    await page.locator('#login').waitFor();
    await page.getByRole('button', { name: locale === 'ru-RU' ? 'Русский' : 'English' }).click();
    await signIn('admin');
    await page.waitForURL('**/home');
    for (const path of furtherScreens) {
      await page.goto(path);
      await drawn(page);
      await look(path);
    }
    for (const path of opened) {
      await page.goto(path);
      await drawn(page);
      await page.locator('tbody tr td.cell-first').first().click();
      await page.waitForURL((url) => url.pathname !== path);
      await drawn(page);
      await look(`a row of ${path}`);
    }
    expect(found).toEqual([]);
    await close();
  }, 300_000);
});

/** Signs a concierge in whose phone is owned by another tab: it shows whatever that tab tells it. */
async function atPhone({ locale, dark, width, axe }: (typeof manners)[number]) {
  const seat = await sitDown(stage, { locale, dark, width, height: height(width) });
  const { page, context, signIn } = seat;
  const found: string[] = [];
  const show = await ownPhone(context, '1001');
  await show(mirrorOf());
  await page.goto('/login');
  await page.locator('#login').waitFor();
  await page.getByRole('button', { name: locale === 'ru-RU' ? 'Русский' : 'English' }).click();
  await signIn('concierge');
  await page.waitForURL('**/home');
  await page.locator('.phone-button').click();
  await page.locator('.phone-panel').waitFor();
  return { ...seat, show, found, look: lookAt(page, found, { axe, within: '.phone-panel, .phone-button, .desk-calls, .alert-stack' }) };
}

describe.each(manners)('the phone in $locale, dark $dark, $width px wide', (manner) => {
  it('is accessible in every part, fits and speaks in words', async () => {
    const { page, look, found, close } = await atPhone(manner);
    const tabs = page.getByRole('tab');
    for (let at = 0; at < (await tabs.count()); at++) {
      await tabs.nth(at).click();
      await page.waitForFunction(() => !document.querySelector('.phone-part .skeleton-lines, .phone-part [aria-busy=true]'));
      await look(`part ${at}`);
    }
    // Without a group it warns, in words.
    await page.locator('.interception > .p-button').click();
    await page.locator('.alert-stack .alert').waitFor();
    await look('interception of nothing');
    await page.locator('.phone-head button').first().click();
    await look('settings');
    expect(await tabs.count()).toBe(5);
    expect(found).toEqual([]);
    await close();
  });
});

// The longer of the two languages, in both widths.
describe.each(manners.filter(({ locale }) => locale === 'ru-RU').map((manner) => ({ ...manner, axe: true })))(
  'the phone in $locale, dark $dark, $width px wide',
  (manner) => {
    it('is accessible whatever it has to show, fits and speaks in words', async () => {
      const { page, show, look, found, close } = await atPhone(manner);
      for (const [scene, mirrorAt] of Object.entries(scenes)) {
        const mirror = mirrorAt(Date.now());
        await show(mirror);
        await page.waitForFunction((count) => document.querySelectorAll('.call').length === count, mirror.calls.length);
        await page.locator(`.phone-head[data-registration="${mirror.registration}"]`).waitFor();
        await look(scene);
      }
      await show(mirrorOf({ ringing: 'sos', calls: [callOf({ sos: 'yes', video: true, startedAt: Date.now() })] }));
      await page.locator('.phone-head button').last().click();
      await page.locator('[data-open="false"] > .desk-calls .call').waitFor();
      await look('rings above a page');
      expect(found).toEqual([]);
      await close();
    });
  },
);

/** What may stand over a page, each with the presses that bring it up. */
const overlays: Readonly<Record<string, { at: string; open: (page: Seat['page']) => Promise<void>; shows: string }>> = {
  'the menu of the person': { at: '/users', open: (page) => page.locator('.person-button').click(), shows: '.popup' },
  'the latest notifications': { at: '/users', open: (page) => page.locator('.bell').click(), shows: '.bell-menu' },
  'the menu of a row': { at: '/users', open: (page) => page.locator('tbody .icon-button').first().click(), shows: '.popup [role=menuitem]' },
  'the question before a row is deleted': {
    at: '/users',
    open: async (page) => {
      await page.locator('tbody .icon-button').first().click();
      await page.locator('.popup [data-tone=danger]').click();
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
      const { page, signIn, close } = await sitDown(stage, { locale, dark, width, height: height(width) });
      const found: string[] = [];
      const look = lookAt(page, found, { axe: true });
      await page.goto('/login');
      await page.locator('#login').waitFor();
      await page.getByRole('button', { name: locale === 'ru-RU' ? 'Русский' : 'English' }).click();
      await signIn('admin');
      await page.waitForURL('**/home');
      for (const [name, { at, open, shows }] of Object.entries(overlays)) {
        await page.goto(at);
        await drawn(page);
        for (const up of ['.emergency-line', '.alarm-row']) await page.locator(up).first().waitFor();
        await open(page);
        await page.locator(shows).first().waitFor();
        await look(name);
      }
      // Notices of alarms are for whoever sits at the desk; looked at, they are read.
      await sense(stage, await simulated(stage, 'Gym'), 'trip', width === 390 ? 'gas' : 'smoke');
      const desk = await sitDown(stage, { storageState: await stage.remembered('concierge'), locale, dark, width, height: height(width) });
      await desk.page.goto('/users');
      await drawn(desk.page);
      await desk.page.locator('.important-stack .important').first().waitFor();
      await lookAt(desk.page, found, { axe: true })('an important notice');
      await desk.page.locator('.bell').click();
      await desk.page.locator('.bell-menu').waitFor();
      await lookAt(desk.page, found, { axe: true })('the latest notifications beside it');
      await desk.close();
      expect(found).toEqual([]);
      await close();
    },
    300_000,
  );
});
