// Everything that must hold: types, lint, format, dead code, unit and server tests, then the browser tests. Sets itself up.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { findHeadlessShell, requireChromium } from './chromium.mjs';
import { buildWhenNeeded, installWhenNeeded, requireNode } from './setup.mjs';

requireNode();
installWhenNeeded();
const headlessShell = findHeadlessShell();
process.env.CHROMIUM = requireChromium();
process.env.HEADLESS_SHELL = headlessShell ?? process.env.CHROMIUM;
// `npm run test:full`: also the longest files, and races and kills as often as their figures ask for.
if (process.argv.includes('--full')) process.env.RACES = 'full';

const bin = (name) => join('node_modules', '.bin', name);
const reports = mkdtempSync(join(tmpdir(), 'doorward-tests-'));
const totals = { passed: 0, failed: 0 };
/** Tests that failed at first and passed when tried again: each is a fault not found yet, in the test or in the product. */
const secondTries = [];
/** What went wrong, said once more at the end: what stands between thousands of lines is not found, or was cut from the record. */
const failures = [];

function step(title, command, args, report) {
  const started = performance.now();
  console.log(`\n== ${title}`);
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  console.log(`== ${title}: ${status === 0 ? 'done' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  if (status !== 0) failures.push(title);
  if (!report) return;
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

/** The first lines of a failure: its message and where it was. */
const indented = (text) =>
  stripVTControlCharacters(text)
    .split('\n')
    .slice(0, 12)
    .map((line) => `    ${line}`)
    .join('\n');

function tests(title, ...args) {
  const report = join(reports, `${title.replaceAll(/\W/g, '-')}.json`);
  const tries = join(reports, 'second-tries.json');
  process.env.SECOND_TRIES = tries;
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`, '--reporter=./tests/support/second-tries.ts'];
  step(title, bin('vitest'), ['run', ...args, ...reporters], report);
  secondTries.push(...JSON.parse(readFileSync(tries, 'utf8')));
}

step('types', bin('tsc'), ['-b', '--singleThreaded']);
step('lint', bin('oxlint'), []);
step('format', bin('oxfmt'), ['--check']);
step('dead code', bin('knip'), []);
tests('models, machines, web, server', '--project', '!e2e*');
buildWhenNeeded();
tests('browser', '--project', 'e2e*');

rmSync(reports, { recursive: true, force: true });
console.log(`\nat a second try only: ${secondTries.length}${secondTries.map((name) => `\n  ${name}`).join('')}`);
if (failures.length > 0) console.log(`\nfailed: ${failures.length}${failures.map((failure) => `\n  ${failure}`).join('')}`);
console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
process.exit(failures.length > 0 || totals.failed > 0 || totals.passed === 0 ? 1 : 0);
