import type { LastDialledCommand, LastDialledReport } from '#machines/phone/ports.ts';
import type { KeyValueStore } from '../storage.ts';

const entryOf = (own: string): string => `lastDialled.${own}`;

/** Keeps the last number that was called, for each number of one's own. */
export function openLastDialled(storage: Pick<KeyValueStore, 'read' | 'write'>, own: string, report: (event: LastDialledReport) => void) {
  const stored = storage.read(entryOf(own));
  if (typeof stored === 'string') report({ type: 'dialled.stored', number: stored });
  return {
    send: ({ number }: LastDialledCommand): void => storage.write(entryOf(own), number),
    close: (): void => undefined,
  };
}
