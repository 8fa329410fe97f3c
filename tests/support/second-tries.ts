import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** A test that failed and passed when it was tried again, with what it failed by. */
interface SecondTry {
  name: string;
  errors: string[];
}

/** Writes the tests that passed only when they were tried again, as JSON, to the file that SECOND_TRIES names. */
export default class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const file = process.env['SECOND_TRIES'];
    if (file) writeFileSync(file, JSON.stringify(modules.flatMap((each) => [...triedAgain(each)])));
  }
}

function* triedAgain(module: TestModule): Generator<SecondTry> {
  for (const test of module.children.allTests('passed'))
    if (test.diagnostic()?.flaky)
      yield {
        name: `${module.relativeModuleId} > ${test.fullName}`,
        errors: (test.result().errors ?? []).map(({ message, stack }) => (stack?.includes(message) ? stack : `${message}\n${stack ?? ''}`)),
      };
}
