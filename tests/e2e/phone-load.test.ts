import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { inTime } from '#tests/support/in-time.ts';
import { atRest, simulated } from './support/alarms.ts';
import type { ClientCall } from '#tests/server/sip-compose.ts';
import { type Caller, callerOf, leave, talk } from './support/callers.ts';
import { type Desk, fakeMedia, onDuty, press, sees } from './support/desk.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

/** What a page notes of its calls: when so many were listed first, when an SOS stood above all others, and its longest task; in ms. */
interface Noted {
  listed: number[];
  sos: number | null;
  longest: number;
}
declare global {
  var noted: Noted;
}

/** In ms. */
const limits = { listed: 2_000, task: 100 };
const stage = setStage({}, fakeMedia);
const callers: Caller[] = [];
const desks: Desk[] = [];
const dialled: { by: Caller; call: ClientCall }[] = [];
/** Somebody of those who call rings the desk. */
function ring(at = 0): { by: Caller; call: ClientCall } {
  const by = callers[at % callers.length];
  if (!by) throw new Error('nobody calls');
  const ringing = { by, call: by.dial('700') };
  dialled.push(ringing);
  return ringing;
}
afterEach(async () => {
  for (const { by, call } of dialled.splice(0)) await leave(by, call);
  // A call of one test is not the first of the next one's.
  const waiting = async () => (await api<{ data: unknown[] }>(stage.server, 'GET', '/calls/waiting', { token: stage.token })).body.data.length;
  while ((await waiting()) > 0) await wait(100);
  for (const { context } of desks.splice(0)) await context.close();
  for (const { client } of callers.splice(0)) client.close();
});

/** Runs in the page before anything else. */
const observe = `
  window.noted = { listed: [], sos: null, longest: 0 };
  const now = () => performance.timeOrigin + performance.now();
  new MutationObserver(() => {
    const calls = document.querySelectorAll('.calls > li');
    while (noted.listed.length <= calls.length) noted.listed.push(now());
    if (noted.sos === null && calls[0] && calls[0].dataset.sos === 'yes') noted.sos = now();
  }).observe(document, { childList: true, subtree: true, attributes: true });
  new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => { noted.longest = Math.max(noted.longest, duration); })).observe({ type: 'longtask' });
`;
const clock = (): number => performance.timeOrigin + performance.now();
const listed = ({ page }: Desk, count: number) => page.waitForFunction((many) => globalThis.noted.listed.length > many, count, { polling: 50 });
const forget = ({ page }: Desk): Promise<void> =>
  page.evaluate(() => {
    globalThis.noted = { listed: [], sos: null, longest: 0 };
  });
const notedBy = ({ page }: Desk): Promise<Noted> => page.evaluate(() => globalThis.noted);
const sit = async (...logins: string[]): Promise<Desk> => {
  // The devices of the demo come to life first: that is another load, with a row of its own.
  await atRest(stage);
  const desk = await onDuty(stage, 'concierge', 700, observe);
  desks.push(desk);
  callers.push(...(await Promise.all(logins.map((login) => callerOf(stage, login)))));
  await forget(desk);
  return desk;
};

describe('a desk at which everybody calls at once', () => {
  it('fifty calls are all listed soon, the oldest first, and the page stays quick (D39)', async ({ annotate }) => {
    const desk = await sit('resident', 'manager', 'admin');
    const begun = clock();
    for (let at = 0; at < 50; at += 1) ring(at);
    await listed(desk, 50);
    const seen = await notedBy(desk);
    const all = (seen.listed[50] ?? 0) - begun;
    await annotate(`all fifty after ${Math.round(all)} ms, the longest task took ${Math.round(seen.longest)} ms`);
    expect(all).toBeLessThan(limits.listed);
    expect(seen.longest).toBeLessThan(limits.task);
  });

  it('an SOS call stands above twenty that wait and one that is talked, within half a second (D41)', async ({ annotate }) => {
    const panel = await simulated(stage, 'Tower B lobby');
    const desk = await sit('resident', 'manager');
    const first = ring();
    await press(desk, 'Answer');
    await talk(first.by, first.call);
    await sees(desk, 'Talking');
    for (let at = 0; at < 20; at += 1) ring(at);
    await listed(desk, 21);
    await forget(desk);
    const begun = clock();
    expect((await api(stage.server, 'POST', `/simulator/devices/${panel}`, { token: stage.token, body: { act: 'sos' } })).status).toBe(200);
    await desk.page.waitForFunction(() => globalThis.noted.sos !== null, undefined, { polling: 50 });
    const after = ((await notedBy(desk)).sos ?? 0) - begun;
    await annotate(`in the first row ${Math.round(after)} ms after the press at the panel`);
    await api(stage.server, 'POST', `/simulator/devices/${panel}`, { token: stage.token, body: { act: 'hang_up' } });
    expect(after).toBeLessThan(inTime(750));
  });

  it('reloaded in a call of the queue, the page offers to rejoin it within two seconds (D36)', async ({ annotate }) => {
    const desk = await sit('resident');
    const { by, call } = ring();
    await press(desk, 'Answer');
    await talk(by, call);
    await sees(desk, 'Talking');
    await desk.page.reload();
    const begun = performance.now();
    await desk.page
      .getByRole('button', { name: /^(Resume|Rejoin)$/ })
      .first()
      .waitFor();
    const offered = performance.now() - begun;
    await annotate(`offered ${Math.round(offered)} ms after the page had loaded`);
    expect(offered).toBeLessThan(inTime(2_000));
  });

  it('fifty calls get their media within ten seconds, and the API answers meanwhile (D40)', async ({ annotate }) => {
    callers.push(...(await Promise.all(['resident', 'manager', 'admin'].map((login) => callerOf(stage, login)))));
    const begun = performance.now();
    const seen = Array.from({ length: 50 }, (_, at) => {
      const { by, call } = ring(at);
      return by.client.next((heard) => heard.status === 183 && heard.of('call-id') === call.callId && heard.body !== '', 20_000);
    });
    const up = { all: false };
    const ask = async (): Promise<number> => {
      const asked = performance.now();
      expect((await api(stage.server, 'GET', '/users?size=10', { token: stage.token })).status).toBe(200);
      return performance.now() - asked;
    };
    // Whoever works beside it asks twenty times a second, answered or not.
    const asking = (async () => {
      const answers: Promise<number>[] = [];
      for (; !up.all; await wait(50)) answers.push(ask());
      return Promise.all(answers);
    })();
    await Promise.all(seen);
    const took = performance.now() - begun;
    up.all = true;
    const times = await asking;
    const sorted = times.toSorted((one, other) => one - other);
    const at = (share: number): number => sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
    await annotate(
      `all fifty after ${Math.round(took)} ms, of ${times.length} answers of the API the median ${Math.round(at(0.5))} ms, 95 % within ${Math.round(at(0.95))} ms`,
    );
    expect(took).toBeLessThan(inTime(10_000));
    expect(at(0.95)).toBeLessThan(500);
  });
});
