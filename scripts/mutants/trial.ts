// The process in which mutants are tried, one after the other: it is ended from outside if a mutant never comes to an end.
import { mutated } from './mutants.ts';
import type { Mutant } from './mutants.ts';
import { Tests } from './vitest.ts';

/** A mutant, and the test files in the order in which they are asked. */
export interface Task {
  mutant: Mutant;
  tests: readonly string[];
}
/** The test file that noticed it; null if none did. */
export interface Answer {
  by: string | null;
}

let tried: Mutant | null = null;
const tests = await Tests.open({
  change: (file, source) => (tried?.file === file ? mutated(source, tried) : null),
  isolate: false,
  maxWorkers: 1,
});

async function attempt({ mutant, tests: files }: Task): Promise<Answer> {
  if (tried) tests.forget(tried.file);
  tried = mutant;
  tests.forget(mutant.file);
  const { failed } = await tests.run(files, { stopsAtFailure: true });
  return { by: failed };
}

process.on('message', (task: Task) => {
  void attempt(task).then((answer) => process.send?.(answer));
});
