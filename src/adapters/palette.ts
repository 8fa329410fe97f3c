import type { KeyValueStore } from './storage.ts';

/** What a person used lately from the palette, on this device, by its keys alone: names are read anew. */
export interface PaletteStore {
  read: () => readonly string[];
  store: (recent: readonly string[]) => void;
}

/** Opens what is kept of the palette, for each person by themselves. */
export function openPaletteStore(storage: KeyValueStore, person: () => string | null): PaletteStore {
  const key = (): string => `palette.${person() ?? ''}`;
  return {
    read: () => {
      const stored = storage.read(key());
      return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
    },
    store: (recent) => storage.write(key(), recent),
  };
}
