import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Left to itself, vitest keeps one of two cores for nobody.
    maxWorkers: 2,
    projects: [
      { test: { name: 'core', include: ['tests/{models,machines,house}/**/*.test.ts'], environment: 'node' } },
      { test: { name: 'web', include: ['tests/web/**/*.test.{ts,tsx}'], environment: 'happy-dom' } },
      { test: { name: 'server', include: ['tests/server/**/*.test.ts'], environment: 'node', testTimeout: 60_000, hookTimeout: 60_000 } },
    ],
  },
});
