import type { Page, Route } from 'playwright-core';
import { longestWait } from '#tests/support/in-time.ts';

/** What becomes of a request that waits at the gate; an answer of the test's own is data, or a refusal. */
export type Verdict = 'through' | 'lost' | { data: unknown } | { status: number; code: string; message: string; data?: unknown };

/** Requests of a page that the test lets through, loses or answers itself, when the story says so. */
export interface Gate {
  /** Matching requests that wait now. */
  waiting: () => number;
  /** Matching requests wait from now on. */
  hold: () => void;
  /** Lets all through that wait, if any do, and all that come. */
  open: () => Promise<void>;
  /** Decides all that wait, and all that come until they are held again. Waits for the first if none is there. */
  decide: (verdict: Verdict) => Promise<void>;
  /** Decides those that wait, or the first to come; whatever comes after them waits. */
  decideThese: (verdict: Verdict) => Promise<void>;
}

async function carryOut(route: Route, verdict: Verdict): Promise<void> {
  if (verdict === 'through') return route.continue();
  if (verdict === 'lost') return route.abort('connectionreset');
  if (!('status' in verdict)) return route.fulfill({ json: verdict });
  const { status, code, message, data } = verdict;
  return route.fulfill({ status, json: { message, error: { code, message }, data } });
}

/** Sets a gate before the requests that match; open until they are held. */
export async function setGate(page: Page, matches: (path: string, method: string) => boolean): Promise<Gate> {
  let verdict: Verdict | null = 'through';
  const queue: Route[] = [];
  await page.route('**/api/v0/**', (route) => {
    const request = route.request();
    if (!matches(new URL(request.url()).pathname.replace('/api/v0', ''), request.method())) return route.fallback();
    if (verdict) return carryOut(route, verdict);
    queue.push(route);
    return undefined;
  });
  // Whoever asked gave up: nobody waits any more.
  page.on('requestfailed', (request) => {
    const at = queue.findIndex((route) => route.request() === request);
    if (at >= 0) queue.splice(at, 1);
  });
  const arrival = async (): Promise<void> => {
    const until = performance.now() + longestWait;
    while (queue.length === 0 && verdict === null && performance.now() < until) await page.waitForTimeout(20);
  };
  const decideNow = (next: Verdict) => Promise.all(queue.splice(0).map((route) => carryOut(route, next)));
  const decideThese = async (next: Verdict): Promise<void> => {
    await arrival();
    await decideNow(next);
  };
  return {
    waiting: () => queue.length,
    hold: () => {
      verdict = null;
    },
    open: async () => {
      verdict = 'through';
      await decideNow('through');
    },
    decideThese,
    decide: async (next) => {
      await arrival();
      verdict = next;
      await decideThese(next);
    },
  };
}
