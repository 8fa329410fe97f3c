import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTime } from '#tests/support/in-time.ts';
import { simulated } from './support/alarms.ts';
import { BareBrowser } from './support/bare-browser.ts';
import { make } from './support/records.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

const tenMinutes = 600_000;
const stage = setStage();
let browser: BareBrowser;

/** Counts the sockets of the live channel and the requests of the page. */
const counting = `
  window.channels = []; window.requests = 0;
  const [Socket, send] = [WebSocket, fetch];
  window.WebSocket = class extends Socket { constructor(url, ...rest) { super(url, ...rest); if (String(url).includes('/api/v0/ws')) channels.push(this); } };
  window.fetch = (...asked) => { window.requests += 1; return send(...asked); };`;
const open = 'channels.filter(({ readyState }) => readyState === 1).length';
const count = (what: string): Promise<number> => browser.evaluate<number>(what);
const phoneIsReady = `document.querySelector('.phone-button[data-tone="good"]')`;

async function atPanel(act: 'call' | 'hang_up'): Promise<void> {
  const id = await simulated(stage, 'Tower A lobby');
  const { status } = await api(stage.server, 'POST', `/simulator/devices/${id}`, { token: stage.token, body: { act } });
  expect(status).toBe(200);
}

beforeAll(async () => {
  browser = await BareBrowser.start();
  await browser.open(`${stage.server.url}/markers`, await stage.remembered('admin'), counting);
  await browser.until(phoneIsReady);
  await browser.until(`document.querySelector('tbody tr')`);
});
afterAll(() => browser.close());

describe('a page that nobody looks at (R17)', () => {
  it(
    'stays connected and rings',
    async () => {
      await browser.hide();
      await pause(tenMinutes);
      expect(await count('channels.length')).toBe(1);
      await atPanel('call');
      expect(await browser.until(`document.querySelector('.phone-button[data-ringing="true"]')`)).toBeLessThan(inTime(4_000));
      expect([await browser.evaluate('document.visibilityState'), await count(open)]).toEqual(['hidden', 1]);
      await atPanel('hang_up');
      await browser.until(`document.querySelector('.phone-button[data-ringing="false"]')`);
      await browser.show();
    },
    tenMinutes + 60_000,
  );
});

describe('a machine that sleeps (R4)', () => {
  it(
    'shows what happened meanwhile soon after it wakes: over one socket, without a storm of requests',
    async () => {
      await browser.stop();
      // A timer that comes 15 s late has slept.
      await pause(tenMinutes);
      await make(stage, 'markers', { name: 'AAA while asleep', color: '#112233' });
      browser.goOn();
      const shown = await browser.until(`[...document.querySelectorAll('tbody tr')].some((row) => row.textContent.includes('AAA while asleep'))`);
      expect(shown).toBeLessThan(inTime(5_000));
      await browser.until(phoneIsReady);
      expect(await count(open)).toBe(1);
      expect(await count('channels.length')).toBeLessThanOrEqual(2);
      const before = await count('requests');
      await pause(3_000);
      expect((await count('requests')) - before).toBeLessThan(10);
    },
    tenMinutes + 60_000,
  );
});
