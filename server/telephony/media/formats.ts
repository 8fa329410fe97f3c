import type { Format } from './sdp.ts';
import { convertible } from './transcode.ts';

export type Kind = 'audio' | 'video';

/** Of H.264, what every browser and panel decodes: the baseline profiles in the packets of mode 1 (RFC 6184). */
const isPlainH264 = (parameters: string): boolean => /packetization-mode=1/.test(parameters) && /profile-level-id=42/i.test(parameters);

/** What a format is passed on as: legs understand each other in a format whose key is the same; null where it is not passed on. */
export function keyOf({ name, clock, channels, parameters }: Format): string | null {
  switch (name) {
    case 'opus':
      return clock === 48_000 && channels === 2 ? 'opus' : null;
    // G.722 counts in 8 kHz by a slip of RFC 1890 that stayed (RFC 3551 section 4.5.2).
    case 'pcmu':
    case 'pcma':
    case 'g722':
      return clock === 8_000 && channels === 1 ? name : null;
    case 'telephone-event':
      return clock === 8_000 || clock === 48_000 ? `keys/${clock}` : null;
    case 'vp8':
      return 'vp8';
    case 'h264':
      return isPlainH264(parameters) ? 'h264' : null;
    default:
      return null;
  }
}
const kindOf: Readonly<Record<string, Kind>> = {
  opus: 'audio',
  g722: 'audio',
  pcmu: 'audio',
  pcma: 'audio',
  'keys/8000': 'audio',
  'keys/48000': 'audio',
  vp8: 'video',
  h264: 'video',
};
const ours: Readonly<Record<string, string>> = { opus: 'minptime=10;useinbandfec=1', 'keys/8000': '0-16', 'keys/48000': '0-16' };
/** Whether a format carries keys (telephone-event, RFC 4733). */
export const isKeys = (key: string): boolean => key.startsWith('keys/');

/** What the leg understands that another one will be joined to: what it speaks now, and what it could be asked to change over to. */
export interface Understood {
  spoken: readonly string[];
  able: readonly string[];
}
const wanted = ['passed', 'changed', 'turned', 'not'] as const;
/** How voice or picture of a kind gets to a leg: passed on, after that leg has changed over, turned into what it speaks, or not at all. */
function wayTo({ spoken, able }: Understood, key: string): (typeof wanted)[number] {
  if (isKeys(key) || spoken.includes(key)) return 'passed';
  if (able.includes(key)) return 'changed';
  return spoken.some((other) => convertible(other).some((one) => one === key)) ? 'turned' : 'not';
}
/** Whether what one leg sends gets to another, passed on or turned. */
export const reaches = (key: string, spoken: readonly string[]): boolean => ['passed', 'turned'].includes(wayTo({ spoken, able: [] }, key));
/** Formats for a leg that will be joined to another: what gets there most easily first, what does not left out. */
function sorted(formats: readonly Format[], toward: Understood | null): Format[] {
  if (!toward) return [...formats];
  // Keys of a telephone stand behind the voice they go with.
  const way = (one: Format): number => (carries([one]) ? wanted.indexOf(wayTo(toward, keyOf(one) ?? '')) : wanted.length);
  return formats.filter((one) => way(one) !== wanted.indexOf('not')).toSorted((one, other) => way(one) - way(other));
}

/** What we can do of the formats offered for a kind, in the order of the offer, each once. */
export function known(kind: string, offered: readonly Format[]): Format[] {
  const taken = new Set<string>();
  return offered.flatMap((format) => {
    const key = keyOf(format);
    if (!key || kindOf[key] !== kind || taken.has(key)) return [];
    taken.add(key);
    return [{ ...format, parameters: ours[key] ?? (key === 'h264' ? format.parameters.replaceAll(/[^\w=;-]/g, '') : '') }];
  });
}
/** What both sides have named, by the far side's numbers. */
export function common(kind: string, theirs: readonly Format[], ours: readonly Format[]): Format[] {
  const keys = new Set(ours.map(keyOf));
  return oneClock(known(kind, theirs).filter((one) => keys.has(keyOf(one))));
}
/**
 * What is agreed to of the formats offered for a kind. `toward`: the leg it will be joined to; where both speak the same, that alone is
 * agreed, so that nothing has to be turned. Null for all.
 */
export function agreeable(kind: string, offered: readonly Format[], toward: Understood | null): Format[] {
  const all = sorted(known(kind, offered), toward);
  const best = toward && all.find((one) => carries([one]));
  const way = best && wayTo(toward, keyOf(best) ?? '');
  return oneClock(way ? all.filter((one) => !carries([one]) || wayTo(toward, keyOf(one) ?? '') === way) : all);
}
/**
 * Leaves of several kinds of keys those in the clock of the voice (RFC 4733 section 2.1). Chromium would take the slowest clock and count in
 * that of the voice, so that a key of 160 ms comes out as one of 40.
 */
function oneClock(formats: Format[]): Format[] {
  const isKeyFormat = ({ name }: Format): boolean => name === 'telephone-event';
  const voice = formats.find((format) => !isKeyFormat(format));
  if (!formats.some((format) => isKeyFormat(format) && format.clock === voice?.clock)) return formats;
  return formats.filter((format) => !isKeyFormat(format) || format.clock === voice?.clock);
}

const format = (payload: number, name: string, clock: number, channels = 1, parameters = ''): Format => ({
  payload,
  name,
  clock,
  channels,
  parameters,
});
const offered: Readonly<Record<Kind, readonly Format[]>> = {
  audio: [
    format(111, 'opus', 48_000, 2, ours['opus']),
    format(9, 'g722', 8_000),
    format(0, 'pcmu', 8_000),
    format(8, 'pcma', 8_000),
    format(110, 'telephone-event', 48_000, 1, '0-16'),
    format(101, 'telephone-event', 8_000, 1, '0-16'),
  ],
  video: [format(96, 'vp8', 90_000), format(102, 'h264', 90_000, 1, 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f')],
};
/**
 * What we offer of a kind: to browsers keys in the clock of the voice only, to phones in all. `toward`: the leg it will be joined to.
 * `numbered`: formats that the far side has numbered already; a number stays what it was (RFC 3264 section 8.3.2).
 */
export function offerable(kind: Kind, to: 'webrtc' | 'rtp', toward: Understood | null, numbered: readonly Format[] = []): Format[] {
  const isFree = (one: Format): boolean => !numbered.some(({ payload }) => payload === one.payload);
  const all = offered[kind].flatMap((one) => numbered.find((other) => keyOf(other) === keyOf(one)) ?? (isFree(one) ? [one] : []));
  const some = sorted(all, toward);
  return to === 'rtp' ? some : oneClock(some);
}

/** Whether there is talk in it, and not keys alone. */
export const carries = (formats: readonly Format[]): boolean => formats.some((one) => !isKeys(keyOf(one) ?? 'keys/'));
