import type { Page } from 'playwright-core';
import { isFull } from '#tests/support/extent.ts';
import { barriers } from './barriers.ts';

const eachManner = [
  { locale: 'en-GB', dark: false, width: 1440, axe: true },
  { locale: 'ru-RU', dark: true, width: 390, axe: true },
  { locale: 'ru-RU', dark: false, width: 1440, axe: false },
  { locale: 'en-GB', dark: true, width: 390, axe: false },
];
/**
 * Two that have each language, light and width once, where barriers are looked for, which takes most of the time; with `npm run test:full` also the
 * other two.
 */
export const manners = eachManner.filter(({ axe }) => axe || isFull);
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
export const height = (width: number): number => (width === 390 ? 844 : 900);

/** Looks at a page and notes what nobody should meet: barriers (in `within`, where that is asked for), sideways scrolling, words of the machine. */
export function lookAt(page: Page, found: string[], { axe, within = 'html' }: { axe: boolean; within?: string }) {
  return async (path: string) => {
    if (axe) found.push(...(await barriers(page, { within, tags: standards })).map((barrier) => `${path}: ${barrier}`));
    const { overflow, cut, words } = await page.evaluate(() => ({
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      // Entries of the menu are read whole, and figures of a report need no scrolling aside that nothing announces.
      cut: [...document.querySelectorAll('.side-menu .menu-words, .report-scroll')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map((element) => element.getAttribute('aria-label') ?? element.textContent),
      words: document.body.innerText,
    }));
    found.push(...cut.map((text) => `${path}: "${text}" is cut`));
    if (overflow > 1) found.push(`${path}: ${overflow} px too wide`);
    const raw =
      /\b(?:interface|areas|list|errors|validation|permissions|home|simulator|phone)\.[a-z_-]+\.[\w.-]+|\bnull\b|\bundefined\b|\[object/.exec(words);
    if (raw) found.push(`${path}: says ${raw[0]}`);
  };
}

const sectionOf = (path: string): string | undefined => path.split('/')[1];

/** Follows an address as a link does, and waits until the screen before it is gone. */
async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    document.querySelector('main > *')?.setAttribute('data-left', '');
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await page.locator('[data-left]').waitFor({ state: 'detached' });
}

/**
 * Goes to a screen within the console: to load the whole console for each takes longer than to look at it. Screens of one section may share what is
 * drawn around them, so that there another screen comes between.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  if (sectionOf(new URL(page.url()).pathname) === sectionOf(path)) await follow(page, '/nowhere');
  await follow(page, path);
  await drawn(page);
}

/** Waits until a screen shows what it has. */
export async function drawn(page: Page): Promise<void> {
  await page.locator('main h1, main h2, .top-title, main form').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('.bone, [aria-busy=true]'));
}
