import { MediaFailure } from './port.ts';

export const directions = ['sendrecv', 'sendonly', 'recvonly', 'inactive'] as const;
export type Direction = (typeof directions)[number];

/** A payload format of a media section, as its rtpmap and fmtp say; `name` in lower case. */
export interface Format {
  payload: number;
  name: string;
  clock: number;
  channels: number;
  parameters: string;
}
export interface RemoteCandidate {
  host: string;
  port: number;
}
/** One media section (RFC 8866 section 5.14), session-level attributes already brought down to it. */
export interface Section {
  kind: string;
  port: number;
  protocol: string;
  host: string | null;
  mid: string | null;
  direction: Direction;
  formats: Format[];
  ufrag: string | null;
  password: string | null;
  candidates: RemoteCandidate[];
  fingerprint: string | null;
  setup: string | null;
  mux: boolean;
  /** Not refused for its port of 0: it travels with another (RFC 9143). */
  bundleOnly: boolean;
  rtcpPort: number | null;
}
export interface Description {
  lite: boolean;
  bundle: string[];
  sections: Section[];
}

const longest = 64 * 1024;
const mostSections = 16;
const mostCandidates = 32;
const wellKnown: Readonly<Record<number, string>> = { 0: 'PCMU/8000', 8: 'PCMA/8000', 9: 'G722/8000' };
const unusable = (why: string): MediaFailure => new MediaFailure('incompatible', why);

interface Lines {
  attributes: Map<string, string[]>;
  host: string | null;
}
const emptyLines = (): Lines => ({ attributes: new Map(), host: null });
function note(lines: Lines, line: string): void {
  if (line.startsWith('c=')) {
    const [, , address] = line.slice(2).split(' ');
    lines.host = address?.split('/', 1)[0] ?? null;
  }
  if (!line.startsWith('a=')) return;
  const colon = line.indexOf(':');
  const [name, value] = colon < 0 ? [line.slice(2), ''] : [line.slice(2, colon), line.slice(colon + 1)];
  const known = lines.attributes.get(name);
  if (known) known.push(value);
  else lines.attributes.set(name, [value]);
}

const numberOf = (text: string | undefined, most: number): number | null => {
  if (!text || !/^\d{1,6}$/.test(text)) return null;
  const value = Number(text);
  return value <= most ? value : null;
};
const byPayload = (lines: Lines, name: string): Map<number, string> =>
  new Map(
    (lines.attributes.get(name) ?? []).flatMap((value) => {
      const space = value.indexOf(' ');
      const payload = numberOf(value.slice(0, space), 127);
      return payload === null ? [] : [[payload, value.slice(space + 1)] as const];
    }),
  );
function formatsOf(payloads: readonly string[], lines: Lines): Format[] {
  const [maps, parameters] = [byPayload(lines, 'rtpmap'), byPayload(lines, 'fmtp')];
  return payloads.flatMap((text) => {
    const payload = numberOf(text, 127);
    const map = payload === null ? undefined : (maps.get(payload) ?? wellKnown[payload]);
    if (payload === null || !map) return [];
    const [name = '', clock, channels] = map.split('/');
    const rate = numberOf(clock, 200_000);
    return rate
      ? [{ payload, name: name.toLowerCase(), clock: rate, channels: numberOf(channels, 8) ?? 1, parameters: parameters.get(payload) ?? '' }]
      : [];
  });
}
const candidatesOf = (lines: Lines): RemoteCandidate[] =>
  (lines.attributes.get('candidate') ?? []).slice(0, mostCandidates).flatMap((value) => {
    const [, component, transport, , host, port] = value.split(' ');
    const at = numberOf(port, 65_535);
    return component === '1' && transport?.toLowerCase() === 'udp' && host && at ? [{ host, port: at }] : [];
  });

function sectionOf(header: string, own: Lines, session: Lines): Section {
  const [kind = '', port, protocol = '', ...payloads] = header.slice(2).split(' ');
  const at = numberOf(port?.split('/', 1)[0], 65_535);
  if (at === null) throw unusable('a media section without a port');
  const one = (name: string): string | null => own.attributes.get(name)?.[0] ?? session.attributes.get(name)?.[0] ?? null;
  const direction = directions.find((name) => own.attributes.has(name)) ?? directions.find((name) => session.attributes.has(name)) ?? 'sendrecv';
  return {
    kind,
    port: at,
    protocol,
    host: own.host ?? session.host,
    mid: own.attributes.get('mid')?.[0] ?? null,
    direction,
    formats: formatsOf(payloads, own),
    ufrag: one('ice-ufrag'),
    password: one('ice-pwd'),
    candidates: candidatesOf(own),
    fingerprint: one('fingerprint'),
    setup: one('setup'),
    mux: own.attributes.has('rtcp-mux'),
    bundleOnly: own.attributes.has('bundle-only'),
    rtcpPort: numberOf(own.attributes.get('rtcp')?.[0]?.split(' ', 1)[0], 65_535),
  };
}

