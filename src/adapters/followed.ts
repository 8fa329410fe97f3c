import type { KeyValueStore } from './storage.ts';

/** A remembered value that others can follow. */
export interface Remembered<T> {
  get: () => T;
  set: (value: T) => void;
  follow: (heard: () => void) => () => void;
}

/** Remembers one value in a drawer; what does not read as a value of its kind counts as never chosen. */
export function remembered<T>(storage: KeyValueStore, key: string, readAs: (stored: unknown) => T): Remembered<T> {
  const listeners = new Set<() => void>();
  let value = readAs(storage.read(key));
  return {
    get: () => value,
    set(next) {
      value = next;
      storage.write(key, next);
      for (const heard of listeners) heard();
    },
    follow(heard) {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
  };
}
