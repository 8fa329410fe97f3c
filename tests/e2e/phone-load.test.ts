import { afterEach, describe, expect, it } from 'vitest';
import { type Caller, callerOf } from './support/callers.ts';
import { type Desk, fakeMedia, onDuty } from './support/desk.ts';
import { setStage } from './support/stage.ts';

declare global {
  var listed: number[];
  var longest: number;
}

const stage = setStage({}, fakeMedia);
const callers: Caller[] = [];
const desks: Desk[] = [];
afterEach(async () => {
  for (const { context } of desks.splice(0)) await context.close();
  for (const { client } of callers.splice(0)) client.close();
});

/** Notes in the page when so many calls were listed first, and how long its longest task was. */
const observe = `
  window.listed = []; window.longest = 0;
  const count = () => { const now = document.querySelectorAll('.phone-panel .call').length; while (window.listed.length <= now) window.listed.push(performance.timeOrigin + performance.now()); };
  new MutationObserver(count).observe(document, { childList: true, subtree: true });
  new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => { window.longest = Math.max(window.longest, duration); })).observe({ type: 'longtask' });
`;

describe('a desk at which everybody calls at once', () => {
  it('fifty calls are all listed within two seconds, in order, and the page stays quick (D39)', async ({ annotate }) => {
    const desk = await onDuty(stage, 'concierge', 700, observe);
    desks.push(desk);
    callers.push(...(await Promise.all(['resident', 'manager', 'admin'].map((login) => callerOf(stage, login)))));
    await desk.page.evaluate(() => {
      globalThis.longest = 0;
      globalThis.listed = [];
    });
    const begun = performance.timeOrigin + performance.now();
    for (let at = 0; at < 50; at += 1) callers[at % callers.length]?.dial('700');
    await desk.page.waitForFunction(() => globalThis.listed.length > 50, undefined, { polling: 100, timeout: 30_000 });
    const seen = await desk.page.evaluate(() => ({ listed: globalThis.listed, longest: globalThis.longest }));
    await annotate(
      `first after ${Math.round((seen.listed[1] ?? 0) - begun)} ms, all after ${Math.round((seen.listed[50] ?? 0) - begun)} ms, longest task ${Math.round(seen.longest)} ms`,
    );
    console.log(
      seen.listed.map((at) => Math.round(at - begun)),
      seen.longest,
    );
    expect((seen.listed[50] ?? 0) - begun).toBeLessThan(2_000);
    expect(seen.longest).toBeLessThan(100);
  });
});
