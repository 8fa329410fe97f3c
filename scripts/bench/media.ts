import { setTimeout as wait } from 'node:timers/promises';
import { openMedia } from '#server/telephony/media/open.ts';
import type { MediaPort } from '#server/telephony/media/port.ts';
import { callIn, heardFrom, until } from '#tests/server/media-support.ts';
import type { Figure } from './figures.ts';
import { processorSeconds, residentMegabytes } from './processes.ts';

const [calls, parked] = [20, 100];
/** BENCH_SHORT=1 looks for an order of magnitude only. */
const seconds = process.env['BENCH_SHORT'] ? 3 : 15;
const voice = { video: false, kind: 'webrtc' } as const;

interface Opened {
  media: MediaPort;
  pid: number;
}
async function open(): Promise<Opened> {
  let pid = 0;
  const media = await openMedia({ onProcess: (begun) => (pid = begun ?? 0) });
  return { media, pid };
}

/** Far ends that call, one after the other, until all are heard. */
async function arrive(anchor: MediaPort, phones: MediaPort, legs: readonly string[]): Promise<void> {
  const heard = heardFrom(anchor);
  for (const leg of legs) await callIn(anchor, leg, phones, leg, voice);
  await until(() => legs.every((leg) => heard.of(leg, 'connected').length > 0), 30_000);
}

/** The shares of one processor, in per cent, that processes take while they are left alone. */
async function loads(...pids: number[]): Promise<number[]> {
  const [from, begun] = [pids.map(processorSeconds), performance.now()];
  await wait(seconds * 1_000);
  return pids.map((pid, at) => ((processorSeconds(pid) - (from[at] ?? 0)) / (performance.now() - begun)) * 100_000);
}

/** Calls of two phones each, anchored here and talking without a pause. */
async function talk(anchor: Opened, { media: phones, pid }: Opened): Promise<Figure> {
  const pairs = Array.from({ length: calls }, (_, at) => [`one-${at}`, `other-${at}`] as const);
  await arrive(anchor.media, phones, pairs.flat());
  for (const [one, other] of pairs) {
    await anchor.media.bridge(one, other);
    for (const leg of [one, other]) await phones.play(leg, 'clip');
  }
  await wait(1_000);
  const [ours = 0, theirs = 0] = await loads(anchor.pid, pid);
  for (const leg of pairs.flat()) await Promise.all([anchor.media.close(leg), phones.close(leg)]);
  return { what: `${calls} anchored calls (opus): of one processor`, unit: '%', ours, baseline: { what: 'their phones', value: theirs } };
}

/** Calls that wait and hear that they do. */
async function park(anchor: Opened, phones: MediaPort): Promise<Figure> {
  const before = residentMegabytes(anchor.pid);
  const legs = Array.from({ length: parked }, (_, at) => `parked-${at}`);
  await arrive(anchor.media, phones, legs);
  for (const leg of legs) await anchor.media.play(leg, 'waiting');
  await wait(5_000);
  return { what: `${parked} parked calls: memory of the media process more`, unit: 'MB', ours: residentMegabytes(anchor.pid) - before, atMost: 40 };
}

/** What anchoring costs: processor time of calls that talk, memory of calls that wait. */
export async function benchMedia(): Promise<Figure[]> {
  const [anchor, phones] = [await open(), await open()];
  try {
    const waiting = await park(anchor, phones.media);
    for (let at = 0; at < parked; at += 1) await Promise.all([anchor.media.close(`parked-${at}`), phones.media.close(`parked-${at}`)]);
    return [await talk(anchor, phones), waiting];
  } finally {
    await Promise.all([anchor.media.shut(), phones.media.shut()]);
  }
}
