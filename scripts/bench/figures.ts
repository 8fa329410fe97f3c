/** One measured line: what, in which unit, ours and, where there is one, the baseline of the same run. */
export interface Figure {
  what: string;
  unit: 'ms' | 'kB' | 'MB' | '%' | '';
  ours: number;
  baseline?: { what: string; value: number };
  /** The goal, where there is one: at most this. */
  atMost?: number;
}

/** The value below which this share (0 to 1) of all values lies. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};
/** The value in the middle. */
export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Runs something so many times, one after another, and answers each time in ms. */
export async function timesOf(count: number, run: (round: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const start = performance.now();
    await run(round);
    times.push(performance.now() - start);
  }
  return times;
}

const shown = (value: number, unit: string): string => `${value >= 100 ? value.toFixed(0) : value.toFixed(1)}${unit ? ` ${unit}` : ''}`;

/** Prints figures as an aligned table; a missed goal is marked. */
export function print(title: string, figures: readonly Figure[]): void {
  console.log(`\n${title}`);
  for (const { what, unit, ours, baseline, atMost } of figures) {
    const ratio = baseline ? `  ${(ours / baseline.value).toFixed(2)} × ${baseline.what} (${shown(baseline.value, unit)})` : '';
    const goal = atMost === undefined ? '' : `  ${ours <= atMost ? 'within' : 'MISSES'} ${shown(atMost, unit)}`;
    console.log(`  ${what.padEnd(58)} ${shown(ours, unit).padStart(10)}${goal}${ratio}`);
  }
}
