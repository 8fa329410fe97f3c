import { Band } from './g722-band.ts';

/** Bounds of the lower band's quantizer, in parts of 4096 of its step (ITU-T G.722 table 10, Q6). */
const bounds = Int32Array.from([
  35, 72, 110, 150, 190, 233, 276, 323, 370, 422, 473, 530, 587, 650, 714, 786, 858, 940, 1_023, 1_121, 1_219, 1_339, 1_458, 1_612, 1_765, 1_980,
  2_195, 2_557, 2_919,
]);
/** What the codes of six bits stand for, in parts of 32768 of the step (table 14, QM6); those below zero first. */
const fine = Int32Array.from([
  -136, -136, -136, -136, -24_808, -21_904, -19_008, -16_704, -14_984, -13_512, -12_280, -11_192, -10_232, -9_360, -8_576, -7_856, -7_192, -6_576,
  -6_000, -5_456, -4_944, -4_464, -4_008, -3_576, -3_168, -2_776, -2_400, -2_032, -1_688, -1_360, -1_040, -728, 24_808, 21_904, 19_008, 16_704,
  14_984, 13_512, 12_280, 11_192, 10_232, 9_360, 8_576, 7_856, 7_192, 6_576, 6_000, 5_456, 4_944, 4_464, 4_008, 3_576, 3_168, 2_776, 2_400, 2_032,
  1_688, 1_360, 1_040, 728, 432, 136, -432, -136,
]);
/** The same of their upper four bits, by which both ends foretell (QM4), and how the step changes with them (WL by RL4). */
const coarse = Int32Array.from([0, -20_456, -12_896, -8_968, -6_288, -4_240, -2_584, -1_200, 20_456, 12_896, 8_968, 6_288, 4_240, 2_584, 1_200, 0]);
const changes = Int32Array.from([-60, 3_042, 1_198, 538, 334, 172, 58, -30, 3_042, 1_198, 538, 334, 172, 58, -30, -60]);
const lowerBand = { begin: 32, most: 18_432, shift: 8 };
/** The code of an upper band in which nothing sounds. */
const quietUpperBand = 0xc0;
const largest = 16_383;

function follow(band: Band, code: number): void {
  const said = code >> 2;
  band.take(changes[said] ?? 0, (band.step * (coarse[said] ?? 0)) >> 15);
}
/** The code of six bits for a difference: its place among the bounds, its sign in the numbering. */
function codeOf(difference: number, step: number): number {
  const magnitude = difference < 0 ? ~difference : difference;
  let place = 1;
  while (place < 30 && magnitude >= ((bounds[place - 1] ?? 0) * step) >> 12) place += 1;
  if (difference >= 0) return 62 - place;
  return place < 3 ? 64 - place : 34 - place;
}

/**
 * G.722 (64 kbit/s) to samples of 16 bits at 8 kHz: its lower band is just that, the voice up to 4 kHz, so nothing is filtered. What came
 * before is kept, so each stream has one of its own.
 */
export class G722Decoder {
  readonly #band = new Band(lowerBand);

  decode(bytes: Uint8Array, into: Int16Array): void {
    for (let at = 0; at < bytes.length; at += 1) {
      const code = (bytes[at] ?? 0) & 63;
      const sample = this.#band.expected + ((this.#band.step * (fine[code] ?? 0)) >> 15);
      into[at] = Math.max(-largest - 1, Math.min(largest, sample)) * 2;
      follow(this.#band, code);
    }
  }
}

/** Samples of 16 bits at 8 kHz to G.722 (64 kbit/s): they are its lower band, the upper one is silent. Each stream has one of its own. */
export class G722Encoder {
  readonly #band = new Band(lowerBand);

  encode(samples: Int16Array, into: Uint8Array): void {
    for (let at = 0; at < into.length; at += 1) {
      const difference = Math.max(-32_768, Math.min(32_767, ((samples[at] ?? 0) >> 1) - this.#band.expected));
      const code = codeOf(difference, this.#band.step);
      into[at] = quietUpperBand | code;
      follow(this.#band, code);
    }
  }
}
