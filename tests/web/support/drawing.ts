import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { longestWait } from '#tests/support/in-time.ts';

// The library does so by itself only where the test runner's functions are global.
afterEach(cleanup);
// It moves faked time on while it waits, by the one name it knows.
Reflect.set(globalThis, 'jest', { advanceTimersByTime: (time: number) => void vi.advanceTimersByTime(time) });

/** What is said where something is not found. The library writes the whole page down each time it looks again, which costs more than looking. */
function notFound(message: string | null, page: Element): Error {
  const error = new Error(`${message ?? ''}\n\nThe page says: ${page.textContent.slice(0, 600)}`);
  error.name = 'TestingLibraryElementError';
  return error;
}
// A whole console is drawn by many tests, beside other work on the machine: what is waited for comes late, not never.
configure({ asyncUtilTimeout: longestWait, getElementError: notFound });
