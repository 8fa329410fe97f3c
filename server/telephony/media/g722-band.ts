const clamp = (value: number): number => (value > 32_767 ? 32_767 : value < -32_768 ? -32_768 : value);
const times = (one: number, other: number): number => (one * other) >> 15;

/** The steps of the quantizers grow in powers of two with these parts between (ITU-T G.722 table 12, ILB). */
const scale = [
  2_048, 2_093, 2_139, 2_186, 2_233, 2_282, 2_332, 2_383, 2_435, 2_489, 2_543, 2_599, 2_656, 2_714, 2_774, 2_834, 2_896, 2_960, 3_025, 3_091, 3_158,
  3_228, 3_298, 3_371, 3_444, 3_520, 3_597, 3_676, 3_756, 3_838, 3_922, 4_008,
] as const;

/** How the step of a band follows its codes: between which bounds, by how much with each. */
export interface BandKind {
  /** The step to begin with. */
  begin: number;
  most: number;
  shift: number;
}

/** One sub-band of G.722 as both ends know it (ITU-T G.722 section 3, blocks 3 and 4): its step, and what it foretells of the next sample. */
export class Band {
  readonly #kind: BandKind;
  readonly #partial = new Int32Array(3);
  readonly #differences = new Int32Array(6);
  readonly #zeros = new Int32Array(6);
  #rebuilt = [0, 0] as [number, number];
  #poles = [0, 0] as [number, number];
  #zeroPart = 0;
  #logStep = 0;
  /** The step of the quantizer. */
  step: number;
  /** What the next sample is expected to be. */
  expected = 0;

  constructor(kind: BandKind) {
    this.#kind = kind;
    this.step = kind.begin;
  }

  /** Takes what a code said: how the step is to change, and by how much the sample differs from what was expected. */
  take(change: number, difference: number): void {
    const { most, shift } = this.#kind;
    this.#logStep = Math.min(most, Math.max(0, times(this.#logStep, 32_512) + change));
    const whole = shift - (this.#logStep >> 11);
    const part = scale[(this.#logStep >> 6) & 31] ?? 0;
    this.step = (whole < 0 ? part << -whole : part >> whole) << 2;
    this.#predict(difference);
  }

  #predict(difference: number): void {
    const rebuilt = clamp(this.expected + difference);
    this.#adaptPoles(clamp(this.#zeroPart + difference));
    this.#adaptZeros(difference);
    const [last] = this.#rebuilt;
    this.#rebuilt = [rebuilt, last];
    const [first, second] = this.#poles;
    const polePart = clamp(times(first, clamp(2 * rebuilt)) + times(second, clamp(2 * last)));
    let sum = 0;
    for (let at = 0; at < 6; at += 1) sum += times(this.#zeros[at] ?? 0, clamp(2 * (this.#differences[at] ?? 0)));
    this.#zeroPart = clamp(sum);
    this.expected = clamp(polePart + this.#zeroPart);
  }

  #adaptPoles(partial: number): void {
    const p = this.#partial;
    p[2] = p[1] ?? 0;
    p[1] = p[0] ?? 0;
    p[0] = partial;
    const [first, second] = this.#poles;
    const negative = (at: number): boolean => (p[at] ?? 0) < 0;
    const sameAsLast = negative(0) === negative(1);
    const turn = clamp(4 * first);
    const fall = Math.min(32_767, sameAsLast ? -turn : turn) >> 7;
    const newSecond = Math.max(-12_288, Math.min(12_288, fall + (negative(0) === negative(2) ? 128 : -128) + times(second, 32_512)));
    const bound = clamp(15_360 - newSecond);
    const newFirst = clamp((sameAsLast ? 192 : -192) + times(first, 32_640));
    this.#poles = [Math.max(-bound, Math.min(bound, newFirst)), newSecond];
  }

  #adaptZeros(difference: number): void {
    const [d, zeros] = [this.#differences, this.#zeros];
    const grows = difference === 0 ? 0 : 128;
    for (let at = 5; at >= 0; at -= 1) {
      const towards = (d[at] ?? 0) < 0 === difference < 0 ? grows : -grows;
      zeros[at] = clamp(towards + times(zeros[at] ?? 0, 32_640));
      d[at] = at === 0 ? difference : (d[at - 1] ?? 0);
    }
  }
}
