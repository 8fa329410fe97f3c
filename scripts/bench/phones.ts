import { createSocket } from 'node:dgram';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { openWindow } from '#tests/e2e/support/browser.ts';
import { openPhone } from '#tests/e2e/support/desk.ts';
import { enter } from '#tests/e2e/support/enter.ts';
import { api, type RunningServer, tokenOf } from '#tests/e2e/support/server.ts';

/** Somebody with a phone, as a measurement needs them: each act resolves when it has been begun. */
export interface Phone {
  page: Page;
  number: string;
  dial: (number: string) => Promise<void>;
  /** Waits until it rings for `lasting` ms, and answers. */
  answer: (lasting: number) => Promise<void>;
  hangUp: () => Promise<void>;
  /** Waits until nothing is left of the call. */
  tidy: () => Promise<void>;
}

/** Notes, on each page's own clock, when it acts, when it sends or gets a message of SIP, and when sound first comes in. */
const notes = `
  window.noted = []; window.lines = [];
  window.note = (what) => noted.push({ what, at: performance.timeOrigin + performance.now() });
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) { if (typeof text === 'string') note('out ' + text.split(' ', 1)[0]); return send.call(this, text); };
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket { constructor(...rest) { super(...rest); if (rest[1] === 'sip') note('start');
    this.addEventListener('message', ({ data }) => { if (typeof data === 'string') note('in ' + (data.startsWith('SIP/2.0') ? data.slice(8, 11) + ' ' + ((data.match(/CSeq: *\\d+ *(\\w+)/i) || [])[1] || '') : data.split(' ', 1)[0])); }); } };
  const Line = window.RTCPeerConnection;
  window.RTCPeerConnection = class extends Line { constructor(...rest) { super(...rest); lines.push(this); } };
  document.addEventListener('click', () => note('click'), true);
  // Looked for only between the answer and the first packet, so that looking costs the call nothing.
  setInterval(async () => {
    const line = lines.at(-1);
    if (!line || line.heard || line.connectionState !== 'connected' || !noted.some(({ what }) => what === 'in ACK' || what === 'out ACK')) return;
    (await line.getReceivers().find(({ track }) => track.kind === 'audio').getStats()).forEach((stat) => { if (stat.type === 'inbound-rtp' && stat.packetsReceived > 0 && !line.heard) { line.heard = true; note('heard'); } });
  }, 4);
`;
export interface Note {
  what: string;
  at: number;
}
/** What a page has noted so far, and when, in ms of its own clock. */
export const noted = ({ page }: Phone): Promise<Note[]> => page.evaluate('noted');
/** Lets a page forget what it has noted. */
export const forget = ({ page }: Phone): Promise<unknown> => page.evaluate('noted.length = 0');

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();

/** A phone of the console: its own buttons are pressed. */
export async function consolePhone(browser: Browser, server: RunningServer, login: string, number: string): Promise<Phone> {
  const { page, context } = await openWindow(browser, server.url);
  await context.grantPermissions(['microphone']);
  await context.addInitScript({ content: notes });
  await enter(page, login, { remember: true });
  await page.waitForURL('**/home');
  await openPhone(page);
  return {
    page,
    number,
    async dial(wanted) {
      if (!(await page.locator('.keypad-number').isVisible())) await page.getByRole('tab', { name: 'Keypad', exact: true }).click();
      await page.locator('.keypad-number').fill(wanted);
      await page.locator('.keypad-acts').getByRole('button', { name: 'Call', exact: true }).click();
    },
    async answer(lasting) {
      await button(page, 'Answer').waitFor();
      await page.waitForTimeout(lasting);
      await page.evaluate('noted.length = 0');
      await button(page, 'Answer').click();
    },
    // One that only rings out is cancelled.
    hangUp: () =>
      page
        .getByRole('button', { name: /^(?:End|Cancel)$/ })
        .first()
        .click(),
    tidy: () => button(page, 'Remove from list').click(),
  };
}

let library: Promise<string> | undefined;
/** JsSIP as one script. */
const jssip = (): Promise<string> => {
  library ??= build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry: createRequire(import.meta.url).resolve('jssip'), formats: ['iife'], name: 'JsSIP' } },
  }).then((made) => {
    const [first] = Array.isArray(made) ? made : [made];
    if (!first || !('output' in first)) throw new Error('JsSIP could not be built');
    return first.output[0].code;
  });
  return library;
};

/** The least that is a phone: JsSIP as it comes on an empty page, with the cut of gathering that every phone needs. */
const bare = (host: string, port: number, account: { number: string; password: string }, iceServers: readonly string[]): string => `
  const pcConfig = { iceServers: ${JSON.stringify(iceServers.map((urls) => ({ urls })))} };
  const eventHandlers = { icecandidate: ({ ready }) => { setTimeout(ready, 200); } };
  const ua = window.ua = new JsSIP.UA({ sockets: [new JsSIP.WebSocketInterface('ws://${host}:${port}')], uri: 'sip:${account.number}@${host}', password: '${account.password}', session_timers: false });
  let current;
  ua.on('newRTCSession', ({ session }) => { current = window.current = session; });
  window.act = {
    dial: (number) => { note('click'); ua.call('sip:' + number + '@${host}', { mediaConstraints: { audio: true, video: false }, pcConfig, eventHandlers }); },
    answer: () => { note('click'); current.on('icecandidate', eventHandlers.icecandidate); current.answer({ mediaConstraints: { audio: true, video: false }, pcConfig }); },
    hangUp: () => { note('click'); current.terminate(); },
  };
  ua.start();`;

/** A bare phone of somebody, beside which the console's is measured. */
export async function barePhone(browser: Browser, server: RunningServer, login: string, iceServers: readonly string[] = []): Promise<Phone> {
  const token = await tokenOf(server, login);
  const { body } = await api<{ data: { profile: { sip_number: { number: string; password: string } } } }>(server, 'GET', '/profile', { token });
  const account = body.data.profile.sip_number;
  const { body: settings } = await api<{ data: { sip: { port: number } } }>(server, 'GET', '/calls/settings', { token });
  const context = await browser.newContext({ baseURL: server.url, bypassCSP: true, serviceWorkers: 'block' });
  const page = await context.newPage();
  await context.grantPermissions(['microphone']);
  await context.addInitScript({ content: notes });
  // A page the server really sent: browsers keep pages from nowhere away from this machine's network.
  await page.goto('/login');
  await page.evaluate(`${await jssip()}\nwindow.JsSIP = JsSIP;`);
  await page.evaluate(bare(new URL(server.url).hostname, settings.data.sip.port, account, iceServers));
  await page.waitForFunction('ua.isRegistered()');
  const ended = (): Promise<unknown> => page.waitForFunction('!window.current || current.isEnded()');
  return {
    page,
    number: account.number,
    dial: (wanted) => page.evaluate(`act.dial('${wanted}')`),
    async answer(lasting) {
      await page.waitForFunction("window.current && current.direction === 'incoming' && current.isInProgress()");
      await page.waitForTimeout(lasting);
      await page.evaluate('noted.length = 0');
      await page.evaluate('act.answer()');
    },
    hangUp: () => page.evaluate('act.hangUp()'),
    tidy: async () => void (await ended()),
  };
}

/** A STUN server that is not there: what is sent to it is never answered. @returns its address, and how to take it away */
export async function blackHole(): Promise<{ url: string; close: () => void }> {
  const socket = createSocket('udp4');
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  return { url: `stun:127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}
