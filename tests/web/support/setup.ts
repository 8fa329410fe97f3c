import { beforeEach, expect } from 'vitest';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

// The library takes a fifth of a second to load: only tests that draw something have it.
// oxlint-disable-next-line vitest/no-standalone-expect -- it says which file this is
if (expect.getState().testPath?.endsWith('.tsx')) await import('./drawing.ts');
