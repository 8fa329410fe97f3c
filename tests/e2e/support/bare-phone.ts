import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { MediaPort } from '#server/telephony/media/port.ts';

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
    window.states = [];
    pc.onconnectionstatechange = () => states.push(pc.connectionState);
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
    const all = { audio: 0, energy: 0, frames: 0, lost: 0, concealed: 0, samples: 0, roundTrip: null, all: 0, state: pc.connectionState };
    (await pc.getStats()).forEach((one) => {
      if (one.type === 'inbound-rtp' && one.kind === 'audio') { all.audio = one.packetsReceived; all.energy = one.totalAudioEnergy; all.lost = one.packetsLost; all.concealed = one.concealedSamples; all.samples = one.totalSamplesReceived; }
      if (one.type === 'transport') all.all += one.packetsReceived;
      if (one.type === 'inbound-rtp' && one.kind === 'video') all.frames = one.framesDecoded;
      if (one.type === 'remote-inbound-rtp' && one.kind === 'audio' && one.roundTripTime !== undefined) all.roundTrip = one.roundTripTime;
    });
    return all;
  }
`;
export interface Counted {
  audio: number;
  /** Of what was heard, whoever listens to it. */
  energy: number;
  all: number;
  frames: number;
  lost: number;
  /** Of all samples that were played, those made up for want of packets. */
  concealed: number;
  samples: number;
  roundTrip: number | null;
  state: string;
}

/** A page that is nothing but a phone, which hums at a pitch and perhaps shows what a camera made up sees. */
export async function openBarePhone(browser: Browser, hertz: number, video: boolean): Promise<Page> {
  const page = await browser.newPage();
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '<title>phone</title>' }));
  await page.goto('http://localhost/');
  await page.addScriptTag({ content: phone });
  await page.evaluate(`begin(${hertz}, ${video})`);
  return page;
}

export const ask = <T>(page: Page, code: string): Promise<T> => page.evaluate(code);
export const counted = (page: Page): Promise<Counted> => ask(page, 'counted()');

/** What is changed of a description on its way to the page. */
type Change = (sdp: string) => Promise<string>;
const asItIs: Change = async (sdp) => sdp;
/** The page calls the media, for the first time or anew. */
export async function callIn(media: MediaPort, page: Page, leg: string, change: Change = asItIs): Promise<void> {
  const answer = await change(await media.answer(leg, await ask<string>(page, 'offer()')));
  await ask(page, `take(${JSON.stringify(answer)})`);
}
/** The media call the page. */
export async function callOut(
  media: MediaPort,
  page: Page,
  leg: string,
  { video, toward, change = asItIs }: { video: boolean; toward?: string; change?: Change },
): Promise<void> {
  const offer = await change(await media.offer(leg, { video, kind: 'webrtc' }, toward));
  await media.accept(leg, await ask<string>(page, `answer(${JSON.stringify(offer)})`));
}
/** Waits until a pitch is the loudest of what is heard. */
export async function hears(page: Page, hertz: number): Promise<void> {
  await expect
    .poll(() =>
      ask<{ hertz: number; level: number }>(page, 'heard()').then(({ hertz: loudest, level }) => level > -45 && Math.abs(loudest - hertz) < 15),
    )
    .toBe(true);
}
