import { createSocket, type Socket } from 'node:dgram';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { Punctuality } from '#server/telephony/media/lateness.ts';
import { Studio } from '#server/telephony/media/studio.ts';
import { heardFrom, until } from './media-support.ts';

/** A packet of voice said at a moment (ms of its sender) at 8 kHz. */
function said(at: number, { marker = false, ssrc = 7 } = {}): Buffer {
  const bytes = Buffer.alloc(172);
  bytes[0] = 0x80;
  bytes[1] = marker ? 0x80 : 0;
  bytes.writeUInt32BE((at * 8) >>> 0, 4);
  bytes.writeUInt32BE(ssrc, 8);
  return bytes;
}
/** Listens to a sender, whose packets take `way` ms until they are read, and may have waited for us so long. */
function listening(waited: { ms: number }) {
  const punctuality = new Punctuality(() => waited.ms);
  return (at: number, way: number, how = {}) => punctuality.isLate(said(at, how), 8_000, 1_000 + at + way);
}

describe('voice that comes late', () => {
  it('is left out where it waited for us, and passed on where the network was slow', () => {
    const waited = { ms: 0 };
    const isLate = listening(waited);
    for (let at = 0; at < 1_000; at += 20) expect(isLate(at, 5)).toBe(false);
    expect(isLate(1_000, 200)).toBe(false);
    waited.ms = 300;
    expect(isLate(1_020, 200)).toBe(true);
    expect(isLate(1_200, 10)).toBe(false);
  });
  it('is judged by the quickest way of the last seconds: a sender whose clock or way has changed is heard again', () => {
    const isLate = listening({ ms: 300 });
    for (let at = 0; at < 1_000; at += 20) isLate(at, 5);
    expect(isLate(1_000, 100)).toBe(true);
    for (let at = 1_020; at < 12_000; at += 20) isLate(at, 100);
    expect(isLate(12_000, 100)).toBe(false);
  });
  it('is not judged by another beginning: a new sender, new talk after a pause, another time base', () => {
    const isLate = listening({ ms: 300 });
    for (let at = 0; at < 1_000; at += 20) isLate(at, 5);
    expect(isLate(1_000, 150, { ssrc: 8 })).toBe(false);
    expect(isLate(1_020, 300, { ssrc: 8, marker: true })).toBe(false);
    expect(isLate(1_040, 9_000, { ssrc: 8 })).toBe(false);
  });
});

const here = { all: ['127.0.0.1'], first: '127.0.0.1' } as const;
const open: { studio?: Studio; sockets: Socket[]; worker?: Worker } = { sockets: [] };
afterEach(async () => {
  await open.worker?.terminate();
  for (const socket of open.sockets.splice(0)) socket.close();
  await open.studio?.shut();
});
async function openPhone(): Promise<{ port: number; heard: Buffer[] }> {
  const socket = createSocket('udp4');
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  open.sockets.push(socket);
  const heard: Buffer[] = [];
  socket.on('message', (bytes) => (bytes[1] ?? 0) < 192 && heard.push(bytes));
  return { port: socket.address().port, heard };
}
const sdpOf = (port: number): string => `v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio ${port} RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n`;
/** Talks in a thread of its own, whatever this one does: as much as it is told to, and counts what it has said. */
const talker = `
  const { workerData: { port, count }, parentPort } = require('node:worker_threads');
  const socket = require('node:dgram').createSocket('udp4');
  let left = 0, sequence = 0;
  parentPort.on('message', (more) => (left += more));
  setInterval(() => {
    if (left === 0) return;
    left -= 1;
    const bytes = Buffer.alloc(172);
    bytes[0] = 0x80;
    bytes.writeUInt16BE(sequence++, 2);
    bytes.writeUInt32BE(Math.round(performance.now() * 8) >>> 0, 4);
    bytes.writeUInt32BE(7, 8);
    socket.send(bytes, port, '127.0.0.1', () => { Atomics.add(count, 0, 1); Atomics.notify(count, 0); });
  }, 20);`;

it('a process that was kept from its work leaves out what came meanwhile, and tells how much that was', async () => {
  const studio = (open.studio = new Studio(here));
  const mediaHeard = heardFrom(studio);
  const [one, other] = [await openPhone(), await openPhone()];
  const answer = await studio.answer('one', sdpOf(one.port));
  await studio.answer('other', sdpOf(other.port));
  await studio.bridge('one', 'other');
  const count = new Int32Array(new SharedArrayBuffer(4));
  const port = Number(/m=audio (\d+)/.exec(answer)?.[1]);
  const worker = (open.worker = new Worker(talker, { eval: true, workerData: { port, count } }));
  worker.postMessage(50);
  await until(() => other.heard.length > 20 && Atomics.load(count, 0) === 50, 20_000);
  worker.postMessage(30);
  // Nothing is read in this thread until the other has said it all.
  for (let now = 50; now < 80; now = Atomics.load(count, 0)) Atomics.wait(count, 0, now, 5_000);
  const late = (): number => mediaHeard.of('one', 'late').reduce((sum, event) => sum + ('packets' in event ? event.packets : 0), 0);
  await until(() => late() >= 20, 10_000);
  await until(() => late() + other.heard.length >= 80, 10_000);
  expect(late() + other.heard.length).toBe(80);
});
