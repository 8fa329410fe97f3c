import type { Page } from 'playwright-core';
import { launchBrowser } from '#tests/e2e/support/browser.ts';
import { type Desk, dial, fakeMedia, onDuty } from '#tests/e2e/support/desk.ts';
import { startServer } from '#tests/e2e/support/server.ts';
import type { Stage } from '#tests/e2e/support/stage.ts';
import { type Figure, median } from './figures.ts';

const rounds = 30;

/** Notes, on each page's own clock, when it sends or gets a message of SIP, and when sound first comes in. */
const notes = `
  window.noted = [];
  const note = (what) => window.noted.push({ what, at: performance.timeOrigin + performance.now() });
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) { if (typeof text === 'string') note('out ' + text.split(' ', 1)[0]); return send.call(this, text); };
  const Original = window.WebSocket;
  window.WebSocket = class extends Original { constructor(...rest) { super(...rest);
    this.addEventListener('message', ({ data }) => { if (typeof data === 'string') note('in ' + (data.startsWith('SIP/2.0') ? data.slice(8, 11) + ' ' + ((data.match(/CSeq: *\\d+ *(\\w+)/i) || [])[1] || '') : data.split(' ', 1)[0])); }); } };
  document.addEventListener('click', () => note('click'), true);
  setInterval(async () => {
    const line = window.lines && window.lines.at(-1);
    if (!line || line.heard || line.connectionState === 'closed') return;
    (await line.getStats()).forEach((stat) => { if (stat.type === 'inbound-rtp' && stat.kind === 'audio' && stat.packetsReceived > 0 && !line.heard) { line.heard = true; note('heard'); } });
  }, 5);
`;
interface Note {
  what: string;
  at: number;
}
const noted = (page: Page): Promise<Note[]> => page.evaluate('noted');
const clear = (page: Page): Promise<unknown> => page.evaluate('noted.length = 0');
/** The first time of something, from a moment on. */
const at = (list: readonly Note[], what: RegExp, from = 0): number => list.find((each) => each.at >= from && what.test(each.what))?.at ?? Number.NaN;

interface Round {
  click: number;
  confirmed: number;
  audio: number;
  ended: number;
}
async function talkOnce(caller: Desk, callee: Desk): Promise<Round> {
  await Promise.all([clear(caller.page), clear(callee.page)]);
  await dial(caller, '1003');
  const answer = callee.page.getByRole('button', { name: 'Answer', exact: true }).first();
  await answer.waitFor();
  await clear(callee.page);
  await answer.click();
  await callee.page.waitForFunction(() =>
    ['heard', 'in ACK'].every((wanted) => (window as unknown as { noted: { what: string }[] }).noted.some(({ what }) => what === wanted)),
  );
  const [out, taken] = [await noted(caller.page), await noted(callee.page)];
  const [dialled, answered] = [
    out.findLast(({ what, at: when }) => what === 'click' && when < at(out, /^out INVITE/))?.at ?? Number.NaN,
    at(taken, /^click/),
  ];
  await clear(caller.page);
  await caller.page.getByRole('button', { name: 'End', exact: true }).first().click();
  await callee.page.getByText('The other side hung up').first().waitFor();
  const [left, told] = [await noted(caller.page), await noted(callee.page)];
  for (const { page } of [caller, callee]) await page.getByRole('button', { name: 'Take off the list', exact: true }).first().click();
  return {
    click: at(out, /^out INVITE/) - dialled,
    confirmed: at(taken, /^in ACK/) - answered,
    audio: at(taken, /^heard/) - answered,
    ended: at(told, /^in BYE/) - at(left, /^click/),
  };
}

/** From the start of the console's page until the number is registered. */
async function registeredAfter({ page }: Desk): Promise<number> {
  await page.reload();
  await page.locator('.phone-button[data-tone="good"]').waitFor();
  const [list, started] = [await noted(page), await page.evaluate<number>('performance.timeOrigin')];
  return at(list, /^in 200 REGISTER/) - started;
}

/** What people wait for at the phone: two pages of one browser, called through the server with its media process. */
export async function benchCalls(): Promise<Figure[]> {
  const server = await startServer({ env: { DOORWARD_LOG: 'error' } });
  const browser = await launchBrowser(...fakeMedia);
  const stage: Stage = { server, browser, token: '', remembered: () => Promise.reject(new Error('nobody is remembered here')) };
  try {
    const [caller, callee] = [await onDuty(stage, 'concierge', 700, notes), await onDuty(stage, 'resident', 1_100, notes)];
    const talks: Round[] = [];
    for (let round = 0; round < rounds; round += 1) talks.push(await talkOnce(caller, callee));
    const starts: number[] = [];
    for (let round = 0; round < 10; round += 1) starts.push(await registeredAfter(caller));
    const of = (key: keyof Round): number => median(talks.map((talk) => talk[key]));
    return [
      { what: `click to INVITE, median of ${rounds}`, unit: 'ms', ours: of('click'), atMost: 500 },
      { what: 'answer to confirmed (ACK), median', unit: 'ms', ours: of('confirmed'), atMost: 500 },
      { what: 'answer to first packet of sound, median', unit: 'ms', ours: of('audio'), atMost: 1_000 },
      { what: 'hang-up to BYE at the other side, median', unit: 'ms', ours: of('ended'), atMost: 1_000 },
      { what: 'registered after the page began, median of 10', unit: 'ms', ours: median(starts), atMost: 3_000 },
    ];
  } finally {
    await browser.close();
    await server.discard();
  }
}
