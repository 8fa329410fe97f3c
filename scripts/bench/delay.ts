import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { MediaLeg } from '#server/telephony/media/leg.ts';
import { openMedia } from '#server/telephony/media/open.ts';
import type { MediaPort } from '#server/telephony/media/port.ts';
import { until } from '#tests/server/media-support.ts';
import { type Figure, percentile } from './figures.ts';
import { processorSeconds } from './processes.ts';

/** BENCH_SHORT=1 looks for an order of magnitude only. */
const seconds = process.env['BENCH_SHORT'] ? 5 : 15;
const here = { all: ['127.0.0.1'], first: '127.0.0.1' } as const;
const every = 20;
const stampAt = 4;

/** Far ends that talk in pairs, and note how long what they say is under way. */
class Talkers {
  readonly delays: number[] = [];
  sent = 0;
  readonly #legs: MediaLeg[] = [];
  readonly #kind: 'rtp' | 'webrtc';
  #timer: NodeJS.Timeout | undefined;

  constructor(kind: 'rtp' | 'webrtc') {
    this.#kind = kind;
  }
  /** One far end calls. */
  async call(anchor: MediaPort, id: string): Promise<void> {
    let isUp = false;
    const leg: MediaLeg = new MediaLeg(here, {
      packet: (_stream, { payload }) => void this.delays.push(performance.now() - payload.readDoubleBE(stampAt)),
      key: () => undefined,
      picture: () => undefined,
      connected: () => (isUp = true),
      lost: () => undefined,
    });
    leg.accept(await anchor.answer(id, await leg.offer({ video: false, kind: this.#kind, checks: true }, null)));
    await until(() => isUp, 30_000);
    this.#legs.push(leg);
  }
  /** Each says 160 bytes every 20 ms, not all at once. */
  talk(): void {
    const begun = performance.now();
    const said = this.#legs.map(() => 0);
    this.#timer = setInterval(() => {
      const now = performance.now() - begun;
      for (const [at, leg] of this.#legs.entries()) {
        const due = Math.floor((now + (at * every) / this.#legs.length) / every);
        // What a busy moment kept from being said is left out.
        said[at] = Math.max(said[at] ?? 0, due - 2);
        for (; (said[at] ?? 0) < due; said[at] = (said[at] ?? 0) + 1) this.#say(leg, said[at] ?? 0);
      }
    }, 1);
  }
  #say(leg: MediaLeg, count: number): void {
    const payload = Buffer.alloc(160, 0x55);
    payload.writeDoubleBE(performance.now(), stampAt);
    const packet = { type: 0, marker: false, sequence: count % 65_536, timestamp: (count * 160) % 2 ** 32, ssrc: 0, payload };
    if (leg.stream('audio')?.pass('bench', packet, 'pcmu')) this.sent += 1;
  }
  /** Begins to count anew. */
  forget(): void {
    this.delays.length = 0;
    this.sent = 0;
  }
  /** The share of what was said that did not arrive, in per cent. */
  get loss(): number {
    return (1 - Math.min(1, this.delays.length / this.sent)) * 100;
  }
  close(): void {
    clearInterval(this.#timer);
    for (const leg of this.#legs) leg.close();
  }
}

/** So many calls of two far ends each. */
async function under(calls: number, kind: 'rtp' | 'webrtc'): Promise<Figure[]> {
  let pid = 0;
  const anchor = await openMedia({ onProcess: (begun) => (pid = begun ?? 0) });
  const talkers = new Talkers(kind);
  let late = 0;
  anchor.listen((event) => (late += event.type === 'late' ? event.packets : 0));
  try {
    for (let at = 0; at < calls; at += 1) {
      await talkers.call(anchor, `one-${at}`);
      await talkers.call(anchor, `other-${at}`);
      await anchor.bridge(`one-${at}`, `other-${at}`);
    }
    talkers.talk();
    await wait(1_000);
    talkers.forget();
    late = 0;
    const [worked, begun] = [processorSeconds(pid), performance.now()];
    await wait(seconds * 1_000);
    const share = ((processorSeconds(pid) - worked) / (performance.now() - begun)) * 100_000;
    const what = `${calls} anchored calls (${kind === 'rtp' ? 'RTP' : 'SRTP'})`;
    return [
      { what: `${what}: delay, p50`, unit: 'ms', ours: percentile(talkers.delays, 0.5) },
      { what: `${what}: delay, p95`, unit: 'ms', ours: percentile(talkers.delays, 0.95), atMost: 60 },
      { what: `${what}: delay, longest`, unit: 'ms', ours: Math.max(...talkers.delays.slice(0, 100_000)) },
      { what: `${what}: lost, or too late at the phone`, unit: '%', ours: talkers.loss },
      { what: `${what}: left out by the server`, unit: '%', ours: (late / talkers.sent) * 100 },
      { what: `${what}: of one processor`, unit: '%', ours: share },
    ];
  } finally {
    talkers.close();
    await anchor.shut();
  }
}

/** How long voice is under way through the server while more and more talk. */
export async function benchDelay(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const kind of ['rtp', 'webrtc'] as const) for (const calls of [20, 60, 100]) figures.push(...(await under(calls, kind)));
  return [...figures, { what: 'load of the machine (1 minute)', unit: '', ours: loadavg()[0] ?? 0 }];
}
