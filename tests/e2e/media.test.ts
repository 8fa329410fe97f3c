import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMedia } from '#server/telephony/media/open.ts';
import type { MediaEvent, MediaPort } from '#server/telephony/media/port.ts';
import { launchBrowser } from './support/browser.ts';

/** A phone made of nothing but the browser's own parts: it sends a tone and perhaps a picture, and measures what comes. */
const phone = `
  async function begin(hertz, video) {
    window.audio = new AudioContext();
    const tone = audio.createOscillator();
    tone.frequency.value = hertz;
    const out = audio.createMediaStreamDestination();
    tone.connect(out);
    tone.start();
    window.pc = new RTCPeerConnection();
    pc.addTrack(out.stream.getAudioTracks()[0], out.stream);
    if (video) pc.addTrack((await navigator.mediaDevices.getUserMedia({ video: true })).getVideoTracks()[0], out.stream);
    pc.ontrack = ({ track, streams: [stream] }) => {
      if (track.kind === 'audio') {
        const element = new Audio();
        element.srcObject = stream;
        void element.play();
        window.ear = audio.createAnalyser();
        ear.fftSize = 8192;
        audio.createMediaStreamSource(stream).connect(ear);
      } else {
        const element = document.createElement('video');
        element.muted = true;
        element.srcObject = stream;
        document.body.append(element);
        void element.play();
      }
    };
  }
  async function offer() {
    await pc.setLocalDescription();
    await new Promise((done) => setTimeout(done, 200));
    return pc.localDescription.sdp;
  }
  async function answer(sdp) {
    await pc.setRemoteDescription({ type: 'offer', sdp });
    await pc.setLocalDescription();
    return pc.localDescription.sdp;
  }
  const take = (sdp) => pc.setRemoteDescription({ type: 'answer', sdp });
  function heard() {
    const levels = new Float32Array(ear.frequencyBinCount);
    ear.getFloatFrequencyData(levels);
    let loudest = 0;
    levels.forEach((level, at) => { if (level > levels[loudest]) loudest = at; });
    return { hertz: loudest * audio.sampleRate / ear.fftSize, level: levels[loudest] };
  }
  async function counted() {
    const all = { audio: 0, energy: 0, frames: 0, lost: 0, roundTrip: null, all: 0, state: pc.connectionState };
    (await pc.getStats()).forEach((one) => {
      if (one.type === 'inbound-rtp' && one.kind === 'audio') { all.audio = one.packetsReceived; all.energy = one.totalAudioEnergy; all.lost = one.packetsLost; }
      if (one.type === 'transport') all.all += one.packetsReceived;
      if (one.type === 'inbound-rtp' && one.kind === 'video') all.frames = one.framesDecoded;
      if (one.type === 'remote-inbound-rtp' && one.kind === 'audio' && one.roundTripTime !== undefined) all.roundTrip = one.roundTripTime;
    });
    return all;
  }
`;
interface Counted {
  audio: number;
  /** Of what was heard, whoever listens to it. */
  energy: number;
  all: number;
  frames: number;
  lost: number;
  roundTrip: number | null;
  state: string;
}

let browser: Browser;
let media: MediaPort;
const told: MediaEvent[] = [];
beforeAll(async () => {
  browser = await launchBrowser('--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', '--autoplay-policy=no-user-gesture-required');
  media = await openMedia();
  media.listen((event) => told.push(event));
});
afterAll(async () => {
  await media.shut();
  await browser.close();
});

async function openPhone(hertz: number, video: boolean): Promise<Page> {
  const page = await browser.newPage();
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '<title>phone</title>' }));
  await page.goto('http://localhost/');
  await page.addScriptTag({ content: phone });
  await page.evaluate(`begin(${hertz}, ${video})`);
  return page;
}
const ask = <T>(page: Page, code: string): Promise<T> => page.evaluate(code);
const counted = (page: Page): Promise<Counted> => ask(page, 'counted()');
async function callIn(page: Page, leg: string): Promise<void> {
  const answer = await media.answer(leg, await ask<string>(page, 'offer()'));
  await ask(page, `take(${JSON.stringify(answer)})`);
}
async function callOut(page: Page, leg: string, video: boolean, toward?: string): Promise<void> {
  const offer = await media.offer(leg, { video, kind: 'webrtc' }, toward);
  await media.accept(leg, await ask<string>(page, `answer(${JSON.stringify(offer)})`));
}
async function hears(page: Page, hertz: number): Promise<void> {
  await expect
    .poll(
      () => ask<{ hertz: number; level: number }>(page, 'heard()').then(({ hertz: loudest, level }) => level > -45 && Math.abs(loudest - hertz) < 15),
      { timeout: 8_000 },
    )
    .toBe(true);
}

