import type { MessageDraft, Outgoing, Unsent } from '#machines/conversations/outgoing.ts';
import type { KeyValueStore } from './storage.ts';

/** Messages and drafts that wait on this device, each person's by themselves. */
interface UnsentStore {
  recall: () => Unsent;
  saveOutgoing: (outgoing: Outgoing) => void;
  forgetOutgoing: (sent: { client_id: string }) => void;
  saveDraft: (change: { conversation: string; draft: MessageDraft }) => void;
}

const isOutgoing = (value: unknown): value is Outgoing =>
  typeof value === 'object' && value !== null && 'client_id' in value && 'conversation' in value && 'text' in value && 'at' in value;

const isDraft = (value: unknown): value is MessageDraft => typeof value === 'object' && value !== null && 'text' in value && 'pictures' in value;
/** Messages outlive the tab: another one sends them too, and they count once. Drafts go with the tab, and with signing out like all drafts. */
export function openUnsent(lasting: KeyValueStore, tab: KeyValueStore, person: () => string | null): UnsentStore {
  const messages = (): string => `unsent.${person() ?? 'nobody'}.`;
  const drafts = (): string => `draft.${person() ?? 'nobody'}.conversation.`;
  const below = (store: KeyValueStore, prefix: string): string[] => store.keys().filter((key) => key.startsWith(prefix));
  return {
    recall: () => ({
      outgoing: below(lasting, messages())
        .map((key) => lasting.read(key))
        .filter(isOutgoing)
        // What an earlier console wrote has no pictures.
        .map((one) => ({ ...one, pictures: one.pictures ?? [], problem: null }))
        .toSorted((one, other) => one.at - other.at),
      drafts: Object.fromEntries(
        below(tab, drafts()).flatMap((key) => {
          const draft = tab.read(key);
          return isDraft(draft) ? [[key.slice(drafts().length), draft]] : [];
        }),
      ),
    }),
    saveOutgoing: (one) => lasting.write(messages() + one.client_id, one),
    forgetOutgoing: ({ client_id }) => lasting.remove(messages() + client_id),
    saveDraft: ({ conversation, draft }) => {
      const key = drafts() + conversation;
      if (draft.text === '' && draft.pictures.length === 0) tab.remove(key);
      else tab.write(key, draft);
    },
  };
}
