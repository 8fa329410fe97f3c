import type { LastAnswers } from '#src/adapters/last-answers.ts';
import { type KeyValueStore, openStore } from '#src/adapters/storage.ts';

/** A storage of its own, as a browser would give a new tab or another profile. */
export function memoryStorage(): Storage {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    clear: () => items.clear(),
    key: (at: number) => [...items.keys()][at] ?? null,
    get length() {
      return items.size;
    },
  };
  return new Proxy(storage as Storage, {
    ownKeys: () => [...items.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
}
export const memoryStore = (storage = memoryStorage()): KeyValueStore => openStore(() => storage);

/** A browser that keeps no answers. */
export const noAnswers: LastAnswers = { save: () => {}, read: async () => null, forget: () => {} };
