/** A drawer of the browser's storage that never throws: where storage is barred or full, things are simply not remembered. */
export interface KeyValueStore {
  read: (key: string) => unknown;
  write: (key: string, value: unknown) => void;
  remove: (key: string) => void;
  keys: () => string[];
}

/** Opens local or session storage, all keys under a prefix of the product's own if none other is given; values are kept as JSON. */
export function openStore(storage: () => Storage, prefix = 'doorward.'): KeyValueStore {
  const attempt = <T>(act: (area: Storage) => T, otherwise: T): T => {
    try {
      return act(storage());
    } catch {
      return otherwise;
    }
  };
  return {
    read: (key) =>
      attempt<unknown>((area) => {
        const text = area.getItem(prefix + key);
        return text === null ? null : (JSON.parse(text) as unknown);
      }, null),
    write: (key, value) => attempt((area) => area.setItem(prefix + key, JSON.stringify(value)), undefined),
    remove: (key) => attempt((area) => area.removeItem(prefix + key), undefined),
    keys: () =>
      attempt(
        (area) =>
          Object.keys(area)
            .filter((key) => key.startsWith(prefix))
            .map((key) => key.slice(prefix.length)),
        [],
      ),
  };
}

/** Kept until removed, shared by all tabs. */
export const localStore = openStore(() => localStorage);
/** Kept until removed, under the very names the spec gives the local settings (B3). */
export const settingsStore = openStore(() => localStorage, '');
/** Kept as long as the tab lives. */
export const tabStore = openStore(() => sessionStorage);
