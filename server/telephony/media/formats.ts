import type { Format } from './sdp.ts';

export type Kind = 'audio' | 'video';

/** Of H.264, what every browser and panel decodes: the baseline profiles in the packets of mode 1 (RFC 6184). */
const isPlainH264 = (parameters: string): boolean => /packetization-mode=1/.test(parameters) && /profile-level-id=42/i.test(parameters);

/** What a format is passed on as: legs understand each other in a format whose key is the same; null where it is not passed on. */
export function keyOf({ name, clock, channels, parameters }: Format): string | null {
  switch (name) {
    case 'opus':
      return clock === 48_000 && channels === 2 ? 'opus' : null;
    case 'pcmu':
      return clock === 8_000 ? 'pcmu' : null;
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
  pcmu: 'audio',
  'keys/8000': 'audio',
  'keys/48000': 'audio',
  vp8: 'video',
  h264: 'video',
};
const ours: Readonly<Record<string, string>> = { opus: 'minptime=10;useinbandfec=1', 'keys/8000': '0-16', 'keys/48000': '0-16' };
/** Whether a format carries keys (telephone-event, RFC 4733). */
export const isKeys = (key: string): boolean => key.startsWith('keys/');

/**
 * What can be agreed to of the formats offered for a kind, in the order of the offer, each key once.
 * @param among keys that are wanted; null for all
 */
export function agreeable(kind: string, offered: readonly Format[], among: ReadonlySet<string> | null): Format[] {
  const taken = new Set<string>();
  const agreed = offered.flatMap((format) => {
    const key = keyOf(format);
    if (!key || kindOf[key] !== kind || taken.has(key) || (among && !isKeys(key) && !among.has(key))) return [];
    taken.add(key);
    return [{ ...format, parameters: ours[key] ?? (key === 'h264' ? format.parameters.replaceAll(/[^\w=;-]/g, '') : '') }];
  });
  return oneClock(agreed);
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
    format(0, 'pcmu', 8_000),
    format(110, 'telephone-event', 48_000, 1, '0-16'),
    format(101, 'telephone-event', 8_000, 1, '0-16'),
  ],
  video: [format(96, 'vp8', 90_000), format(102, 'h264', 90_000, 1, 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f')],
};
/** What we offer of a kind: to browsers keys in the clock of Opus only, to phones in all. */
export const offerable = (kind: Kind, to: 'webrtc' | 'rtp', among: ReadonlySet<string> | null): Format[] => {
  const all = offered[kind].filter((one) => among === null || one.name === 'telephone-event' || among.has(keyOf(one) ?? ''));
  return to === 'rtp' ? all : oneClock(all);
};

/** Whether there is talk in it, and not keys alone. */
export const carries = (formats: readonly Format[]): boolean => formats.some((one) => !isKeys(keyOf(one) ?? 'keys/'));
