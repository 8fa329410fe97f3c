import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What is timed by the browser itself, so that nothing may run beside it. */
const timed = ['tests/e2e/steady.test.ts', 'tests/e2e/phone-load.test.ts', 'tests/e2e/media-outage.test.ts'];
/** What a browser does in time depends on what else the machine does: a second try tells a fault from a slow moment. */
const shared = { globalSetup: 'tests/e2e/support/seeded.ts', environment: 'node', testTimeout: 120_000, hookTimeout: 180_000, retry: 1 } as const;

/** What takes minutes, longest first; vitest by itself takes large files for long ones. */
const long = ['looks', 'realtime', 'foul-text', 'phone-outage', 'call.story'].map((name) => `/tests/e2e/${name}.test.ts`);
const placeOf = ({ moduleId }: TestSpecification): number => long.findIndex((end) => moduleId.endsWith(end));

/** Begins with what takes long: at the end nobody waits for the last file of another. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = (await super.sort(files)).filter((file) => placeOf(file) < 0);
    const first = files.filter((file) => placeOf(file) >= 0).toSorted((one, other) => placeOf(one) - placeOf(other));
    return [...first, ...others];
  }
}

/** The browser tests: real Chromium against the real embedded server, of which each file has its own; two files at a time, the timed ones alone. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...shared, name: 'e2e', include: ['tests/e2e/**/*.test.ts'], exclude: timed, maxWorkers: 2, sequence: { groupOrder: 0 } } },
      { test: { ...shared, name: 'e2e timed', include: timed, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
