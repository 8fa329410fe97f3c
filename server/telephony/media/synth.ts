/** Something that sounds over and over: how long one round is, in ms, and the sample at a moment of it, -1 to 1. */
export interface Sound {
  period: number;
  at: (seconds: number) => number;
}
const sine = (hertz: number, seconds: number): number => Math.sin(2 * Math.PI * hertz * seconds);
/** A level that rises and falls softly, so that nothing clicks. */
const within = (seconds: number, from: number, to: number, soft = 0.01): number =>
  seconds < from || seconds > to ? 0 : Math.min(1, (seconds - from) / soft, (to - seconds) / soft);

/** Tones as the European network plays them (ETSI ES 203 021), and ours. */
const callTones = {
  ringback: { period: 5_000, at: (t) => 0.25 * sine(425, t) * within(t, 0, 1) },
  busy: { period: 700, at: (t) => 0.25 * sine(425, t) * within(t, 0, 0.35) },
  sos: { period: 1_000, at: (t) => 0.35 * (sine(960, t) * within(t, 0, 0.5) + sine(770, t) * within(t, 0.5, 1)) },
  /** A few soft notes and a pause: somebody is coming. */
  waiting: {
    period: 6_000,
    at: (t) =>
      [392, 493.9, 587.3, 784, 587.3, 493.9].reduce(
        (sum, hertz, note) =>
          sum + 0.16 * sine(hertz, t) * within(t, note * 0.5, note * 0.5 + 0.9, 0.12) * Math.exp(-2 * Math.max(0, t - note * 0.5)),
        0,
      ),
  },
} as const satisfies Record<string, Sound>;

const syllables: readonly (readonly [from: number, to: number, hertz: number, vowel: number])[] = [
  [0.1, 0.32, 132, 0],
  [0.34, 0.62, 148, 1],
  [1.0, 1.16, 126, 2],
  [1.18, 1.42, 138, 0],
  [1.45, 1.6, 130, 3],
  [1.63, 1.95, 118, 1],
  [2.5, 2.7, 140, 3],
  [2.73, 3.1, 155, 2],
];
const vowels: readonly (readonly number[])[] = [
  [730, 1_090],
  [390, 1_990],
  [570, 840],
  [440, 1_020],
];
/** Somebody who murmurs something at the door: syllables of a voice, in no language. */
const voice: Sound = {
  period: 4_000,
  at: (t) => {
    let sum = 0;
    for (const [from, to, hertz, vowel] of syllables) {
      const level = within(t, from, to, 0.04);
      if (level === 0) continue;
      for (let harmonic = 1; harmonic <= 20; harmonic += 1) {
        const peak = (vowels[vowel] ?? []).reduce((most, formant) => Math.max(most, Math.exp(-(((harmonic * hertz - formant) / 160) ** 2))), 0.08);
        sum += (0.3 * level * peak * sine(harmonic * hertz, t)) / Math.sqrt(harmonic);
      }
    }
    return Math.max(-1, Math.min(1, sum));
  },
};
export const sounds = { ...callTones, clip: voice } as const satisfies Record<string, Sound>;
export type SoundName = keyof typeof sounds;

/** One round of a sound at a rate of samples a second. */
export const samplesOf = ({ period, at }: Sound, rate: number): Float32Array =>
  Float32Array.from({ length: (period / 1_000) * rate }, (_, index) => at(index / rate));
