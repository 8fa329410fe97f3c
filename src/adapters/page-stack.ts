import type { PageShown } from '#machines/workspace/pages.ts';
import type { KeyValueStore } from './storage.ts';

/** Where the stack of open pages waits over a reload, and over a session that ended: in this tab, for its person. */
export interface PageStore {
  recall: () => readonly PageShown[];
  store: (pages: readonly PageShown[]) => void;
  /** Forgets the stack of the present person; on signing out. */
  forget: () => void;
}

const kinds: readonly unknown[] = ['list', 'add', 'edit', 'view', 'other'] satisfies PageShown['kind'][];
const isPage = (value: unknown): value is PageShown =>
  typeof value === 'object' && value !== null && 'path' in value && typeof value.path === 'string' && 'kind' in value && kinds.includes(value.kind);

/** Opens the stack of whoever `person` says is signed in; nobody is led back to another person's pages. */
export function openPageStack(storage: KeyValueStore, person: () => string | null): PageStore {
  const key = (): string => `pages.${person() ?? 'nobody'}`;
  return {
    recall() {
      const pages = storage.read(key());
      return Array.isArray(pages) && pages.every(isPage) ? pages : [];
    },
    store: (pages) => storage.write(key(), pages),
    forget: () => storage.remove(key()),
  };
}
