import AxeBuilder from '@axe-core/playwright';
import { describe, expect, it } from 'vitest';
import { sitDown } from './support/person.ts';
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
  '/profile',
  '/mails',
  '/simulator',
  '/nowhere',
];

const manners = [
  { locale: 'en-GB', dark: false, width: 1440 },
  { locale: 'ru-RU', dark: true, width: 1440 },
  { locale: 'ru-RU', dark: false, width: 390 },
  { locale: 'en-GB', dark: true, width: 390 },
];
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** A narrow page is looked at as a whole: a row half under the sticky foot is no fault, for it can be scrolled. */
const height = (width: number): number => (width === 390 ? 2_400 : 900);
type Seat = Awaited<ReturnType<typeof sitDown>>;

/** Looks at a page and notes what nobody should meet: barriers, sideways scrolling, words of the machine. */
function lookAt(page: Seat['page'], found: string[]) {
  return async (path: string) => {
    // Our pages have no frames: the legacy mode spares a second page for each look, and asking for violations alone half of the work.
    const { violations } = await new AxeBuilder({ page })
      .options({ resultTypes: ['violations'] })
      .withTags(standards)
      .setLegacyMode()
      .analyze();
    found.push(...violations.map(({ id, nodes }) => `${path}: ${id}: ${nodes[0]?.html.slice(0, 160) ?? ''}`));
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

describe.each(manners)('every screen in $locale, dark $dark, $width px wide', ({ locale, dark, width }) => {
  it('is accessible, fits, speaks in words and throws nothing', async () => {
    const { page, signIn, close } = await sitDown(stage, { locale, dark, width, height: height(width) });
    const found: string[] = [];
    const look = lookAt(page, found);
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
    expect(found).toEqual([]);
    await close();
  });
});

describe.each(manners)('the phone in $locale, dark $dark, $width px wide', ({ locale, dark, width }) => {
  it('is accessible in every part, fits and speaks in words', async () => {
    const { page, signIn, close } = await sitDown(stage, { locale, dark, width, height: height(width) });
    const found: string[] = [];
    const look = lookAt(page, found);
    await page.goto('/login');
    await page.locator('#login').waitFor();
    await page.getByRole('button', { name: locale === 'ru-RU' ? 'Русский' : 'English' }).click();
    await signIn('concierge');
    await page.waitForURL('**/home');
    await page.locator('.phone-button').click();
    await page.locator('.phone-panel').waitFor();
    const tabs = page.getByRole('tab');
    for (let at = 0; at < (await tabs.count()); at++) {
      await tabs.nth(at).click();
      await page.waitForFunction(() => !document.querySelector('.phone-part .skeleton-lines, .phone-part [aria-busy=true]'));
      await look(`part ${at}`);
    }
    await page.locator('.phone-head button').first().click();
    await look('settings');
    expect(await tabs.count()).toBe(5);
    expect(found).toEqual([]);
    await close();
  });
});
