import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openMedia } from '#server/telephony/media/open.ts';
import type { MediaEvent, MediaPort } from '#server/telephony/media/port.ts';
import { inTime } from '#tests/support/in-time.ts';
import { ask, callIn, callOut, counted, openBarePhone } from './support/bare-phone.ts';
import { launchBrowser } from './support/browser.ts';
import { losing, type MediaRelay, openMediaRelay } from './support/media-relay.ts';

let browser: Browser;
let media: MediaPort;
const mediaEvents: MediaEvent[] = [];
const pages: Page[] = [];
const relays: MediaRelay[] = [];
beforeAll(async () => {
  browser = await launchBrowser('--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', '--autoplay-policy=no-user-gesture-required');
  media = await openMedia();
  media.listen((event) => mediaEvents.push(event));
});
afterEach(async () => {
  await Promise.all(pages.splice(0).map((page) => page.close()));
  for (const relay of relays.splice(0)) relay.close();
});
afterAll(async () => {
  await media.shut();
  await browser.close();
});
const eventsOf = (leg: string): string[] => mediaEvents.flatMap((event) => (event.leg === leg ? [event.type] : []));

/** A phone in a call that hears the clip of a panel, over a network of its own. */
async function listening(leg: string, video = false): Promise<{ page: Page; relay: MediaRelay }> {
  const page = await openBarePhone(browser, 600, video);
  const relay = openMediaRelay();
  pages.push(page);
  relays.push(relay);
  await callIn(media, page, leg, relay.through);
  await media.play(leg, 'clip');
  await expect.poll(async () => (await counted(page)).audio).toBeGreaterThan(10);
  return { page, relay };
}

/** Loses everything for so long. @returns what the browser said meanwhile, and how long after the return sound came, ms */
async function outage({ page, relay }: { page: Page; relay: MediaRelay }, ms: number): Promise<{ states: string[]; backAfter: number }> {
  await ask(page, 'states.length = 0');
  relay.fate = () => 'lost';
  await pause(ms);
  const { audio } = await counted(page);
  const back = performance.now();
  relay.fate = () => 'passes';
  await expect.poll(async () => (await counted(page)).audio, { interval: 50 }).toBeGreaterThan(audio + 10);
  const backAfter = performance.now() - back;
  await expect.poll(() => ask(page, 'pc.connectionState')).toBe('connected');
  return { states: await ask<string[]>(page, 'states'), backAfter };
}

it('a path that is lost for a while comes back by itself, and sound with it (D6)', async () => {
  const lasting = [4_000, 8_000, 14_000];
  const outages = await Promise.all(
    lasting.map(async (ms) => {
      const phone = await listening(`out ${ms}`);
      const seen = await outage(phone, ms);
      // The server's own word comes with the browser's next check of the path.
      const standing = () => eventsOf(`out ${ms}`).findLast((type) => type !== 'heard' && type !== 'silent');
      await expect.poll(standing).toBe('connected');
      return { ms, ...seen, events: eventsOf(`out ${ms}`) };
    }),
  );
  for (const { ms, states, backAfter, events } of outages) {
    expect(backAfter, `${ms} ms`).toBeLessThan(inTime(2_000));
    const isShort = ms === 4_000;
    expect([states, events.includes('disconnected'), events.includes('failed')]).toEqual([
      isShort ? [] : ['disconnected', 'connected'],
      !isShort,
      false,
    ]);
  }
});

it('sound goes on through loss and jitter (D8)', async () => {
  // What a busy machine conceals by itself is measured on the clean line beside them.
  const networks = [
    { name: 'a clean line', fate: losing(0), most: 0.02 },
    { name: '5 % lost', fate: losing(5), most: 0.1 },
    { name: '30 % lost', fate: losing(30), most: 0.45 },
    { name: 'up to 50 ms late', fate: jitter(50), most: 0.1 },
  ];
  const lines = await Promise.all(networks.map(async (network) => ({ ...network, ...(await listening(network.name)) })));
  for (const { relay, fate } of lines) relay.fate = fate;
  await pause(1_000);
  const before = await Promise.all(lines.map(({ page }) => counted(page)));
  await pause(20_000);
  const after = await Promise.all(lines.map(({ page }) => counted(page)));
  const shares = after.map(({ concealed, samples }, at) => (concealed - (before[at]?.concealed ?? 0)) / (samples - (before[at]?.samples ?? 0)));
  for (const [at, { name, most }] of lines.entries()) {
    expect((shares[at] ?? 1) - (shares[0] ?? 0), name).toBeLessThan(most);
    expect(after[at]?.state, name).toBe('connected');
  }
});
/** Each comes up to so many ms late, by chance before one that was sent earlier. */
function jitter(ms: number): () => number {
  let seed = 11;
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return (seed / 2 ** 31) * ms;
  };
}

/** The payload type of RTP; null of what is none. */
const typeOf = (bytes: Buffer): number | null =>
  (bytes[0] ?? 0) >> 6 === 2 && ((bytes[1] ?? 0) < 192 || (bytes[1] ?? 0) > 223) ? (bytes[1] ?? 0) & 127 : null;
/** RTCP that asks for a whole picture or may do so: what follows its first report is encrypted. */
const mayAsk = (bytes: Buffer): boolean => (bytes[0] ?? 0) >> 6 === 2 && [201, 205, 206].includes(bytes[1] ?? 0);

it('a picture whose beginning is lost, and the first asking for it too, is there soon (D47)', async () => {
  const panel = 'panel';
  await media
    .answer(panel, await media.offer('panel itself', { video: true, kind: 'webrtc', checks: true }))
    .then((sdp) => media.accept('panel itself', sdp));
  await media.play('panel itself', 'clip');
  const page = await openBarePhone(browser, 600, true);
  const relay = openMediaRelay();
  pages.push(page);
  relays.push(relay);
  let video: number | undefined;
  await callOut(media, page, 'desk', {
    video: true,
    toward: panel,
    change: async (sdp) => {
      video = Number(/a=rtpmap:(\d+) VP8/.exec(sdp)?.[1]);
      return relay.through(sdp);
    },
  });
  await expect.poll(() => eventsOf('desk').includes('connected')).toBe(true);
  let [pictures, requests, stamp] = [0, 0, -1];
  relay.fate = (bytes, from) => {
    if (from === 'browser' && mayAsk(bytes) && requests < 2) {
      requests += 1;
      return 'lost';
    }
    if (from === 'server' && typeOf(bytes) === video && pictures < 2) {
      const at = bytes.readUInt32BE(4);
      if (at !== stamp) pictures += stamp === -1 ? 0 : 1;
      stamp = at;
      return pictures < 2 ? 'lost' : 'passes';
    }
    return 'passes';
  };
  const joined = performance.now();
  await media.bridge(panel, 'desk');
  await expect.poll(async () => (await counted(page)).frames, { interval: 50 }).toBeGreaterThan(0);
  expect(performance.now() - joined).toBeLessThan(inTime(2_500));
  expect([pictures, requests]).toEqual([2, 2]);

  // Packets of pictures that were under way are lost for a while: never black for longer than 5 s.
  relay.fate = (bytes, from) => (from === 'server' && typeOf(bytes) === video ? 'lost' : 'passes');
  await pause(1_500);
  relay.fate = () => 'passes';
  const [{ frames }, from] = [await counted(page), performance.now()];
  await expect.poll(async () => (await counted(page)).frames, { interval: 50 }).toBeGreaterThan(frames + 2);
  expect(performance.now() - from).toBeLessThan(inTime(3_500));
});
