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

/** Media without media, for fast tests of calls: answers what could be answered, says `connected`, passes nothing on. */
export function silentMedia(): MediaPort {
  const listeners = new Set<(event: MediaEvent) => void>();
  const legs = new Map<string, { version: number; port: number; isConnected: boolean }>();
  let count = 0;
  const legOf = (id: string) => {
    const leg = legs.get(id) ?? { version: 0, port: ports.first + ((count += 2) % ports.all), isConnected: false };
    legs.set(id, leg);
    leg.version += 1;
    return leg;
  };
  const connected = (id: string): void => {
    const leg = legs.get(id);
    if (!leg || leg.isConnected) return;
    leg.isConnected = true;
    setImmediate(() => {
      if (legs.has(id)) for (const listener of listeners) listener({ type: 'connected', leg: id });
    });
  };
  const write = (id: string, { sections, bundle }: Description): string => {
    const { version, port } = legOf(id);
    const answered = sections.map(({ kind, protocol, mid, direction, formats, mux, port: at, bundleOnly }) => {
      const agreed = at === 0 && !bundleOnly ? [] : agreeable(kind, formats, null);
      const isTaken = carries(agreed);
      const ours = { sendrecv: 'sendrecv', sendonly: 'recvonly', recvonly: 'sendonly', inactive: 'inactive' } as const;
      return {
        kind,
        protocol,
        host: '127.0.0.1',
        mid: safeMid(mid),
        mux,
        ssrc: 1,
        port: isTaken ? port : 0,
        formats: agreed,
        direction: ours[direction],
        transport: protocol.includes('SAVP') ? transport : [],
      };
    });
    if (!answered.some(({ kind, port: at }) => kind === 'audio' && at !== 0)) throw new MediaFailure('incompatible', 'nothing to talk with');
    return writeSdp({ id: '1', version, lite: bundle.length > 0, bundle }, answered);
  };
  const offerOf = (video: boolean, isPlain: boolean): Description => {
    const kinds = video ? ['audio', 'video'] : ['audio'];
    const protocol = isPlain ? 'RTP/AVP' : 'UDP/TLS/RTP/SAVPF';
    const lines = kinds.flatMap((kind, index) => [
      `m=${kind} 9 ${protocol} ${kind === 'audio' ? '111 0 101' : '96'}`,
      'a=rtpmap:111 opus/48000/2',
      'a=rtpmap:101 telephone-event/8000',
      'a=rtpmap:96 VP8/90000',
      ...(isPlain ? [] : [`a=mid:${index}`, 'a=rtcp-mux']),
    ]);
    return readSdp(['v=0', ...(isPlain ? [] : [`a=group:BUNDLE ${kinds.map((_, index) => index).join(' ')}`]), ...lines].join('\r\n'));
  };
  return {
    answer: async (id, sdp) => {
      const answer = write(id, readSdp(sdp));
      connected(id);
      return answer;
    },
    offer: async (id, { video, kind }) => write(id, offerOf(video, kind === 'rtp')).replaceAll('setup:passive', 'setup:actpass'),
    accept: async (id, sdp) => {
      readSdp(sdp);
      connected(id);
    },
    bridge: async () => undefined,
    unbridge: async () => undefined,
    play: async () => undefined,
    sendDtmf: async (id) => legs.has(id),
    still: async () => null,
    close: async (id) => void legs.delete(id),
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