/**
 * Reads a session description (RFC 8866) from a stranger.
 * @throws MediaFailure `incompatible` for whatever cannot be one
 */
export function readSdp(text: string): Description {
  if (text.length > longest || !text.startsWith('v=0')) throw unusable('no session description');
  const session = emptyLines();
  const found: { header: string; lines: Lines }[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('m=')) found.push({ header: line, lines: emptyLines() });
    else note(found.at(-1)?.lines ?? session, line);
  }
  if (found.length === 0 || found.length > mostSections) throw unusable('no media sections, or too many');
  const group = session.attributes.get('group')?.find((value) => value.startsWith('BUNDLE '));
  return {
    lite: session.attributes.has('ice-lite'),
    bundle: group?.split(' ').slice(1) ?? [],
    sections: found.map(({ header, lines }) => sectionOf(header, lines, session)),
  };
}

/** What may stand in an attribute that is given back as it came. */
const plain = /^[\w.+-]{1,64}$/;
/** The name of a section as it may be given back. @throws MediaFailure for one that could break out of its line */
export function safeMid(mid: string | null): string | null {
  if (mid !== null && !plain.test(mid)) throw unusable('a mid that is none');
  return mid;
}

/** What a section says of itself when written. */
export interface WrittenSection {
  kind: string;
  /** 0 refuses the section. */
  port: number;
  protocol: string;
  host: string;
  mid: string | null;
  direction: Direction;
  formats: readonly Format[];
  mux: boolean;
  /** Of the transport: credentials, fingerprint, candidates. */
  transport: readonly string[];
  ssrc: number;
}
const feedback = { video: ['nack pli', 'ccm fir'] } as const;
const familyOf = (host: string): string => (host.includes(':') ? 'IP6' : 'IP4');

function linesOf(section: WrittenSection, session: string): string[] {
  const { kind, formats, mid, ssrc } = section;
  const first = `m=${kind} ${section.port} ${section.protocol} ${formats.map(({ payload }) => payload).join(' ') || '0'}`;
  const names = mid === null ? [] : [`a=mid:${mid}`];
  if (section.port === 0) return [first, `c=IN IP4 0.0.0.0`, ...names, 'a=inactive'];
  return [
    first,
    `c=IN ${familyOf(section.host)} ${section.host}`,
    ...names,
    `a=${section.direction}`,
    ...formats.flatMap(({ payload, name, clock, channels, parameters }) => [
      `a=rtpmap:${payload} ${nameOf[name] ?? name}/${clock}${channels > 1 ? `/${channels}` : ''}`,
      ...(parameters ? [`a=fmtp:${payload} ${parameters}`] : []),
      ...(kind === 'video' ? feedback.video.map((kindOf) => `a=rtcp-fb:${payload} ${kindOf}`) : []),
    ]),
    ...(kind === 'audio' ? ['a=ptime:20'] : []),
    ...(section.mux ? ['a=rtcp-mux'] : []),
    ...section.transport,
    ...(mid !== null && section.direction.startsWith('send') ? [`a=msid:doorward ${kind}`] : []),
    // Named on hold as well: Chromium drops a source that is no longer named, and stays deaf to it when it comes back.
    ...(mid !== null && formats.length > 0 ? [`a=ssrc:${ssrc} cname:${session}`] : []),
  ];
}
const nameOf: Readonly<Record<string, string>> = { pcmu: 'PCMU', pcma: 'PCMA', g722: 'G722', vp8: 'VP8', h264: 'H264' };

/** Writes a session description; `version` counts up with each of one session. */
export function writeSdp(
  session: { id: string; version: number; lite: boolean; bundle: readonly string[] },
  sections: readonly WrittenSection[],
): string {
  return [
    'v=0',
    `o=- ${session.id} ${session.version} IN IP4 127.0.0.1`,
    's=-',
    't=0 0',
    ...(session.lite ? ['a=ice-lite'] : []),
    ...(session.bundle.length > 0 ? [`a=group:BUNDLE ${session.bundle.join(' ')}`, 'a=msid-semantic: WMS doorward'] : []),
    ...sections.flatMap((section) => linesOf(section, session.id)),
    '',
  ].join('\r\n');
}
