import { threadId } from 'node:worker_threads';
import { beforeEach, expect, vi } from 'vitest';

// Nothing is fetched here, so nothing has to wait for the screen; and no timer outlives the document of its file.
vi.mock('#src/adapters/first-screen.ts', () => ({ afterScreen: () => Promise.resolve() }));

// Node's own channels join all threads of a process: tabs of one file are not to hear those of another.
const Shared = globalThis.BroadcastChannel;
globalThis.BroadcastChannel = class extends Shared {
  constructor(name: string) {
    super(`${name} ${threadId}`);
  }
};

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

// The library takes a fifth of a second to load: only tests that draw something have it.
// oxlint-disable-next-line vitest/no-standalone-expect -- it says which file this is
if (expect.getState().testPath?.endsWith('.tsx')) await import('./drawing.ts');
