import type { Browser } from 'playwright-core';
import { launchBrowser } from '#tests/e2e/support/browser.ts';
import { fakeMedia } from '#tests/e2e/support/desk.ts';
import { type RunningServer, startServer } from '#tests/e2e/support/server.ts';
import { type Figure, median } from './figures.ts';
import { barePhone, blackHole, consolePhone, forget, type Note, noted, type Phone } from './phones.ts';

/** BENCH_SHORT=1 looks for an order of magnitude only. */
const rounds = process.env['BENCH_SHORT'] ? 6 : 30;
/** How long it rings before somebody answers, ms: nobody is faster. */
const ringing = 400;

/** The first time of something, from a moment on. */
const at = (list: readonly Note[], what: RegExp, from = 0): number => list.find((each) => each.at >= from && what.test(each.what))?.at ?? Number.NaN;
const wait = ({ page }: Phone, ...wanted: string[]): Promise<unknown> =>
  page.waitForFunction((all) => all.every((one) => (window as unknown as { noted: Note[] }).noted.some(({ what }) => what === one)), wanted);

/** What one call cost, in ms; the times of an answer are those of the end that came last. */
interface Round {
  invite: number;
  confirmed: number;
  sound: number;
  ended: number;
}
async function talkOnce(caller: Phone, callee: Phone): Promise<Round> {
  await Promise.all([forget(caller), forget(callee)]);
  await caller.dial(callee.number);
  await callee.answer(ringing);
  await Promise.all([wait(caller, 'heard', 'out ACK'), wait(callee, 'heard', 'in ACK')]);
  const [out, taken] = [await noted(caller), await noted(callee)];
  const sent = at(out, /^out INVITE/);
  const dialled = out.findLast((each) => each.what === 'click' && each.at < sent)?.at ?? Number.NaN;
  const answered = at(taken, /^click/);
  await forget(caller);
  await caller.hangUp();
  await wait(callee, 'in BYE');
  const [left, heardEnd] = [await noted(caller), await noted(callee)];
  await Promise.all([caller.tidy(), callee.tidy()]);
  return {
    invite: sent - dialled,
    confirmed: Math.max(at(out, /^out ACK/), at(taken, /^in ACK/)) - answered,
    sound: Math.max(at(out, /^heard/, answered), at(taken, /^heard/, answered)) - answered,
    ended: at(heardEnd, /^in BYE/) - at(left, /^click/),
  };
}

/** The same calls by two phones: the median of each time. */
async function talk(caller: Phone, callee: Phone): Promise<(key: keyof Round) => number> {
  const talks: Round[] = [];
  for (let round = 0; round < rounds; round += 1) talks.push(await talkOnce(caller, callee));
  return (key) => median(talks.map((one) => one[key]));
}

/** How long the INVITE takes where the server for finding one's own address is dead: nobody answers, nobody is waited for. */
async function invite(caller: Phone, number: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await forget(caller);
    await caller.dial(number);
    await wait(caller, 'out INVITE', 'in 180 INVITE');
    const list = await noted(caller);
    const sent = at(list, /^out INVITE/);
    times.push(sent - (list.findLast((each) => each.what === 'click' && each.at < sent)?.at ?? Number.NaN));
    await caller.hangUp();
    await caller.tidy();
  }
  return median(times);
}

interface Start {
  /** From the page's beginning until the number is registered. */
  page: number;
  /** The same from the beginning of the user agent's connection. */
  agent: number;
}
async function registered(phone: Phone): Promise<Start> {
  await phone.page.reload();
  await wait(phone, 'in 200 REGISTER');
  const [list, started] = [await noted(phone), await phone.page.evaluate<number>('performance.timeOrigin')];
  const done = at(list, /^in 200 REGISTER/);
  return { page: done - started, agent: done - at(list, /^start/) };
}

async function starts(browser: Browser, server: RunningServer): Promise<Figure[]> {
  const phone = await consolePhone(browser, server, 'concierge', '1001');
  const ours: Start[] = [];
  for (let round = 0; round < rounds; round += 1) ours.push(await registered(phone));
  await phone.page.context().close();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const bare = await barePhone(browser, server, 'concierge');
    const list = await noted(bare);
    times.push(at(list, /^in 200 REGISTER/) - at(list, /^start/));
    await bare.page.context().close();
  }
  const baseline = { what: 'a bare page', value: median(times) };
  return [
    { what: 'registered after the user agent began', unit: 'ms', ours: median(ours.map(({ agent }) => agent)), baseline, atMost: 100 },
    { what: 'registered after the page began', unit: 'ms', ours: median(ours.map(({ page }) => page)), atMost: 3_000 },
  ];
}

async function deadStun(browser: Browser): Promise<Figure> {
  const hole = await blackHole();
  const server = await startServer({ env: { DOORWARD_LOG: 'error', DOORWARD_ICE_SERVERS: hole.url } });
  try {
    const callee = await consolePhone(browser, server, 'resident', '1003');
    const caller = await consolePhone(browser, server, 'concierge', '1001');
    const ours = await invite(caller, callee.number);
    await caller.page.context().close();
    const bare = await barePhone(browser, server, 'concierge', [hole.url]);
    const baseline = { what: 'a bare page', value: await invite(bare, callee.number) };
    return { what: 'click to INVITE with a dead STUN server', unit: 'ms', ours, baseline, atMost: 260 };
  } finally {
    await server.discard();
    hole.close();
  }
}

/** What people wait for at the phone: pages of one browser, called through the server with its media process; beside them, JsSIP on a bare page. */
export async function benchCalls(): Promise<Figure[]> {
  const server = await startServer({ env: { DOORWARD_LOG: 'error' } });
  const browser = await launchBrowser(...fakeMedia);
  try {
    const [caller, callee] = [await consolePhone(browser, server, 'concierge', '1001'), await consolePhone(browser, server, 'resident', '1003')];
    const ours = await talk(caller, callee);
    await Promise.all([caller, callee].map(({ page }) => page.context().close()));
    const [one, other] = [await barePhone(browser, server, 'concierge'), await barePhone(browser, server, 'resident')];
    const bare = await talk(one, other);
    await Promise.all([one, other].map(({ page }) => page.context().close()));
    const figure = (what: string, key: keyof Round, atMost: number): Figure => ({
      what: `${what}, median of ${rounds}`,
      unit: 'ms',
      ours: ours(key),
      baseline: { what: 'a bare page', value: bare(key) },
      atMost,
    });
    return [
      figure('click to INVITE', 'invite', 180),
      await deadStun(browser),
      figure('answer to confirmed at both ends', 'confirmed', 60),
      figure('answer to first sound at both ends', 'sound', 150),
      figure('hang-up to BYE at the other side', 'ended', 25),
      ...(await starts(browser, server)),
    ];
  } finally {
    await browser.close();
    await server.discard();
  }
}
