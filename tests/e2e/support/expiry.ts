import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';

const unauthenticated = { status: 401, json: { message: 'Unauthenticated', error: { code: 'not_authorized', message: 'Unauthenticated' } } };

const broken = { status: 500, json: { message: 'internal server error', error: { code: 'internal', message: 'internal server error' } } };

/** Waits until a page asks for nothing any more: what comes after a screen would meet a token that is made to expire. */
export async function calm(page: Page): Promise<void> {
  let last = performance.now();
  const note = (): void => void (last = performance.now());
  page.on('request', note).on('requestfinished', note);
  while (performance.now() - last < 1_000) await wait(50);
  page.off('request', note).off('requestfinished', note);
}

/** From now on the server seems to reject the token the page holds, until it has been exchanged. Counts the exchanges. */
export async function expireToken(
  page: Page,
  refreshAnswer?: { status: number; delay?: number },
): Promise<{ refreshes: () => number; rejected: () => number }> {
  const old = await page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]));
  let refreshes = 0;
  let rejected = 0;
  await page.route('**/api/v0/**', async (route) => {
    const token = route.request().headers()['authorization']?.slice('Bearer '.length);
    if (route.request().url().endsWith('/refresh')) {
      refreshes += 1;
      if (refreshAnswer?.delay) await new Promise((done) => setTimeout(done, refreshAnswer.delay));
      if (refreshAnswer && refreshAnswer.status !== 200) return route.fulfill(refreshAnswer.status === 401 ? unauthenticated : broken);
      return route.continue();
    }
    if (token && old.includes(token)) {
      rejected += 1;
      return route.fulfill(unauthenticated);
    }
    return route.continue();
  });
  return { refreshes: () => refreshes, rejected: () => rejected };
}
