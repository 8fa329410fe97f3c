import { readFileSync } from 'node:fs';
import { createSocket } from 'node:dgram';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { inTime } from '#tests/support/in-time.ts';
import { launchBrowser } from './support/browser.ts';
import { type Desk, dial, fakeMedia, hears, hearsNothingOf, leftNothing, onDuty, press, sees } from './support/desk.ts';
import { losing, type MediaRelay, openMediaRelay } from './support/media-relay.ts';
import { api, freePort, type RunningServer, startServer, tokenOf } from './support/server.ts';
import { openSipRelay, type SipRelay } from './support/sip-relay.ts';
import type { Stage } from './support/stage.ts';

/** Somebody whose network is in the hands of the test. */
interface Far extends Desk {
  sip: SipRelay;
  media: MediaRelay;
}
const reconnecting = 'No connection to the server. Your call continues while the phone reconnects.';
let server: RunningServer;
let browser: Browser;
let ports: { web: number; sip: number };
let concierge: Far;
let resident: Desk;
const open: Desk[] = [];
const relays: { close: () => void }[] = [];
/** A STUN server that never answers. */
const stun = createSocket('udp4');

const begin = async (data?: string): Promise<void> => {
  const env = {
    DOORWARD_SIP_PORT: String(ports.sip),
    DOORWARD_ICE_SERVERS: `stun:127.0.0.1:${stun.address().port}`,
    DOORWARD_SIGN_IN_TRIES: '500',
  };
  server = await startServer({ env, port: ports.web, ...(data === undefined ? { copy: inject('seeded') } : { data }) });
};
const stage = (): Stage => ({ server, browser, token: '', remembered: () => Promise.reject(new Error('nobody is remembered here')) });

/** Somebody on duty who reaches the server only through the test. */
async function farAway(login: string, pitch: number): Promise<Far> {
  const media = openMediaRelay();
  const sip = await openSipRelay(() => ports.sip, media.through);
  relays.push(media, sip);
  return { ...(await onDuty(stage(), login, pitch, sip.script, true)), sip, media };
}
beforeAll(async () => {
  await new Promise<void>((done) => stun.bind(0, '127.0.0.1', done));
  ports = { web: await freePort(), sip: await freePort() };
  [browser] = await Promise.all([launchBrowser(...fakeMedia), begin()]);
});
/** What a test that failed left is not the next one's. */
let isClean = false;
beforeEach(async () => {
  if (!isClean) {
    for (const { context } of open.splice(0)) await context.close();
    concierge = await farAway('concierge', 700);
    resident = await onDuty(stage(), 'resident', 1_100);
    open.push(concierge, resident);
  }
  isClean = false;
});
afterEach(({ task }) => {
  isClean = task.result?.state !== 'fail';
});
afterAll(async () => {
  await browser.close();
  for (const relay of relays) relay.close();
  await server.discard();
  stun.close();
});

const since = (from: number): number => performance.now() - from;
const starts = ({ sip }: Far, method: string): number => sip.sent.filter(({ text }) => text.startsWith(`${method} `)).length;
/** The concierge calls the resident, who answers; both hear each other. */
async function talk(): Promise<void> {
  await dial(concierge, '1003');
  await press(resident, 'Answer');
  await Promise.all([sees(concierge, 'Talking'), sees(resident, 'Talking')]);
  await bothHear();
}
/** Nothing is left of a call at either desk; a browser writes down by itself each connection that was refused meanwhile. */
async function nothingLeft(): Promise<void> {
  for (const { errors } of [concierge, resident]) {
    const others = errors.splice(0).filter((text) => !text.startsWith('WebSocket connection to'));
    errors.push(...others);
  }
  await Promise.all([leftNothing(concierge), leftNothing(resident)]);
}
const bothHear = async (): Promise<void> => void (await Promise.all([hears(concierge, 1_100), hears(resident, 700)]));
/** The concierge's machine says that it is on another network. */
const sayOnline = ({ page }: Desk): Promise<unknown> => page.evaluate("dispatchEvent(new Event('online'))");
const received = ({ page }: Desk, name: string): Promise<number> => page.evaluate(`statOf('inbound-rtp', 'audio', '${name}')`);
const back = async ({ page }: Desk, from: number): Promise<number> => {
  await page.locator('.phone-button[data-tone="good"]').waitFor();
  return since(from);
};

