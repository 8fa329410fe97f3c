import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMedia } from '#server/telephony/media/open.ts';
import type { MediaEvent, MediaPort } from '#server/telephony/media/port.ts';
import { inTime } from '#tests/support/in-time.ts';
import { ask, callIn, callOut, counted, hears, openBarePhone } from './support/bare-phone.ts';
import { launchBrowser } from './support/browser.ts';

let browser: Browser;
let media: MediaPort;
const events: MediaEvent[] = [];
beforeAll(async () => {
  browser = await launchBrowser('--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', '--autoplay-policy=no-user-gesture-required');
  media = await openMedia();
  media.listen((event) => events.push(event));
});
afterAll(async () => {
  await media.shut();
  await browser.close();
});

/** Waits until more than a little is heard. */
async function louder(page: Page): Promise<void> {
  const { energy } = await counted(page);
  await expect.poll(async () => (await counted(page)).energy - energy).toBeGreaterThan(0.05);
}

it('two browsers hear and see each other; what is pressed has its length; a new path and a hold change nothing else', async () => {
  const [caller, callee] = await Promise.all([openBarePhone(browser, 440, true), openBarePhone(browser, 880, true)]);
  await callIn(media, caller, 'caller');
  await media.play('caller', 'busy');
  await hears(caller, 425);
  await callOut(media, callee, 'callee', { video: true, toward: 'caller' });
  await expect.poll(() => events.filter(({ type }) => type === 'connected').length).toBe(2);
  const joined = performance.now();
  await media.bridge('caller', 'callee');
  await Promise.all([hears(caller, 880), hears(callee, 440)]);
  await expect.poll(async () => Math.min((await counted(caller)).frames, (await counted(callee)).frames)).toBeGreaterThan(5);
  expect(performance.now() - joined).toBeLessThan(inTime(8_000));

  for (const duration of [160, 1_000]) {
    await ask(caller, `pc.getSenders()[0].dtmf.insertDTMF('#', ${duration})`);
    await expect.poll(() => events.filter((event) => event.type === 'dtmf' && event.leg === 'caller').length).toBe(duration === 160 ? 1 : 2);
    expect(events.findLast(({ type }) => type === 'dtmf')).toMatchObject({ digit: '#', duration });
  }

  await ask(caller, 'pc.restartIce()');
  const before = await counted(caller);
  await callIn(media, caller, 'caller');
  await pause(2_000);
  const after = await counted(caller);
  expect(after.state).toBe('connected');
  expect(after.audio - before.audio).toBeGreaterThan(60);
  await hears(callee, 440);
  // Our reports reach it: the way there and back is known.
  expect(after.roundTrip).not.toBeNull();

  await ask(caller, "pc.getTransceivers().forEach((one) => { one.direction = 'sendonly'; })");
  await callIn(media, caller, 'caller');
  await pause(500);
  const held = await counted(callee);
  const { all: quiet } = await counted(caller);
  await pause(1_000);
  expect((await counted(caller)).all - quiet).toBeLessThan(15);
  expect((await counted(callee)).audio).toBeGreaterThan(held.audio);
  await ask(caller, "pc.getTransceivers().forEach((one) => { one.direction = 'sendrecv'; })");
  await callIn(media, caller, 'caller');
  await louder(caller);

  // Parted it hears that somebody is coming; joined anew it sees again within two seconds.
  await media.unbridge('caller');
  await media.play('caller', 'waiting');
  await pause(1_000);
  const parted = await counted(caller);
  await media.bridge('caller', 'callee');
  await louder(caller);
  await expect.poll(async () => (await counted(caller)).frames, { timeout: inTime(3_000) }).toBeGreaterThan(parted.frames);
  // A machine with too much to do drops some; a number that leaps at a join would count thousands.
  const { lost, all } = await counted(caller);
  expect(lost).toBeLessThan(all * 0.05);
  expect(events.filter(({ type }) => type === 'disconnected' || type === 'failed' || type === 'silent')).toEqual([]);

  await ask(caller, 'pc.close()');
  await expect.poll(() => events.some((event) => event.type === 'disconnected' && event.leg === 'caller')).toBe(true);
  await Promise.all([media.close('caller'), media.close('callee'), caller.close(), callee.close()]);
});

it('a panel of the demo is heard and seen at a console', async () => {
  const desk = await openBarePhone(browser, 600, true);
  await media
    .answer('panel', await media.offer('panel-itself', { video: true, kind: 'webrtc', checks: true }))
    .then((sdp) => media.accept('panel-itself', sdp));
  await media.play('panel-itself', 'clip');
  await callOut(media, desk, 'desk', { video: true, toward: 'panel' });
  await expect.poll(() => events.some(({ type, leg }) => type === 'connected' && leg === 'desk')).toBe(true);
  await media.bridge('panel', 'desk');
  await expect.poll(async () => (await counted(desk)).frames).toBeGreaterThan(3);
  await expect.poll(() => ask<{ level: number }>(desk, 'heard()').then(({ level }) => level)).toBeGreaterThan(-50);
  const size = await ask<{ width: number; height: number; lit: number }>(
    desk,
    `(() => {
      const video = document.querySelector('video');
      const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
      const context = canvas.getContext('2d');
      context.drawImage(video, 0, 0);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const shades = new Set();
      for (let at = 0; at < data.length; at += 64) shades.add((data[at] >> 4) * 256 + (data[at + 1] >> 4) * 16 + (data[at + 2] >> 4));
      return { width: canvas.width, height: canvas.height, lit: shades.size };
    })()`,
  );
  expect([size.width, size.height]).toEqual([320, 240]);
  // A scene, not one colour.
  expect(size.lit).toBeGreaterThan(30);
  if (process.env['MEDIA_PICTURE']) await desk.screenshot({ path: process.env['MEDIA_PICTURE'] });
  await desk.close();
});
