import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Coverage } from './coverage.ts';
import type { Mutant } from './mutants.ts';

/** How long the tests of one mutant may take together, by what they took at first: those farther from it are left out. */
const budget = 90_000;

const words = (path: string): string[] => path.split(/[^a-z]+/).filter((word) => word !== 'ts' && word !== 'test');

/** How near a test file is to a source: it imports it, and is called like it. */
function nearness(test: string, source: string): number {
  const shared = words(basename(test)).filter((word) => words(source).includes(word)).length;
  return shared + (readFileSync(test, 'utf8').includes(`#${source}'`) ? 2 : 0);
}

/** The share of what a test runs that lies in the folder of a source: one that runs little else is about it. */
function shareIn(folder: string, ran: readonly string[]): number {
  const inside = ran.filter((place) => place.startsWith(`${folder}/`)).length;
  return ran.length === 0 ? 0 : inside / ran.length;
}

/** Those who noticed a mutant of a file, for the next one. */
const noticed = new Map<string, Map<string, number>>();

export function noteNoticed(source: string, test: string): void {
  const counts = noticed.get(source) ?? new Map<string, number>();
  noticed.set(source, counts.set(test, (counts.get(test) ?? 0) + 1));
}

/** The test files that pass a mutant's place, those first that are likely to notice it soon. */
export function covering({ file, place }: Mutant, tests: readonly string[], coverage: Coverage): string[] {
  const took = (test: string): number => coverage.get(test)?.took ?? 0;
  const share = (test: string): number => shareIn(dirname(file), coverage.get(test)?.ran ?? []);
  const rank = (test: string): number =>
    nearness(test, file) + 10 * share(test) + Math.min(5, noticed.get(file)?.get(test) ?? 0) - took(test) / 5_000;
  const passing = tests.filter((test) => coverage.get(test)?.ran.includes(place));
  const ranks = new Map(passing.map((test) => [test, rank(test)]));
  const ordered = passing.toSorted((one, other) => (ranks.get(other) ?? 0) - (ranks.get(one) ?? 0));
  let spent = 0;
  return ordered.filter((test, at) => {
    const fits = at === 0 || spent + took(test) <= budget;
    if (fits) spent += took(test);
    return fits;
  });
}
