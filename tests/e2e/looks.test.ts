import AxeBuilder from '@axe-core/playwright';
import { describe, expect, it } from 'vitest';
import { callOf, mirrorOf } from '#tests/support/phone-mirrors.ts';
import { sitDown } from './support/person.ts';
import { ownPhone, scenes } from './support/phone-scenes.ts';
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
  /** A button half below an edge is no fault where it can be scrolled into view. */
  const isCutOff = async (rule: string, target: string): Promise<boolean> => {
    if (rule !== 'target-size') return false;
    // To the middle: at an edge a sticky foot may still lie over it.
    await page.locator(target).evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const { violations } = await new AxeBuilder({ page }).include(target).withRules([rule]).setLegacyMode().analyze();
    return violations.length === 0;
  };
  const findBarriers = async (path: string): Promise<void> => {
    // Our pages have no frames: the legacy mode spares a second page for each look, and asking for violations alone half of the work.
    const { violations } = await new AxeBuilder({ page })
      .include(within)
      .options({ resultTypes: ['violations'] })
      .withTags(standards)
      .setLegacyMode()
      .analyze();
    for (const { id, nodes } of violations)
      for (const { html, target } of nodes) if (!(await isCutOff(id, String(target[0])))) found.push(`${path}: ${id}: ${html.slice(0, 160)}`);
  };
  return async (path: string) => {
    if (axe) await findBarriers(path);
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
      await page.locator('main h1, main h2, .top-title, main form').first().waitFor();
      await page.waitForFunction(() => !document.querySelector('.bone, [aria-busy=true]'), undefined, { timeout: 10_000 });
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
