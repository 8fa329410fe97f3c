import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { defaultClientConditions, defaultServerConditions, type Plugin } from 'vite';
import { BaseSequencer, createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import type { ViteUserConfig } from 'vitest/config';
import { folders } from './folders.ts';

/** What a source becomes on its way into the tests; null leaves it as it is. */
type Change = (file: string, source: string) => string | null;

interface Options {
  change: Change;
  /** Files that run before each test file. */
  setup?: readonly string[];
  /** Every test file in a process of its own; else those without a server share one. */
  isolate: boolean;
  maxWorkers: number;
}

/** How a run of test files went. */
export interface Run {
  /** Test files that passed, with the time they took. */
  passed: Map<string, number>;
  /** The first that failed, if one did; '' for a fault outside of all. */
  failed: string | null;
}

class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

const changing = (change: Change): Plugin => ({
  name: 'mutants',
  enforce: 'pre',
  load(id) {
    const file = relative('', id);
    return folders.some(({ sources }) => sources.test(file)) ? change(file, readFileSync(id, 'utf8')) : null;
  },
});

/** Settings of Vitest: the tests as in `vite.config.ts`, with sources changed. */
function settings({ change, setup = [], isolate, maxWorkers }: Options): ViteUserConfig {
  const project = (name: string, include: string, setupFiles: string[], isolated: boolean) => ({
    plugins: [changing(change)],
    resolve: { conditions: ['module-sync', ...defaultClientConditions] },
    ssr: { resolve: { conditions: ['module-sync', ...defaultServerConditions] } },
    test: {
      name,
      include: [include],
      setupFiles: [...setupFiles, ...setup],
      isolate: isolated,
      maxWorkers,
      environment: 'node',
      env: { MUTANTS: 'true' },
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  });
  const projects = [
    project('pure', 'tests/{models,machines}/**/*.test.ts', ['tests/support/models.ts'], isolate),
    project('server', 'tests/server/**/*.test.ts', [], true),
  ];
  return { test: { sequence: { sequencer: AsGiven }, projects } };
}

/** Vitest with the tests of the folders, waiting to be told which to run. */
export class Tests {
  #vitest: Vitest;
  #all: TestSpecification[];
  #run: Run = { passed: new Map(), failed: null };
  #stopsAtFailure = false;

  private constructor(vitest: Vitest, all: TestSpecification[]) {
    this.#vitest = vitest;
    this.#all = all;
  }

  static async open(options: Options): Promise<Tests> {
    const heard: { by: Tests | null } = { by: null };
    const reporter = {
      onTestCaseResult: (test: { result: () => { state: string }; module: { moduleId: string } }) => {
        if (test.result().state === 'failed') heard.by?.fail(test.module.moduleId);
      },
      onTestModuleEnd: (module: { moduleId: string; state: () => string; diagnostic: () => { duration: number } }) => {
        if (module.state() === 'failed') heard.by?.fail(module.moduleId);
        else heard.by?.pass(module.moduleId, module.diagnostic().duration);
      },
    };
    const vitest = await createVitest('test', { config: false, watch: false, reporters: [reporter] }, settings(options));
    await vitest.standalone();
    heard.by = new Tests(vitest, await vitest.globTestSpecifications());
    return heard.by;
  }

  fail(path: string): void {
    this.#run.failed ??= relative('', path);
    if (this.#stopsAtFailure) void this.#vitest.cancelCurrentRun('test-failure');
  }

  pass(path: string, took: number): void {
    this.#run.passed.set(relative('', path), took);
  }

  /** Runs test files in this order. */
  async run(files: readonly string[], { stopsAtFailure }: { stopsAtFailure: boolean }): Promise<Run> {
    this.#run = { passed: new Map(), failed: null };
    this.#stopsAtFailure = stopsAtFailure;
    const place = ({ moduleId }: TestSpecification): number => files.indexOf(relative('', moduleId));
    const chosen = this.#all.filter((one) => place(one) >= 0).toSorted((one, other) => place(one) - place(other));
    const { unhandledErrors } = await this.#vitest.runTestSpecifications(chosen);
    if (unhandledErrors.length > 0) this.#run.failed ??= '';
    return this.#run;
  }

  /** A file is read anew by the next run. */
  forget(file: string): void {
    this.#vitest.invalidateFile(resolve(file));
  }

  close(): Promise<void> {
    return this.#vitest.close();
  }
}
