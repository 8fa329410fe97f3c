import { parseArgs } from 'node:util';
import { covering, noteNoticed } from './covering.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { filesLike, folders } from './folders.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import { openResults, resultOf, saveResult } from './results.ts';
import { sampled } from './sample.ts';
import { type Outcome, Trials } from './trials.ts';

const help = `npm run mutants [-- options]: the share of small changes to the code that a test notices, by folder

  --size N      mutants tried of each folder (100), evenly over its files
  --seed N      others of them (1)
  --all         all of them
  --only TEXT   only files whose path contains it
  --folder NAME one of ${folders.map(({ name }) => name).join(', ')}
  --minutes N   ends after so long; the next run goes on from there
  --fresh       forgets earlier results, which otherwise hold as long as file and tests are the same
`;

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    all: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    folder: { type: 'string' },
    minutes: { type: 'string', default: 'Infinity' },
    fresh: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** The share of killed mutants that each folder is held to. */
const goal = 0.85;
const until = performance.now() + Number(options.minutes) * 60_000;
const trials = new Trials();
process.on('exit', () => trials.close());

async function outcomeOf(mutant: Mutant, tests: readonly string[], coverage: Coverage): Promise<Outcome | null> {
  if (tests.length === 0) return { kind: 'survived', by: null };
  const earlier = resultOf(mutant.id, tests);
  if (earlier) return earlier;
  if (performance.now() > until) return null;
  const usual = tests.reduce((sum, test) => sum + (coverage.get(test)?.took ?? 0), 0);
  const outcome = await trials.attempt({ mutant, tests }, Math.ceil(60_000 + 5 * usual));
  saveResult(mutant.id, outcome, tests);
  return outcome;
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 90);

/** Tries the mutants of a folder. @returns whether enough of them were noticed */
async function report(folder: (typeof folders)[number], coverage: Coverage): Promise<boolean> {
  const files = filesLike(folder.sources).filter((file) => file.includes(options.only));
  const all = files.flatMap(mutantsOf);
  const chosen = options.all ? all : sampled(all, Number(options.size), Number(options.seed));
  const tests = filesLike(folder.tests);
  const counts = { killed: 0, survived: 0, timeout: 0 };
  for (const mutant of chosen) {
    const asked = covering(mutant, tests, coverage);
    const outcome = await outcomeOf(mutant, asked, coverage);
    if (!outcome) continue;
    counts[outcome.kind] += 1;
    if (outcome.by) noteNoticed(mutant.file, outcome.by);
    if (outcome.kind === 'survived')
      console.log(
        `${mutant.file}:${mutant.line}  ${inOneLine(mutant.was)}  →  ${inOneLine(mutant.text)}${asked.length > 0 ? '' : '  (no test runs it)'}`,
      );
  }
  const tried = counts.killed + counts.survived + counts.timeout;
  const share = tried === 0 ? 1 : (counts.killed + counts.timeout) / tried;
  console.log(
    `== ${folder.name}: ${(share * 100).toFixed(1)} % noticed: killed ${counts.killed}, timeouts ${counts.timeout}, survived ${counts.survived}; tried ${tried} of ${all.length}\n`,
  );
  return share >= goal;
}

if (options.help) console.log(help);
else {
  openResults(options);
  const asked = folders.filter(({ name }) => options.folder === undefined || name === options.folder);
  const coverage = await coverageOf([...new Set(asked.flatMap(({ tests }) => filesLike(tests)))]);
  const held: boolean[] = [];
  for (const folder of asked) held.push(await report(folder, coverage));
  trials.close();
  process.exitCode = held.every(Boolean) ? 0 : 1;
}
