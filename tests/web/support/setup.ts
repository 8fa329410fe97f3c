import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';

// The library does so by itself only where the test runner's functions are global.
afterEach(cleanup);
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
// It moves faked time on while it waits, by the one name it knows.
Reflect.set(globalThis, 'jest', { advanceTimersByTime: (time: number) => vi.advanceTimersByTime(time) });

// A whole console is drawn by many tests, beside other work on the machine: what is waited for comes late, not never.
configure({ asyncUtilTimeout: 10_000 });
