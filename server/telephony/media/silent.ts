import { agreeable, carries } from './formats.ts';
import { type MediaEvent, MediaFailure, type MediaPort } from './port.ts';
import { type Description, readSdp, safeMid, writeSdp } from './sdp.ts';

const ports = { first: 40_000, all: 20_000 } as const;
const transport = [
  'a=ice-ufrag:silent',
  'a=ice-pwd:silent-silent-silent-silent',
  `a=fingerprint:sha-256 ${Array<string>(32).fill('00').join(':')}`,
  'a=setup:passive',
] as const;

const answered = { sendrecv: 'sendrecv', sendonly: 'recvonly', recvonly: 'sendonly', inactive: 'inactive' } as const;

/** What could be answered to an offer, all of it at one port. @throws MediaFailure `incompatible` where there is nothing to talk with */
function describe({ sections, bundle }: Description, { version, port }: { version: number; port: number }): string {
  const lines = sections.map(({ kind, protocol, mid, direction, formats, mux, port: at, bundleOnly }) => {
    const agreed = at === 0 && !bundleOnly ? [] : agreeable(kind, formats, null);
    return {
      kind,
      protocol,
      host: '127.0.0.1',
      mid: safeMid(mid),
      mux,
      ssrc: 1,
      port: carries(agreed) ? port : 0,
      formats: agreed,
      direction: answered[direction],
      transport: protocol.includes('SAVP') ? transport : [],
    };
  });
  if (!lines.some(({ kind, port: at }) => kind === 'audio' && at !== 0)) throw new MediaFailure('incompatible', 'nothing to talk with');
  return writeSdp({ id: '1', version, lite: bundle.length > 0, bundle }, lines);
}

function offerOf(video: boolean, isPlain: boolean): Description {
  const kinds = video ? ['audio', 'video'] : ['audio'];
  const protocol = isPlain ? 'RTP/AVP' : 'UDP/TLS/RTP/SAVPF';
  const lines = kinds.flatMap((kind, index) => [
    `m=${kind} 9 ${protocol} ${kind === 'audio' ? '111 9 0 8 101' : '96'}`,
    'a=rtpmap:111 opus/48000/2',
    'a=rtpmap:101 telephone-event/8000',
    'a=rtpmap:96 VP8/90000',
    ...(isPlain ? [] : [`a=mid:${index}`, 'a=rtcp-mux']),
  ]);
  return readSdp(['v=0', ...(isPlain ? [] : [`a=group:BUNDLE ${kinds.map((_, index) => index).join(' ')}`]), ...lines].join('\r\n'));
}

/** The legs there are, each with a port of its own; said to be connected once, a moment after it is asked for. */
class Legs {
  readonly #legs = new Map<string, { version: number; port: number; isConnected: boolean }>();
  readonly #notify: (event: MediaEvent) => void;
  #count = 0;

  constructor(notify: (event: MediaEvent) => void) {
    this.#notify = notify;
  }

  has(id: string): boolean {
    return this.#legs.has(id);
  }
  describe(id: string, description: Description): string {
    const leg = this.#legs.get(id) ?? { version: 0, port: ports.first + ((this.#count += 2) % ports.all), isConnected: false };
    this.#legs.set(id, leg);
    leg.version += 1;
    return describe(description, leg);
  }
  connect(id: string): void {
    const leg = this.#legs.get(id);
    if (!leg || leg.isConnected) return;
    leg.isConnected = true;
    setImmediate(() => {
      if (this.#legs.has(id)) this.#notify({ type: 'connected', leg: id });
    });
  }
  close(id: string): void {
    this.#legs.delete(id);
  }
  clear(): void {
    this.#legs.clear();
  }
}

/** Media without media, for fast tests of calls: answers what could be answered, says `connected`, passes nothing on. */
export function silentMedia(): MediaPort {
  const listeners = new Set<(event: MediaEvent) => void>();
  const legs = new Legs((event) => {
    for (const listener of listeners) listener(event);
  });
  return {
    answer: async (id, sdp) => {
      const answer = legs.describe(id, readSdp(sdp));
      legs.connect(id);
      return answer;
    },
    offer: async (id, { video, kind }) => legs.describe(id, offerOf(video, kind === 'rtp')).replaceAll('setup:passive', 'setup:actpass'),
    accept: async (id, sdp) => {
      readSdp(sdp);
      legs.connect(id);
    },
    bridge: async () => [],
    unbridge: async () => undefined,
    play: async () => undefined,
    sendDtmf: async (id) => legs.has(id),
    still: async () => null,
    close: async (id) => legs.close(id),
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    shut: async () => {
      legs.clear();
      listeners.clear();
    },
  };
}
