import type { DraftKey, SavedDraft } from '#machines/editor/draft.ts';
import type { KeyValueStore } from './storage.ts';

const prefix = 'draft.';

/** Where unsaved drafts wait for their person to come back: in this tab, over a reload and over a session that ended. */
export interface DraftStore {
  saveDraft: (key: DraftKey, saved: SavedDraft) => void;
  forgetDraft: (key: DraftKey) => void;
  recallDraft: (key: DraftKey) => { chain: string; saved: SavedDraft | null };
  /** Forgets all drafts of the present person; on signing out. */
  forgetAll: () => void;
}

const isStored = (value: unknown): value is SavedDraft =>
  typeof value === 'object' && value !== null && 'chain' in value && 'draft' in value && 'base' in value && 'attempt' in value;

/** Opens the drafts of whoever `person` says is signed in; nobody sees another person's. */
export function openDrafts(storage: KeyValueStore, person: () => string | null, freshId: () => string): DraftStore {
  const mine = (): string => `${prefix}${person() ?? 'nobody'}.`;
  const keyOf = ({ area, id, place }: DraftKey): string => `${mine()}${area}.${id ?? 'new'}.${place}`;
  return {
    saveDraft: (key, saved) => storage.write(keyOf(key), saved),
    forgetDraft: (key) => storage.remove(keyOf(key)),
    recallDraft(key) {
      const saved = storage.read(keyOf(key));
      return isStored(saved) ? { chain: saved.chain, saved } : { chain: freshId(), saved: null };
    },
    forgetAll() {
      const own = mine();
      for (const key of storage.keys()) if (key.startsWith(own)) storage.remove(key);
    },
  };
}