it('the connection to the server is lost in a call: talk goes on, and the call is offered anew once it is back (D1, D5, F3, F6)', async () => {
  const clicked = performance.now();
  await dial(concierge, '1003');
  await expect.poll(() => starts(concierge, 'INVITE'), { interval: 20 }).toBe(1);
  const invited = (concierge.sip.sent.find(({ text }) => text.startsWith('INVITE '))?.at ?? 0) - clicked;
  // Without an end to its timeout with the dead STUN server: 40 s.
  expect(invited).toBeLessThan(inTime(2_000));
  await press(resident, 'Answer');
  await bothHear();

  const [lost, came] = await Promise.all([received(resident, 'packetsLost'), received(resident, 'packetsReceived')]);
  concierge.sip.breakOff();
  await sees(concierge, reconnecting);
  await bothHear();
  await press(concierge, 'Mute');
  await hearsNothingOf(resident, 700);
  await press(concierge, 'Unmute');
  await bothHear();
  const offers = starts(concierge, 'INVITE');
  concierge.sip.mend();
  const registered = await back(concierge, performance.now());
  expect(registered).toBeLessThan(inTime(6_500));
  await expect.poll(() => starts(concierge, 'INVITE'), { timeout: inTime(5_000) }).toBeGreaterThan(offers);
  await bothHear();
  const [lostBy, cameBy] = await Promise.all([received(resident, 'packetsLost'), received(resident, 'packetsReceived')]);
  // A busy machine leaves late voice out, and counts it as lost.
  expect(lostBy - lost).toBeLessThan((cameBy - came) * 0.02);
  await press(resident, 'End');
  await sees(concierge, 'The other party hung up');
  await nothingLeft();
});

it('a half-open connection is noticed without anybody saying so (D2, F1)', async () => {
  concierge.sip.freeze();
  const from = performance.now();
  await concierge.page.locator('.phone-button:not([data-tone="good"])').waitFor();
  expect(since(from)).toBeLessThan(21_000);
  concierge.sip.mend();
  await back(concierge, from);
});

/** The concierge moves to another network: the old one is silent, without a word to anybody. @returns ms until the call was offered anew from the new one */
async function changeNetwork(): Promise<number> {
  const { sip, media } = concierge;
  media.fate = () => 'lost';
  sip.freeze();
  await concierge.page.waitForTimeout(1_500);
  media.changeNetwork();
  media.fate = () => 'passes';
  sip.mend();
  const [from, offers] = [performance.now(), starts(concierge, 'INVITE')];
  await sayOnline(concierge);
  await expect.poll(() => starts(concierge, 'INVITE'), { interval: 50 }).toBeGreaterThan(offers);
  return since(from);
}

/** One still holds the other, once the new path has had time to be found. */
async function isHeld(by: Desk, other: Desk): Promise<void> {
  await by.page.waitForTimeout(500);
  await Promise.all([sees(by, 'On hold'), hearsNothingOf(other, by.pitch)]);
}

it('a hold stays a hold on another network, whoever holds, and ends in sound both ways (D14)', async () => {
  await talk();
  for (const [by, other] of [
    [concierge, resident],
    [resident, concierge],
  ] as const) {
    await press(by, 'Hold');
    await Promise.all([sees(by, 'On hold'), hearsNothingOf(other, by.pitch)]);
    await changeNetwork();
    await isHeld(by, other);
    await press(by, 'Resume');
    await bothHear();
  }
  await press(resident, 'End');
  await sees(concierge, 'The other party hung up');
  await nothingLeft();
});

