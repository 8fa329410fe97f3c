import { setTimeout as wait } from 'node:timers/promises';
import { frameOf, topics } from '#models/realtime.ts';
import { launchBrowser } from '#tests/e2e/support/browser.ts';
import { tapChannel } from '#tests/e2e/support/channel.ts';
import { enter } from '#tests/e2e/support/enter.ts';
import { make } from '#tests/e2e/support/records.ts';
import { type RunningServer, startServer, tokenOf } from '#tests/e2e/support/server.ts';
import { type Channel, openChannel } from '#tests/server/channel.ts';
import { type Figure, median, percentile } from './figures.ts';

const readers = 500;
const topic = topics.area('markers');
const env = { DOORWARD_LOG: 'error', DOORWARD_SOCKETS_PER_USER: '1000', DOORWARD_SIGN_IN_TRIES: '1000', DOORWARD_SIGN_IN_TRIES_PER_IP: '1000' };

async function openReaders(url: string, token: string): Promise<Channel[]> {
  const channels: Channel[] = [];
  for (let count = 0; count < readers; count += 50) channels.push(...(await Promise.all(Array.from({ length: 50 }, () => openChannel(url, token)))));
  await Promise.all(channels.map((channel) => channel.subscribe(topic)));
  return channels;
}

/** Milliseconds from a stored change to each reader's hearing of it. */
async function fanOut(server: RunningServer, token: string, channels: readonly Channel[]): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const before = times.length;
    let stored = Number.NaN;
    const arrivals = channels.map(
      ({ ws }) =>
        new Promise<number>((done) => {
          ws.once('message', () => done(performance.now()));
        }),
    );
    await make({ server, token }, 'markers', { name: `Heard ${channels.length} ${round}`, color: '#112233' });
    stored = performance.now();
    for (const arrived of await Promise.all(arrivals)) times.push(Math.max(0, arrived - stored));
    if (times.length - before !== channels.length) throw new Error('an event was lost');
    await wait(200);
  }
  return times;
}

/** The server restarts under its readers, who come back as consoles do; somebody signs in all the while. */
async function restart(server: RunningServer, token: string, channels: readonly Channel[]) {
  await server.stop();
  await Promise.all(channels.map(({ closed }) => closed));
  const back = async (): Promise<Channel> => {
    for (;;) {
      await wait(4_000 * (0.8 + 0.4 * Math.random()));
      const channel = await openChannel(server.url, token).catch(() => null);
      if (channel && (await channel.subscribe(topic)) === 'Subscribed') return channel;
    }
  };
  const returning = Promise.all(channels.map(back));
  const again = await startServer({ env, data: server.data, port: Number(new URL(server.url).port) });
  const listening = performance.now();
  let after = 0;
  void returning.then(() => (after = performance.now() - listening));
  const logins: number[] = [];
  while (after === 0) {
    const begun = performance.now();
    await tokenOf(again, 'admin');
    logins.push(performance.now() - begun);
    await wait(100);
  }
  return { again, channels: await returning, after, logins };
}

/** 5,000 frames in 5 seconds to one console: its longest task, and how many frames it read. */
async function storm(server: RunningServer): Promise<{ longest: number; read: number }> {
  const browser = await launchBrowser();
  const context = await browser.newContext({ baseURL: server.url, locale: 'en-GB', serviceWorkers: 'block' });
  const page = await context.newPage();
  const { sendFrame } = await tapChannel(page);
  await enter(page, 'admin', { remember: true });
  await page.waitForURL('**/home');
  await page.goto('/markers');
  await page.locator('tbody tr').nth(3).waitFor();
  await wait(1_000);
  // Counted beside the console's own reading: every frame that reaches the page is a message of its socket.
  await page.evaluate(`
    window.longest = 0; window.read = 0;
    new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration); }).observe({ type: 'longtask' });
    const parse = JSON.parse; JSON.parse = (text, ...rest) => { if (typeof text === 'string' && text.startsWith('{"topic"')) window.read += 1; return parse(text, ...rest); };`);
  const id = '11111111-1111-4111-8111-111111111111';
  for (let count = 0; count < 5_000; count += 1) {
    sendFrame(frameOf(topic, 'RowsChanged', { area: 'markers', ids: [id] }));
    if (count % 10 === 9) await wait(9);
  }
  await page.waitForFunction('window.read >= 5000', undefined, { timeout: 30_000 }).catch(() => undefined);
  const result = { longest: Number(await page.evaluate('window.longest')), read: Number(await page.evaluate('window.read')) };
  await browser.close();
  return result;
}

/** What live updates cost: one change to 500 readers, 500 readers after a restart, 5,000 frames to one console. */
export async function benchRealtime(): Promise<Figure[]> {
  let server = await startServer({ env });
  try {
    const token = await tokenOf(server, 'admin');
    const [one] = await openReaders(server.url, token).then((all) => {
      for (const { ws } of all.slice(1)) ws.terminate();
      return all;
    });
    const alone = one ? await fanOut(server, token, [one]) : [];
    one?.ws.terminate();
    const channels = await openReaders(server.url, token);
    const baseline = { what: 'one reader', value: median(alone) };
    const times = await fanOut(server, token, channels);
    const { again, channels: returned, after, logins } = await restart(server, token, channels);
    server = again;
    for (const { ws } of returned) ws.terminate();
    const { longest, read } = await storm(server);
    return [
      { what: `a stored change at ${readers} readers, batch of 0.1 s included, median`, unit: 'ms', ours: median(times), baseline },
      { what: `a stored change at ${readers} readers, p99`, unit: 'ms', ours: percentile(times, 0.99), atMost: 150 },
      { what: `${readers} readers back after a restart`, unit: 'ms', ours: after, atMost: 10_000 },
      { what: 'sign-in meanwhile, p95', unit: 'ms', ours: percentile(logins, 0.95), atMost: 3_000 },
      { what: '5,000 frames in 5 s at one console: longest task', unit: 'ms', ours: longest, atMost: 100 },
      { what: '5,000 frames in 5 s at one console: lost', unit: '', ours: 5_000 - Math.min(5_000, read), atMost: 0 },
    ];
  } finally {
    await server.discard();
  }
}
