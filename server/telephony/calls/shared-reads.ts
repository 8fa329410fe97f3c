import type { Db } from '#server/db/open.ts';

/** What is being read at this moment, by database and by what is asked. */
const underWay = new WeakMap<Db, Map<string, Promise<unknown>>>();

/**
 * Reads something for everybody who asks the same at the same moment: fifty panels that call one desk at once have it looked up once,
 * not fifty times in a row. Nothing is kept: whoever asks after the answer came reads anew. `question` says all that the answer depends on.
 */
export function readTogether<T>(db: Db, question: readonly unknown[], read: () => Promise<T>): Promise<T> {
  const reads = underWay.get(db) ?? new Map<string, Promise<unknown>>();
  underWay.set(db, reads);
  const key = JSON.stringify(question);
  const before = reads.get(key);
  if (before) return before as Promise<T>;
  const made = read().finally(() => reads.delete(key));
  reads.set(key, made);
  return made;
}
