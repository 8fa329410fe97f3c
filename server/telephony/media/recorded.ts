import recorded from './recorded.json' with { type: 'json' };
import { toALaw, toMuLaw } from './g711.ts';
import { G722Encoder } from './g722.ts';
import { asWebp } from './still.ts';
import { samplesOf, type SoundName, sounds } from './synth.ts';

const frameMs = 20;
const onceEach = <T>(make: (name: SoundName) => T): ((name: SoundName) => T) => {
  const made = new Map<SoundName, T>();
  return (name) => {
    const known = made.get(name) ?? make(name);
    made.set(name, known);
    return known;
  };
};
const asOpus = onceEach((name) => recorded.opus[name].map((frame) => Buffer.from(frame, 'base64')));
/** Of the sounds that are made anew at 8 kHz, how their samples of 16 bits become bytes, one each. */
const coders: Readonly<Record<string, (samples: Int16Array) => Uint8Array>> = {
  pcmu: (samples) => Uint8Array.from(samples, toMuLaw),
  pcma: (samples) => Uint8Array.from(samples, toALaw),
  g722: (samples) => {
    const bytes = new Uint8Array(samples.length);
    new G722Encoder().encode(samples, bytes);
    return bytes;
  },
};
const coded = Object.fromEntries(
  Object.entries(coders).map(([key, code]) => [
    key,
    onceEach((name) => {
      const samples = Int16Array.from(samplesOf(sounds[name], 8_000), (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767));
      const bytes = Buffer.from(code(samples));
      const size = 8 * frameMs;
      return Array.from({ length: Math.floor(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
    }),
  ]),
);

/** One round of a sound in frames of 20 ms, in a format it is there in. */
export const framesOf = (name: SoundName, key: string): readonly Buffer[] | null => (key === 'opus' ? asOpus(name) : (coded[key]?.(name) ?? null));

/** A picture of the panels' clip, in packets of VP8 (RFC 7741). */
interface Picture {
  isWhole: boolean;
  packets: readonly Buffer[];
}
const mostInPacket = 1_100;
const plainDescriptor = (isStart: boolean): Buffer => Buffer.from([isStart ? 0x10 : 0]);
function packed(bytes: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += mostInPacket)
    packets.push(Buffer.concat([plainDescriptor(at === 0), bytes.subarray(at, at + mostInPacket)]));
  return packets;
}
let clip: { every: number; pictures: readonly Picture[] } | null = null;
/** The moving picture of a panel; `every`: ms from one to the next. */
export function clipPictures(): { every: number; pictures: readonly Picture[] } {
  clip ??= {
    every: 1_000 / recorded.vp8.fps,
    pictures: recorded.vp8.frames.map(({ key, data }) => ({ isWhole: key, packets: packed(Buffer.from(data, 'base64')) })),
  };
  return clip;
}

/** What the panels' camera sees at several moments, as WebP files. */
export const clipStills = (): Buffer[] => recorded.vp8.frames.filter(({ key }) => key).map(({ data }) => asWebp(Buffer.from(data, 'base64')));
