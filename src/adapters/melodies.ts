import type { SoundName } from '#machines/sounds.machine.ts';

/** One tone: how high (Hz), when and how long (s), how loud (0 to 1). */
export interface Tone {
  pitch: number;
  at: number;
  lasts: number;
  loud: number;
  shape: OscillatorType;
}

const tone = (pitch: number, at: number, lasts: number, loud = 0.18, shape: OscillatorType = 'sine'): Tone => ({ pitch, at, lasts, loud, shape });

/** Two tones in turn for three seconds: nothing else in the house sounds like it. */
const alarm = Array.from({ length: 12 }, (_, index) => tone(index % 2 === 0 ? 960 : 720, index * 0.26, 0.24, 0.3, 'square'));

/** It climbs, three times: told apart from an alarm without a look. */
const emergency = Array.from({ length: 9 }, (_, index) => tone([500, 700, 980][index % 3] ?? 500, index * 0.3, 0.28, 0.3, 'square'));

/** What each sound is made of. */
export const melodies: Readonly<Record<SoundName, readonly Tone[]>> = {
  message: [tone(660, 0, 0.12), tone(880, 0.12, 0.2)],
  notice: [tone(520, 0, 0.18)],
  warning: [tone(440, 0, 0.2, 0.22, 'triangle'), tone(440, 0.28, 0.2, 0.22, 'triangle'), tone(330, 0.56, 0.3, 0.22, 'triangle')],
  alarm,
  emergency,
};
