import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Writes the tests that passed only when they were tried again, as a JSON list of names, to the file that SECOND_TRIES names. */
export default class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const file = process.env['SECOND_TRIES'];
    if (file) writeFileSync(file, JSON.stringify(modules.flatMap((each) => [...namesOf(each)])));
  }
}

function* namesOf(module: TestModule): Generator<string> {
  for (const test of module.children.allTests('passed')) if (test.diagnostic()?.flaky) yield `${module.relativeModuleId} > ${test.fullName}`;
}
