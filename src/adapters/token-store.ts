import { freshId } from './clock.ts';
import type { KeyValueStore } from './storage.ts';

/** The pair of one session: secrets, held here and in the header of requests only. */
export interface Tokens {
  token: string;
  refresh: string;
}

/** Where the session's tokens live. */
export interface TokenStore {
  read: () => Tokens | null;
  /** Keeps a new session: for all tabs and restarts when `remember`, else for this tab only. */
  store: (tokens: Tokens, remember: boolean) => void;
  /** The key under which the present pair is exchanged: the same one, over reloads too, until a new pair is here. */
  exchangeKey: () => string;
  /** Puts a refreshed pair where the old one is, and hands it to tabs that hold the same session. */
  replace: (tokens: Tokens) => void;
  /** Puts the pair of another session where the present one is: this tab goes on in another project. */
  exchange: (tokens: Tokens) => void;
  /** Whether the session is that of all tabs, and not this one's alone. */
  isShared: () => boolean;
  /** Keeps for this tab what may be chosen among before a session is kept. */
  saveChoices: (choices: unknown) => void;
  choices: () => unknown;
  /** Forgets the session on this device and in this tab. */
  clear: () => void;
}

/** The part of BroadcastChannel that is used. */
export interface Channel {
  postMessage: (message: unknown) => void;
  onmessage: ((event: MessageEvent) => void) | null;
}

const key = 'session';
const choicesKey = 'choices';
const isTokens = (value: unknown): value is Tokens =>
  typeof value === 'object' &&
  value !== null &&
  'token' in value &&
  'refresh' in value &&
  typeof value.token === 'string' &&
  typeof value.refresh === 'string';

/** The key kept beside a pair, made where none is yet; a new pair is kept without. */
function exchangeKeyIn(storage: KeyValueStore): string {
  const held = storage.read(key) as { exchange?: unknown } | null;
  if (typeof held?.exchange === 'string') return held.exchange;
  const exchange = freshId();
  if (held) storage.write(key, { ...held, exchange });
  return exchange;
}

/** Opens the store over the two kinds of storage; `channel` carries refreshed pairs to duplicates of this tab, `onEnd` is called whenever a session gives way. */
export function openTokenStore(local: KeyValueStore, tab: KeyValueStore, channel: Channel, onEnd: () => void = () => {}): TokenStore {
  const readIn = (storage: KeyValueStore): Tokens | null => {
    const value = storage.read(key);
    return isTokens(value) ? { token: value.token, refresh: value.refresh } : null;
  };
  const read = (): Tokens | null => readIn(tab) ?? readIn(local);
  const clear = (): void => {
    tab.remove(choicesKey);
    tab.remove(key);
    local.remove(key);
    onEnd();
  };

  // A duplicated tab has a copy of the session in a storage of its own: it must follow the rotation, or it would use a spent token.
  channel.onmessage = ({ data }: MessageEvent) => {
    const { from, tokens } = (data ?? {}) as { from?: unknown; tokens?: unknown };
    if (isTokens(tokens) && readIn(tab)?.refresh === from) tab.write(key, tokens);
  };

  return {
    read,
    clear,
    store(tokens, remember) {
      clear();
      (remember ? local : tab).write(key, tokens);
    },
    exchange(tokens) {
      (readIn(tab) ? tab : local).write(key, tokens);
      onEnd();
    },
    exchangeKey: () => exchangeKeyIn(readIn(tab) ? tab : local),
    isShared: () => readIn(tab) === null,
    saveChoices: (choices) => tab.write(choicesKey, choices),
    choices: () => tab.read(choicesKey),
    replace(tokens) {
      const from = read()?.refresh;
      (readIn(tab) ? tab : local).write(key, tokens);
      channel.postMessage({ from, tokens });
    },
  };
}