/** Waits until more than a little is heard. */
async function louder(page: Page): Promise<void> {
  const { energy } = await counted(page);
  await expect.poll(async () => (await counted(page)).energy - energy, { timeout: 8_000 }).toBeGreaterThan(0.05);
}

it('two browsers hear and see each other; what is pressed has its length; a new path and a hold change nothing else', async () => {
  const [caller, callee] = await Promise.all([openPhone(440, true), openPhone(880, true)]);
  await callIn(caller, 'caller');
  await media.play('caller', 'busy');
  await hears(caller, 425);
  await callOut(callee, 'callee', true, 'caller');
  await expect.poll(() => told.filter(({ type }) => type === 'connected').length, { timeout: 8_000 }).toBe(2);
  const joined = performance.now();
  await media.bridge('caller', 'callee');
  await Promise.all([hears(caller, 880), hears(callee, 440)]);
  await expect.poll(async () => Math.min((await counted(caller)).frames, (await counted(callee)).frames), { timeout: 8_000 }).toBeGreaterThan(5);
  expect(performance.now() - joined).toBeLessThan(8_000);

  for (const duration of [160, 1_000]) {
    await ask(caller, `pc.getSenders()[0].dtmf.insertDTMF('#', ${duration})`);
    await expect
      .poll(() => told.filter((event) => event.type === 'dtmf' && event.leg === 'caller').length, { timeout: 8_000 })
      .toBe(duration === 160 ? 1 : 2);
    expect(told.findLast(({ type }) => type === 'dtmf')).toMatchObject({ digit: '#', duration });
  }

  await ask(caller, 'pc.restartIce()');
  const before = await counted(caller);
  await callIn(caller, 'caller');
  await pause(2_000);
  const after = await counted(caller);
  expect(after.state).toBe('connected');
  expect(after.audio - before.audio).toBeGreaterThan(60);
  await hears(callee, 440);
  // Our reports reach it: the way there and back is known.
  expect(after.roundTrip).not.toBeNull();

  await ask(caller, "pc.getTransceivers().forEach((one) => { one.direction = 'sendonly'; })");
  await callIn(caller, 'caller');
  await pause(500);
  const held = await counted(callee);
  const { all: quiet } = await counted(caller);
  await pause(1_000);
  expect((await counted(caller)).all - quiet).toBeLessThan(15);
  expect((await counted(callee)).audio).toBeGreaterThan(held.audio);
  await ask(caller, "pc.getTransceivers().forEach((one) => { one.direction = 'sendrecv'; })");
  await callIn(caller, 'caller');
  await louder(caller);

  // Parted it hears that somebody is coming; joined anew it sees again within two seconds.
  await media.unbridge('caller');
  await media.play('caller', 'waiting');
  await pause(1_000);
  const parted = await counted(caller);
  await media.bridge('caller', 'callee');
  await louder(caller);
  await expect.poll(async () => (await counted(caller)).frames, { timeout: 3_000 }).toBeGreaterThan(parted.frames);
  // A machine with too much to do drops some; a number that leaps at a join would count thousands.
  const { lost, all } = await counted(caller);
  expect(lost).toBeLessThan(all * 0.05);
  expect(told.filter(({ type }) => type === 'disconnected' || type === 'failed' || type === 'silent')).toEqual([]);

  await ask(caller, 'pc.close()');
  await expect.poll(() => told.some((event) => event.type === 'disconnected' && event.leg === 'caller'), { timeout: 10_000 }).toBe(true);
  await Promise.all([media.close('caller'), media.close('callee'), caller.close(), callee.close()]);
});

it('a panel of the demo is heard and seen at a console', async () => {
  const desk = await openPhone(600, true);
  await media
    .answer('panel', await media.offer('panel-itself', { video: true, kind: 'webrtc', checks: true }))
    .then((sdp) => media.accept('panel-itself', sdp));
  await media.play('panel-itself', 'clip');
  await callOut(desk, 'desk', true, 'panel');
  await expect.poll(() => told.some(({ type, leg }) => type === 'connected' && leg === 'desk'), { timeout: 8_000 }).toBe(true);
  await media.bridge('panel', 'desk');
  await expect.poll(async () => (await counted(desk)).frames, { timeout: 3_000 }).toBeGreaterThan(3);
  await expect.poll(() => ask<{ level: number }>(desk, 'heard()').then(({ level }) => level), { timeout: 8_000 }).toBeGreaterThan(-50);
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
