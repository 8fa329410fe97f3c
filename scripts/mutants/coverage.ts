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

/** What a process of the tests writes down (`record.ts`). */
interface Note {
  path: string;
  ran: readonly string[];
}

const notesIn = (folder: string): Note[] =>
  readdirSync(folder).map((name) => {
    const note: Note = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    rmSync(join(folder, name));
    return note;
  });

/** So many test files are run before what they note is saved. */
const atOnce = 20;

/** Runs test files with sources that note what ran, and tells of each part that is done. */
async function note(tests: readonly string[], save: (notes: readonly (Note & { took: number })[]) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  process.env['MUTANTS_RECORD'] = folder;
  const vitest = await Tests.open({ change: recording, setup: ['scripts/mutants/record.ts'], isolate: true, maxWorkers: 2 });
  for (let at = 0; at < tests.length; at += atOnce) {
    const { passed } = await vitest.run(tests.slice(at, at + atOnce), { stopsAtFailure: false });
    const notes = notesIn(folder).map((one) => ({ ...one, took: passed.get(one.path) }));
    save(notes.flatMap(({ took, ...one }) => (took === undefined ? [] : [{ ...one, took }])));
    for (const { path, took } of notes) if (took === undefined) console.log(`left out, for it fails without a mutant: ${path}`);
  }
  await vitest.close();
  rmSync(folder, { recursive: true });
}

/** Which test runs what; those that have not changed since they were last asked are remembered. */
export async function coverageOf(tests: readonly string[]): Promise<Coverage> {
  const known = saved();
  const hashOf = (test: string): string => hash(readFileSync(test, 'utf8'));
  const missing = tests.filter((test) => known[test]?.hash !== hashOf(test));
  if (missing.length > 0) {
    console.log(`noting what ${missing.length} test files run`);
    mkdirSync(dirname(cache), { recursive: true });
    await note(missing, (notes) => {
      for (const { path, took, ran } of notes) known[path] = { hash: hashOf(path), took, ran };
      writeFileSync(cache, JSON.stringify(known));
    });
  }
  return new Map(Object.entries(known).filter(([test]) => tests.includes(test)));
}
