import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { samplesOf, sounds } from '#server/telephony/media/synth.ts';

/**
 * Makes server/telephony/media/recorded.json: the sounds of the server as Opus, and the moving picture of the demo's panels as VP8, drawn and
 * encoded by Chromium. Run it again (`npx tsx scripts/sounds/main.ts`) when the sounds or the picture are to change.
 */
const page = `
  const text = (bytes) => { let all = ''; for (const byte of bytes) all += String.fromCharCode(byte); return btoa(all); };
  async function opus(base64) {
    const samples = new Float32Array(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer);
    const frames = [];
    const encoder = new AudioEncoder({ output: (chunk) => { const bytes = new Uint8Array(chunk.byteLength); chunk.copyTo(bytes); frames.push(text(bytes)); }, error: (error) => { throw error; } });
    encoder.configure({ codec: 'opus', sampleRate: 48000, numberOfChannels: 1, bitrate: 24000, opus: { frameDuration: 20000, application: 'voip' } });
    encoder.encode(new AudioData({ format: 'f32', sampleRate: 48000, numberOfFrames: samples.length, numberOfChannels: 1, timestamp: 0, data: samples }));
    await encoder.flush();
    return frames.slice(0, samples.length / 960);
  }
  function draw(context, t) {
    const [wide, high] = [320, 240];
    const sky = context.createLinearGradient(0, 0, 0, high);
    sky.addColorStop(0, '#27364a'); sky.addColorStop(1, '#51667f');
    context.fillStyle = sky; context.fillRect(0, 0, wide, high);
    context.fillStyle = '#1b2431'; context.fillRect(0, 186, wide, 54);
    context.fillStyle = '#35455a'; context.fillRect(18, 40, 84, 146); context.fillRect(236, 62, 66, 124);
    for (let row = 0; row < 5; row += 1) for (let column = 0; column < 3; column += 1) {
      context.fillStyle = (row * 3 + column + Math.floor(t / 2)) % 4 === 0 ? '#f3d48a' : '#243244';
      context.fillRect(28 + column * 24, 50 + row * 26, 14, 16);
    }
    const sway = Math.sin(t * Math.PI / 2) * 10;
    const near = 1 + 0.05 * Math.sin(t * Math.PI / 4);
    context.save(); context.translate(166 + sway, 246); context.scale(near, near);
    context.fillStyle = '#8a3f3a'; context.beginPath(); context.moveTo(-62, 0); context.quadraticCurveTo(-58, -88, 0, -92); context.quadraticCurveTo(58, -88, 62, 0); context.fill();
    context.fillStyle = '#d9a987'; context.fillRect(-13, -112, 26, 28);
    context.beginPath(); context.ellipse(0, -136, 31, 38, 0, 0, 7); context.fill();
    context.fillStyle = '#3a2a22'; context.beginPath(); context.ellipse(0, -158, 33, 22, 0, Math.PI, 0); context.fill();
    const blink = t % 2.5 < 0.15 ? 0.5 : 3.5;
    context.fillStyle = '#20242c'; for (const side of [-12, 12]) { context.beginPath(); context.ellipse(side, -138, 3.5, blink, 0, 0, 7); context.fill(); }
    const speaks = (t % 4) < 3.1 ? 2 + 4 * Math.abs(Math.sin(t * 9)) : 1.5;
    context.fillStyle = '#7c2f2f'; context.beginPath(); context.ellipse(0, -116, 9, speaks, 0, 0, 7); context.fill();
    context.strokeStyle = '#8a3f3a'; context.lineWidth = 17; context.lineCap = 'round';
    const wave = Math.sin(t * Math.PI * 2) * 14;
    context.beginPath(); context.moveTo(50, -54); context.lineTo(78, -82); context.lineTo(84 + wave, -124); context.stroke();
    context.fillStyle = '#d9a987'; context.beginPath(); context.ellipse(86 + wave, -136, 11, 13, 0, 0, 7); context.fill();
    context.restore();
    context.fillStyle = 'rgba(0,0,0,.45)'; context.fillRect(0, 0, wide, 18);
    context.fillStyle = '#e5484d'; context.beginPath(); context.arc(12, 9, 4, 0, 7); context.fill();
    context.fillStyle = '#f4f6f8'; context.fillRect(24, 7, (wide - 36) * (t / 8), 4);
  }
  async function vp8(fps, seconds, keyEvery) {
    const canvas = new OffscreenCanvas(320, 240);
    const context = canvas.getContext('2d');
    const frames = [];
    const encoder = new VideoEncoder({ output: (chunk) => { const bytes = new Uint8Array(chunk.byteLength); chunk.copyTo(bytes); frames.push({ key: chunk.type === 'key', data: text(bytes) }); }, error: (error) => { throw error; } });
    encoder.configure({ codec: 'vp8', width: 320, height: 240, bitrate: 90000, framerate: fps, latencyMode: 'realtime' });
    for (let index = 0; index < fps * seconds; index += 1) {
      draw(context, index / fps);
      const frame = new VideoFrame(canvas, { timestamp: index * 1e6 / fps });
      encoder.encode(frame, { keyFrame: index % keyEvery === 0 });
      frame.close();
    }
    await encoder.flush();
    return frames;
  }
`;
const fps = 12;
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
try {
  const tab = await browser.newPage();
  await tab.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '<title>sounds</title>' }));
  await tab.goto('http://localhost/');
  await tab.addScriptTag({ content: page });
  const opus: Record<string, string[]> = {};
  for (const [name, sound] of Object.entries(sounds)) {
    const base64 = Buffer.from(samplesOf(sound, 48_000).buffer).toString('base64');
    opus[name] = (await tab.evaluate(`opus(${JSON.stringify(base64)})`)) as string[];
  }
  const frames = await tab.evaluate(`vp8(${fps}, 8, ${fps * 2})`);
  const recorded = JSON.stringify({ opus, vp8: { fps, frames } });
  await writeFile(join(import.meta.dirname, '..', '..', 'server', 'telephony', 'media', 'recorded.json'), `${recorded}\n`);
  process.stdout.write(`${recorded.length} bytes\n`);
} finally {
  await browser.close();
}
