import { defineConfig } from 'vitest/config';
import { longestFirst } from './tests/support/longest-first.ts';

/** Where whole servers are started, or time has to pass. */
const long = ['simulator', 'simulator-stage', 'panel-demo', 'simulate-process', 'devices-process', 'platform-process', 'realtime-process'].map(
  (name) => `/server/${name}.test.ts`,
);

export default defineConfig({
  test: {
    sequence: { sequencer: longestFirst(long) },
    // Of two cores vitest, left to itself, keeps one for nobody. Server tests wait half of their time: three share two cores well.
    projects: [
      {
        test: {
          name: 'server',
          include: ['tests/server/**/*.test.ts'],
          environment: 'node',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'core',
          include: ['tests/{models,machines,house}/**/*.test.ts'],
          environment: 'node',
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: { name: 'web', include: ['tests/web/**/*.test.{ts,tsx}'], environment: 'happy-dom', maxWorkers: 2, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
