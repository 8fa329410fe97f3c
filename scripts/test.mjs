// Everything that must hold: types, lint, format, dead code, unit and server tests, then the browser tests. Sets itself up.
// It leaves the longer half of the server and browser tests to CI (`CI=true npm test`), so that it is worth a wait before each push.
// `--full`: also the longest files, and races and kills as often as their figures ask for.
// `--check`: what is worth a wait before each commit: no browser tests, and of the server's tests those that what is not committed yet reaches.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { findHeadlessShell, requireChromium } from './chromium.mjs';
import { buildWhenNeeded, installWhenNeeded, requireNode } from './setup.mjs';

const isCheck = process.argv.includes('--check');
requireNode();
installWhenNeeded();
if (!isCheck) {
  const headlessShell = findHeadlessShell();
  process.env.CHROMIUM = requireChromium();
  process.env.HEADLESS_SHELL = headlessShell ?? process.env.CHROMIUM;
}
if (process.argv.includes('--full')) process.env.TESTS = 'full';
else if (process.env.CI !== 'true') process.env.TESTS = 'short';

// Servers and browsers of tests write much that nobody keeps: to memory in a fraction of the processor's time, where there is enough of it.
const memory = '/dev/shm';
const spare = existsSync(memory) ? statfsSync(memory) : { bavail: 0, bsize: 0 };
if (spare.bavail * spare.bsize > 4e9) process.env.TMPDIR ??= memory;

const isWindows = process.platform === 'win32';
const bin = (name) => join('node_modules', '.bin', name);
const reports = mkdtempSync(join(tmpdir(), 'doorward-tests-'));
const totals = { passed: 0, failed: 0 };
/** Tests that failed at first and passed when tried again: each is a fault not found yet, in the test or in the product. */
const secondTries = [];
/** What went wrong, said once more at the end: what stands between thousands of lines is not found, or was cut from the record. */
const failures = [];

/** Beside each other: one of them keeps a single core busy. What each has printed comes when it is done. */
async function checks(...all) {
  console.log(`\n== ${all.map(([title]) => title).join(', ')}`);
  const run = ([title, command, args]) =>
    new Promise((done) => {
      const started = performance.now();
      const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], shell: isWindows });
      const printed = [];
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(chunk));
      child.once('close', (status) => {
        process.stdout.write(Buffer.concat(printed));
        ended(title, status, started);
        done();
      });
    });
  await Promise.all(all.map(run));
}

/** The first lines of a failure: its message and where it was. */
const indented = (text) =>
  stripVTControlCharacters(text)
    .split('\n')
    .slice(0, 12)
    .map((line) => `    ${line}`)
    .join('\n');

/** What a run of tests has found, added to the rest; one that was ended from outside has left no report. */
function count(report) {
  if (!existsSync(report)) return;
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  totals.passed += numPassedTests;
  totals.failed += numFailedTests;
  for (const file of testResults) {
    if (file.status === 'failed') failures.push(`${relative('.', file.name)} ${file.message}`.trim());
    for (const test of file.assertionResults.filter(({ status }) => status === 'failed')) {
      failures.push(`${relative('.', file.name)} > ${test.fullName}\n${indented(test.failureMessages.join('\n'))}`);
    }
  }
}

/** Says how a part has ended, and how long it took. */
function ended(title, status, started) {
  console.log(`== ${title}: ${status === 0 ? 'done' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  if (status !== 0) failures.push(title);
}

function tests(title, ...args) {
  const started = performance.now();
  console.log(`\n== ${title}`);
  const report = join(reports, `${title.replaceAll(/\W/g, '-')}.json`);
  const tries = join(reports, 'second-tries.json');
  process.env.SECOND_TRIES = tries;
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`, '--reporter=./tests/support/second-tries.ts'];
  const { status } = spawnSync(bin('vitest'), ['run', ...args, ...reporters], { stdio: 'inherit', shell: isWindows });
  ended(title, status, started);
  count(report);
  if (!existsSync(tries)) return;
  for (const { name, errors } of JSON.parse(readFileSync(tries, 'utf8'))) secondTries.push(`${name}\n${indented(errors.join('\n'))}`);
}

await checks(
  ['types', bin('tsc'), ['-b', '--singleThreaded']],
  ['lint', bin('oxlint'), []],
  ['format', bin('oxfmt'), ['--check']],
  ['dead code', bin('knip'), []],
);
if (isCheck) {
  tests('models, machines, web', '--project', 'core', '--project', 'web');
  tests('server, as far as it was changed', '--project', 'server', '--changed', '--passWithNoTests');
} else {
  tests('models, machines, web, server', '--project', '!e2e*');
  buildWhenNeeded();
  tests('browser', '--project', 'e2e*');
}

rmSync(reports, { recursive: true, force: true });
if (process.env.TESTS === 'short' && !isCheck)
  console.log('\nleft to CI: the longer half of the server and browser tests; `CI=true npm test` runs them too');
console.log(`\nat a second try only: ${secondTries.length}${secondTries.map((name) => `\n  ${name}`).join('')}`);
if (failures.length > 0) console.log(`\nfailed: ${failures.length}${failures.map((failure) => `\n  ${failure}`).join('')}`);
console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
process.exit(failures.length > 0 || totals.failed > 0 || totals.passed === 0 ? 1 : 0);
