import type { RingTone } from '#machines/phone/types.ts';
import type { Tone } from '../melodies.ts';

/** A ring: its tones, and how long one round lasts in seconds before it begins anew. */
interface Ring {
  round: number;
  tones: readonly Tone[];
}
const tone = (pitch: number, at: number, lasts: number, loud: number, shape: OscillatorType): Tone => ({ pitch, at, lasts, loud, shape });

/** Three rising cries and a pause: not to be taken for a call, nor for the alarm's two tones in turn. */
const sos = [0, 0.5, 1].flatMap((at) => [620, 880, 1240].map((pitch, step) => tone(pitch, at + step * 0.14, 0.13, 0.5, 'sawtooth')));
/** Two soft double strokes, as telephones ring. */
const call = [0, 0.45].flatMap((at) => [tone(523, at, 0.38, 0.32, 'triangle'), tone(659, at, 0.38, 0.24, 'sine')]);
/** One short knock now and then, beside somebody's voice. */
const waiting = [tone(440, 0, 0.16, 0.22, 'sine'), tone(440, 0.26, 0.16, 0.22, 'sine')];

/** What each ring is made of. */
export const rings: Readonly<Record<RingTone, Ring>> = {
  sos: { round: 2, tones: sos },
  call: { round: 3, tones: call },
  waiting: { round: 6, tones: waiting },
};

const edge = 0.012;
const shapes: Readonly<Record<string, (phase: number) => number>> = {
  sine: (phase) => Math.sin(2 * Math.PI * phase),
  triangle: (phase) => 1 - 4 * Math.abs(Math.round(phase) - phase),
  sawtooth: (phase) => 2 * (phase - Math.floor(phase + 0.5)),
  square: (phase) => (phase % 1 < 0.5 ? 1 : -1),
};

/**
 * One round of a ring as samples from -1 to 1. It is looped by the audio hardware: timers, which browsers slow down in hidden tabs,
 * have no part in it.
 */
export function samplesOf(ring: RingTone, rate: number): Float32Array<ArrayBuffer> {
  const { round, tones } = rings[ring];
  const samples = new Float32Array(Math.round(round * rate));
  for (const { pitch, at, lasts, loud, shape } of tones) {
    const wave = shapes[shape] ?? shapes['sine'];
    const length = Math.round(lasts * rate);
    for (let index = 0; index < length; index += 1) {
      const time = index / rate;
      // Tones that begin or end abruptly click.
      const gain = loud * Math.min(1, time / edge, (lasts - time) / edge);
      const place = Math.round(at * rate) + index;
      samples[place] = (samples[place] ?? 0) + gain * (wave?.(time * pitch) ?? 0);
    }
  }
  return samples;
}
