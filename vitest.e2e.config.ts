import { defineConfig } from 'vitest/config';

/** The browser tests: real Chromium against the real embedded server; one after another, they share the two cores. */
export default defineConfig({
  test: { name: 'e2e', include: ['tests/e2e/**/*.test.ts'], environment: 'node', testTimeout: 120_000, hookTimeout: 180_000, fileParallelism: false },
});
