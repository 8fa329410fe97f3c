import type { Page } from 'playwright-core';
import { barriers } from './barriers.ts';

/** Each language at each width. Barriers are looked for in two of them, which have each language, light and width once: that takes most of the time. */
export const manners = [
  { locale: 'en-GB', dark: false, width: 1440, axe: true },
  { locale: 'ru-RU', dark: true, width: 390, axe: true },
  { locale: 'ru-RU', dark: false, width: 1440, axe: false },
  { locale: 'en-GB', dark: true, width: 390, axe: false },
];
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
export const height = (width: number): number => (width === 390 ? 844 : 900);

/** Looks at a page and notes what nobody should meet: barriers (in `within`, where that is asked for), sideways scrolling, words of the machine. */
export function lookAt(page: Page, found: string[], { axe, within = 'html' }: { axe: boolean; within?: string }) {
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
export async function drawn(page: Page): Promise<void> {
  await page.locator('main h1, main h2, .top-title, main form').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('.bone, [aria-busy=true]'), undefined, { timeout: 10_000 });
}
