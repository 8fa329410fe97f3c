import { afterEach, beforeEach, vi } from 'vitest';

/** Starts every test of a file in an empty browser and closes the page it opened. @returns opens a page as `open` does */
export function freshPages<Asked extends unknown[], Page extends { close: () => Promise<unknown> }>(open: (...asked: Asked) => Promise<Page>) {
  // A whole console is started for every test, beside other work on the machine.
  vi.setConfig({ testTimeout: 30_000 });
  let opened: Page | undefined;
  beforeEach(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
    vi.unstubAllGlobals();
  });
  return async (...asked: Asked): Promise<Page> => (opened = await open(...asked));
}
