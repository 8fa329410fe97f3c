import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchPart } from '#src/components/lazy-part.ts';

const gone = new TypeError('Failed to fetch dynamically imported module');
const health = vi.fn<() => Promise<Response>>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', health);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  health.mockReset();
});

describe('a part of the console that cannot be fetched', () => {
  it('is waited for while the server does not answer, and is there when it does', async () => {
    health.mockRejectedValue(new TypeError('Failed to fetch'));
    const load = vi.fn<() => Promise<string>>().mockRejectedValue(gone);
    const part = fetchPart(load);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(load.mock.calls.length).toBeGreaterThan(5);
    load.mockResolvedValue('the part');
    await vi.advanceTimersByTimeAsync(8_000);
    expect(await part).toBe('the part');
  });

  it('is not waited for where the server is there and it is not: a newer version has replaced it', async () => {
    health.mockResolvedValue(new Response('ok'));
    const load = vi.fn<() => Promise<string>>().mockRejectedValue(gone);
    const failure = fetchPart(load).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await failure).toBe(gone);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('takes a gateway that stands in for the server for nobody', async () => {
    health.mockResolvedValue(new Response('bad gateway', { status: 502 }));
    const load = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(gone)
      .mockRejectedValueOnce(gone)
      .mockRejectedValueOnce(gone)
      .mockResolvedValue('the part');
    const part = fetchPart(load);
    await vi.advanceTimersByTimeAsync(8_000);
    expect(await part).toBe('the part');
  });
});
