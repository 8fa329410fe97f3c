import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hash } from './mutants.ts';
import { recording } from './recording.ts';
import { Tests } from './vitest.ts';

/** What one test file is known by, how long it takes, and the functions that it runs. */
interface Covered {
  hash: string;
  took: number;
  ran: readonly string[];
}
/** By test file. Those that fail without a mutant are not in it. */
export type Coverage = Map<string, Covered>;

const cache = 'node_modules/.cache/mutants/coverage.json';

function saved(): Record<string, Covered> {
  return existsSync(cache) ? JSON.parse(readFileSync(cache, 'utf8')) : {};
}

/** Runs test files once with sources that note what ran; those that have not changed since are remembered. */
export async function coverageOf(tests: readonly string[]): Promise<Coverage> {
  const known = saved();
  const hashOf = (test: string): string => hash(readFileSync(test, 'utf8'));
  const missing = tests.filter((test) => known[test]?.hash !== hashOf(test));
  if (missing.length > 0) {
    console.log(`noting what ${missing.length} test files run`);
    const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
    process.env['MUTANTS_RECORD'] = folder;
    const vitest = await Tests.open({ change: recording, setup: ['scripts/mutants/record.ts'], isolate: true, maxWorkers: 2 });
    const { passed } = await vitest.run(missing, { stopsAtFailure: false });
    await vitest.close();
    for (const test of readdirSync(folder)) {
      const { path, ran } = JSON.parse(readFileSync(join(folder, test), 'utf8'));
      const took = passed.get(path);
      if (took === undefined) console.log(`left out, for it fails without a mutant: ${path}`);
      else known[path] = { hash: hashOf(path), took, ran };
    }
    rmSync(folder, { recursive: true });
    mkdirSync(dirname(cache), { recursive: true });
    writeFileSync(cache, JSON.stringify(known));
  }
  return new Map(Object.entries(known).filter(([test]) => tests.includes(test)));
}
