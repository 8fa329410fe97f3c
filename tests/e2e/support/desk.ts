import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { inTime } from '#tests/support/in-time.ts';
import { openWindow } from './browser.ts';
import { enterConsole } from './enter.ts';
import type { Stage } from './stage.ts';

/** Microphone and camera that Chromium makes up, given without asking. */
export const fakeMedia = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

/**
 * What a page is given before its own code: a microphone that hums at a pitch of its own, so that one can tell who is heard;
 * an ear and an eye; and a look at all tracks and peer connections that were ever made.
 */
const senses = (pitch: number): string => `
  window.lines = []; window.tracks = []; window.uncaught = [];
  addEventListener('unhandledrejection', ({ reason }) => window.uncaught.push(String(reason)));
  const Line = RTCPeerConnection;
  window.RTCPeerConnection = class extends Line { constructor(...rest) { super(...rest); window.lines.push(this); } };
  const given = navigator.mediaDevices && navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  if (given) navigator.mediaDevices.getUserMedia = async (wish) => {
    const stream = await given(wish);
    const result = new MediaStream(stream.getVideoTracks());
    if (stream.getAudioTracks().length > 0) {
      const hum = new AudioContext();
      const [tone, out] = [hum.createOscillator(), hum.createMediaStreamDestination()];
      tone.frequency.value = ${pitch};
      tone.connect(out); tone.start();
      const [track] = out.stream.getAudioTracks();
      const end = track.stop.bind(track);
      track.stop = () => { end(); stream.getAudioTracks().forEach((each) => each.stop()); hum.close(); };
      result.addTrack(track);
    }
    window.tracks.push(...result.getTracks());
    return result;
  };
  /** How loud a pitch is in what comes in, in dB, the loudest of so many ms. */
  window.hear = async (pitch, lasts) => {
    const line = window.lines.at(-1);
    const track = line && line.getReceivers().map((each) => each.track).find((each) => each && each.kind === 'audio');
    if (!track) return -999;
    const context = new AudioContext();
    await context.resume();
    const ear = context.createAnalyser();
    ear.fftSize = 8192; ear.smoothingTimeConstant = 0;
    context.createMediaStreamSource(new MediaStream([track])).connect(ear);
    const [bins, step] = [new Float32Array(ear.frequencyBinCount), context.sampleRate / ear.fftSize];
    let loudest = -999;
    for (const until = performance.now() + lasts; performance.now() < until;) {
      await new Promise((done) => setTimeout(done, 40));
      ear.getFloatFrequencyData(bins);
      for (let bin = Math.floor((pitch - 15) / step); bin <= Math.ceil((pitch + 15) / step); bin += 1) loudest = Math.max(loudest, bins[bin]);
    }
    await context.close();
    return loudest;
  };
  window.statOf = async (type, kind, name) => {
    let sum = 0;
    const line = window.lines.at(-1);
    if (line) (await line.getStats()).forEach((stat) => { if (stat.type === type && stat.kind === kind) sum += stat[name] || 0; });
    return sum;
  };
`;

/** Somebody at a desk with a phone. */
export interface Desk {
  page: Page;
  context: BrowserContext;
  errors: string[];
  /** The pitch their microphone hums at, in Hz. */
  pitch: number;
}

/** Puts the senses into a window that is open already, for its pages to come; `more` is a script besides. */
export const giveSenses = (context: BrowserContext, pitch: number, more = ''): Promise<unknown> =>
  context.addInitScript({ content: senses(pitch) + more });

/** The phone of a page is there, on duty and open beside the page. */
export async function openPhone(page: Page): Promise<void> {
  await page.locator('.phone-button[data-tone="good"], .phone-button[data-ringing="true"]').waitFor();
  const button = page.locator('.phone-button');
  if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
}

/** Signs in and goes on duty with the phone open; `bypassCSP` lets `more` lead the page's connections to a relay of the test. */
export async function onDuty(stage: Stage, login: string, pitch: number, more = '', bypassCSP = false): Promise<Desk> {
  const { page, context, errors } = await openWindow(stage.browser, stage.server.url, { bypassCSP });
  await giveSenses(context, pitch, more);
  await enterConsole(page, login, { remember: true });
  await openPhone(page);
  return { page, context, errors, pitch };
}

/** Calls a number by the keypad. */
export async function dial({ page }: Desk, number: string, how: 'Call' | 'Video call' = 'Call'): Promise<void> {
  if (!(await page.locator('.keypad-number').isVisible())) await page.getByRole('tab', { name: 'Keypad', exact: true }).click();
  await page.locator('.keypad-number').fill(number);
  await page.locator('.keypad-acts').getByRole('button', { name: how, exact: true }).click();
}
export const press = ({ page }: Desk, button: string): Promise<void> => page.getByRole('button', { name: button, exact: true }).first().click();
export const sees = ({ page }: Desk, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();

const audible = -60;
/** The loudness of a pitch in what a desk hears, in dB. */
export const loudness = ({ page }: Desk, pitch: number, lasts = 600): Promise<number> => page.evaluate(`hear(${pitch}, ${lasts})`);
/** Waits until one hears another's hum, or no longer. */
export async function hears(desk: Desk, pitch: number): Promise<void> {
  await expect.poll(() => loudness(desk, pitch), { interval: 50 }).toBeGreaterThan(audible);
}
export async function hearsNothingOf(desk: Desk, pitch: number): Promise<void> {
  await expect.poll(() => loudness(desk, pitch), { timeout: inTime(10_000), interval: 50 }).toBeLessThan(audible - 20);
}
/** Pictures that were decoded so far. */
export const frames = ({ page }: Desk): Promise<number> => page.evaluate("statOf('inbound-rtp', 'video', 'framesDecoded')");
/** Waits until pictures keep coming. */
export async function seesPictures(desk: Desk, atLeast = 5): Promise<void> {
  const before = await frames(desk);
  await expect.poll(() => frames(desk)).toBeGreaterThan(before + atLeast);
}
/** Nothing is left of any call: no track lives, no connection is open, nothing was thrown and not caught. */
export async function leftNothing({ page, errors }: Desk): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(
        "({ live: tracks.filter(({ readyState }) => readyState === 'live').length, open: lines.filter(({ connectionState }) => connectionState !== 'closed').length })",
      ),
    )
    .toEqual({ live: 0, open: 0 });
  expect(await page.evaluate('uncaught')).toEqual([]);
  expect(errors).toEqual([]);
}
