import { describe, expect, it, vi } from 'vitest';
import { openLastAnswers } from '#src/adapters/last-answers.ts';

const seenAt = '2026-03-09T08:00:00.000Z';

/** The browser's caches, as far as they are used. */
function memoryCaches() {
  const stores = new Map<string, Map<string, Response>>();
  const storeOf = (name: string) => stores.get(name) ?? stores.set(name, new Map()).get(name);
  const caches = {
    open: async (name: string) => ({
      put: async (path: string, answer: Response) => void storeOf(name)?.set(path, answer),
      keys: async () => [...(storeOf(name)?.keys() ?? [])],
      delete: async (path: string) => storeOf(name)?.delete(path) ?? false,
    }),
    match: async (path: string, { cacheName }: { cacheName: string }) => stores.get(cacheName)?.get(path)?.clone(),
    delete: async (name: string) => stores.delete(name),
  };
  return { caches: caches as unknown as CacheStorage, count: () => [...stores.values()].reduce((sum, store) => sum + store.size, 0) };
}

function open({ remembered = true } = {}) {
  const { caches, count } = memoryCaches();
  const session = { remembered };
  const waiting: (() => void)[] = [];
  const answers = openLastAnswers({
    caches,
    isRemembered: () => session.remembered,
    now: () => Date.parse(seenAt),
    later: (work) => waiting.push(work),
  });
  const idle = async (): Promise<void> => {
    for (const work of waiting.splice(0)) work();
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  return { answers, session, idle, count };
}

describe('answers kept for when the server is away', () => {
  it('are put away once the page is idle, and read with the time they were seen at', async () => {
    const { answers, idle } = open();
    answers.save('/conversations?of=own', { data: [1] });
    expect(await answers.read('/conversations?of=own')).toBeNull();
    await idle();
    expect(await answers.read('/conversations?of=own')).toEqual({ body: { data: [1] }, seenAt });
    expect(await answers.read('/conversations')).toBeNull();
  });

  it('are those of a session that outlives the tab: no other keeps or reads any', async () => {
    const { answers, session, idle, count } = open({ remembered: false });
    answers.save('/profile', { id: 'a' });
    await idle();
    expect(count()).toBe(0);
    session.remembered = true;
    answers.save('/profile', { id: 'a' });
    await idle();
    session.remembered = false;
    expect(await answers.read('/profile')).toBeNull();
  });

  it('go with the session, also those about to be put away', async () => {
    const { answers, idle, count } = open();
    answers.save('/profile', { id: 'a' });
    await idle();
    answers.save('/conversations', { data: [] });
    answers.forget();
    await idle();
    expect(count()).toBe(0);
    expect(await answers.read('/profile')).toBeNull();
  });

  it('are at most 120, the newest, and none is very long', async () => {
    const { answers, idle, count } = open();
    for (let at = 0; at < 130; at += 1) {
      answers.save(`/notifications?offset=${at}`, { data: at });
      await idle();
    }
    answers.save('/conversations/long', { data: 'x'.repeat(500_000) });
    await idle();
    expect(count()).toBe(120);
    expect(await answers.read('/notifications?offset=9')).toBeNull();
    expect((await answers.read('/notifications?offset=10'))?.body).toEqual({ data: 10 });
    expect(await answers.read('/conversations/long')).toBeNull();
  });

  it('are missing quietly where the browser has no place for them', async () => {
    const answers = openLastAnswers({ caches: undefined, isRemembered: () => true, now: Date.now, later: vi.fn<(work: () => void) => void>() });
    answers.save('/profile', {});
    answers.forget();
    expect(await answers.read('/profile')).toBeNull();
  });
});