it('another network in a call, half-open connections left behind: sound both ways soon (D2, D8, D12)', async () => {
  await talk();
  concierge.media.fate = losing(30);
  await concierge.page.locator('.line-quality[data-poor="true"]').waitFor();
  concierge.media.fate = () => 'passes';

  const from = performance.now();
  await changeNetwork();
  await bothHear();
  expect(since(from)).toBeLessThan(inTime(1_500 + 6_000));

  // Hung up while nothing gets through: said as soon as it can be.
  concierge.sip.breakOff();
  await press(concierge, 'End');
  await sees(concierge, 'You ended the call');
  concierge.sip.mend();
  await sayOnline(concierge);
  await sees(resident, 'The other party hung up');
  await nothingLeft();
});

it('sound that never comes back, and sound that never came, end the call with the reason (D7, D9, F2)', async () => {
  const token = await tokenOf(server, 'admin');
  const { body } = await api<{ data: { number: string; device: { name: string } | null }[] }>(server, 'GET', '/sip-numbers?size=200', { token });
  const panel = body.data.find(({ device }) => device?.name === 'Tower A lobby')?.number ?? '';
  const [, admin] = await Promise.all([talk(), farAway('admin', 900)]);
  admin.media.fate = () => 'lost';
  await dial(admin, panel);
  await sees(admin, 'Talking');
  const from = performance.now();
  concierge.media.fate = () => 'lost';
  const ends = ({ page }: Desk): Promise<number> =>
    page
      .getByText('Audio was lost and did not come back')
      .first()
      .waitFor()
      .then(() => since(from));
  const shown = concierge.page.getByText('Reconnecting…').first().waitFor();
  const [lost, never] = await Promise.all([ends(concierge), ends(admin), shown]);
  expect(lost).toBeLessThan(inTime(35_000));
  expect(never).toBeLessThan(inTime(20_000));
  await sees(resident, 'The other party hung up');
  concierge.media.fate = () => 'passes';
  await Promise.all([leftNothing(concierge), leftNothing(resident), leftNothing(admin)]);
  await admin.context.close();
  expect(await running(token)).toEqual([]);
});

/** Calls that the server believes to run. */
async function running(token: string): Promise<unknown[]> {
  return (await api<{ data: unknown[] }>(server, 'GET', '/calls/waiting', { token })).body.data;
}
/** The processes that a process has begun. */
const childrenOf = (pid: number | undefined): number[] => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

it('the process of the media is killed, then the server: each call ends with its reason, and nothing stays (D1)', async () => {
  await talk();
  const [first = 0] = childrenOf(server.process.pid);
  process.kill(first, 'SIGKILL');
  await Promise.all([sees(concierge, 'Audio was lost and did not come back'), sees(resident, 'Audio was lost and did not come back')]);
  await Promise.all([leftNothing(concierge), leftNothing(resident)]);

  await talk();
  const children = childrenOf(server.process.pid);
  expect(children).not.toContain(first);
  await server.stop('SIGKILL');
  await expect.poll(() => children.filter(isAlive), { timeout: inTime(8_000) }).toEqual([]);
  // Looked for from now on: a server that takes its time comes back when the reason has been said and gone.
  const ended = /^(The connection was lost|Audio was lost and did not come back)$/;
  const said = Promise.all([concierge, resident].map(({ page }) => page.getByText(ended).first().waitFor()));
  await begin(server.data);
  const from = performance.now();
  await said;
  const token = await tokenOf(server, 'admin');
  const { body } = await api<{ data: { status: string; end_reason: string }[] }>(server, 'GET', '/calls/history?sort=-created_at&size=2', { token });
  expect(body.data.map(({ status, end_reason: reason }) => [status, reason])).toEqual([
    ['answered', 'server_restarted'],
    ['answered', 'media_lost'],
  ]);
  await Promise.all([back(concierge, from), back(resident, from)]);
  await talk();
  await press(concierge, 'End');
  await nothingLeft();
});
