import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach } from 'vitest';
import { longestWait } from '#tests/support/in-time.ts';
import type { Stage } from './stage.ts';

/** Whether one of these is visible at this moment. */
export const visible = (page: Page, ...selectors: string[]): Promise<boolean> => page.locator(selectors.join(', ')).first().isVisible();

/** What of all this is visible at this moment, by name, with its text or what is typed there; seen in one look. */
export const signsOn = <Name extends string>(page: Page, selectors: Record<Name, string>): Promise<Partial<Record<Name, string>>> =>
  page.evaluate(
    (wanted) =>
      Object.fromEntries(
        Object.entries(wanted as Record<string, string>)
          .map(
            ([name, selector]) => [name, [...document.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility())] as const,
          )
          .flatMap(([name, element]) => (element ? [[name, element instanceof HTMLInputElement ? element.value : element.innerText]] : [])),
      ) as Partial<Record<Name, string>>,
    selectors,
  );

const steady = 3;

/** The state in which the page has come to rest: the expected one once it holds, any other once it never came. */
export async function atRest(page: Page, look: () => Promise<string>, expected: string): Promise<string> {
  const until = performance.now() + longestWait;
  let last = '';
  for (let same = 0; same < steady && performance.now() < until;) {
    last = await look();
    same = last === expected ? same + 1 : 0;
    await page.waitForTimeout(30);
  }
  return last;
}

/** Opens a tab for each path of a story; all are of one window in which this person is signed in, and none outlives its path. */
export function setTab(stage: Stage, login: string): () => Promise<Page> {
  let window: BrowserContext | undefined;
  let tab: Page | undefined;
  afterEach(() => tab?.close());
  afterAll(() => window?.close());
  return async () => {
    window ??= await stage.browser.newContext({
      baseURL: stage.server.url,
      locale: 'en-GB',
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
      storageState: await stage.remembered(login),
    });
    tab = await window.newPage();
    return tab;
  };
}
