import { defineConfig } from 'vitest/config';
import { longestFirst } from './tests/support/longest-first.ts';

/** What is timed by the browser itself, so that nothing may run beside it. */
const timed = ['tests/e2e/steady.test.ts', 'tests/e2e/phone-load.test.ts', 'tests/e2e/media-outage.test.ts'];
/** What a browser does in time depends on what else the machine does: a second try tells a fault from a slow moment. */
const shared = { globalSetup: 'tests/e2e/support/seeded.ts', environment: 'node', testTimeout: 120_000, hookTimeout: 180_000, retry: 1 } as const;

/** What takes minutes. */
const long = ['looks', 'realtime', 'foul-text', 'phone-outage', 'call.story'].map((name) => `/e2e/${name}.test.ts`);

/** The browser tests: real Chromium against the real embedded server, of which each file has its own; two files at a time, the timed ones alone. */
export default defineConfig({
  test: {
    sequence: { sequencer: longestFirst(long) },
    projects: [
      { test: { ...shared, name: 'e2e', include: ['tests/e2e/**/*.test.ts'], exclude: timed, maxWorkers: 2, sequence: { groupOrder: 0 } } },
      { test: { ...shared, name: 'e2e timed', include: timed, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
