import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { hash } from './mutants.ts';
import type { Outcome } from './trials.ts';

interface Result extends Outcome {
  id: string;
  /** The tests that were asked, and for one killed the test that did it, as they were. */
  tests: string;
}

const file = 'node_modules/.cache/mutants/results.jsonl';

const known = new Map<string, Result>();

/** Earlier results are read, or forgotten. */
export function openResults({ fresh }: { fresh: boolean }): void {
  if (fresh) rmSync(file, { force: true });
  if (!existsSync(file)) return;
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const result: Result = JSON.parse(line);
    known.set(result.id, result);
  }
}

const ofTests = (tests: readonly string[]): string => hash(...tests.toSorted().flatMap((test) => [test, readFileSync(test, 'utf8')]));
const asked = ({ by }: Outcome, tests: readonly string[]): readonly string[] => (by ? [by] : tests);

/** What became of a mutant earlier, if what was found then still holds: the file is the same by its id, and so are the tests. */
export function resultOf(id: string, tests: readonly string[]): Outcome | null {
  const result = known.get(id);
  if (!result || (result.by && !existsSync(result.by))) return null;
  return result.tests === ofTests(asked(result, tests)) ? result : null;
}

export function saveResult(id: string, outcome: Outcome, tests: readonly string[]): void {
  const result: Result = { id, ...outcome, tests: ofTests(asked(outcome, tests)) };
  known.set(id, result);
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(result)}\n`);
}
