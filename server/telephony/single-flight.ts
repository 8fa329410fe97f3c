import type { Db } from '#server/db/database.ts';

/** A reading under way, and the one that follows it for whoever asked meanwhile. */
interface Reading {
  now: Promise<unknown>;
  next: Promise<unknown> | null;
}
/** What is being read at this moment, by database and by what is asked. */
const underWay = new WeakMap<Db, Map<string, Reading>>();

/**
 * Reads something for everybody who asks the same at the same moment: fifty panels that call one desk at once have it looked up twice,
 * not fifty times in a row. Nothing is kept, and nobody is answered by a reading that had begun before they asked: those who come
 * while one is under way share the next. `question` says all that the answer depends on.
 */
export function singleFlight<T>(db: Db, question: readonly unknown[], read: () => Promise<T>): Promise<T> {
  const readings = underWay.get(db) ?? new Map<string, Reading>();
  underWay.set(db, readings);
  const key = JSON.stringify(question);
  const begin = (): Promise<T> => {
    const now = read();
    const reading: Reading = { now, next: null };
    readings.set(key, reading);
    const over = (): void => {
      if (!reading.next) readings.delete(key);
    };
    now.then(over, over);
    return now;
  };
  const running = readings.get(key);
  if (!running) return begin();
  running.next ??= running.now.then(begin, begin);
  return running.next as Promise<T>;
}
