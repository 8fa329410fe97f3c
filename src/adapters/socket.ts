import type { SocketCommand, SocketReport } from '#machines/realtime/realtime.machine.ts';
import { readServerFrame, type ServerWord } from '#models/realtime.ts';
import type { TokenStore } from './token-store.ts';

/** What one connection needs of the world. */
export interface SocketDeps {
  /** `ws://host/api/v0/ws` or `wss://…`, without the token. */
  address: string;
  tokens: Pick<TokenStore, 'read'>;
  /** Is this the token that is at fault? A browser does not tell why a connection was refused. */
  isDead: (token: string) => Promise<boolean>;
  now: () => number;
  /** A number from 0 to 1. */
  chance: () => number;
  /** Does a piece of work with the next picture drawn; at once while nothing is drawn. */
  withNextPicture: (work: () => void) => void;
}

/** One connection: what it is told, and how it is given up. */
export interface Socket {
  obey: (command: SocketCommand) => void;
  stop: () => void;
}

const signedOut = 4401;
const overrun = 4000;
/** So many words are handed over with one picture; the rest follows with the next. */
const atOnce = 250;
/** A page that is so far behind reads anew instead. */
const mostWaiting = 20_000;

/** Hands over what was heard, with each picture all of it. */
function batches({ withNextPicture }: SocketDeps, hand: (words: readonly ServerWord[]) => void) {
  let waiting: ServerWord[] = [];
  let planned = false;
  const flush = (): void => {
    planned = false;
    if (waiting.length === 0) return;
    const words = waiting.slice(0, atOnce);
    waiting = waiting.slice(atOnce);
    if (waiting.length > 0) plan();
    hand(words);
  };
  const plan = (): void => {
    if (planned) return;
    planned = true;
    withNextPicture(flush);
  };
  return {
    add(word: ServerWord): boolean {
      waiting.push(word);
      plan();
      return waiting.length <= mostWaiting;
    },
    drop: () => void (waiting = []),
  };
}

/** Says of the first frame that cannot be read that it was dropped; of others nobody hears. */
function warningOnce(): () => void {
  let isWarned = false;
  return () => {
    if (!isWarned) console.warn('The realtime channel carried a frame that cannot be read; it and others like it are dropped.');
    isWarned = true;
  };
}

/** Opens a connection with the token as it stands now, and reports what becomes of it until it is stopped. */
export function openSocket(deps: SocketDeps, report: (fact: SocketReport) => void): Socket {
  const { address, tokens, now, chance } = deps;
  const token = tokens.read()?.token ?? '';
  const ws = new WebSocket(`${address}?access_token=${encodeURIComponent(token)}`);
  const moment = () => ({ at: new Date(now()).toISOString(), chance: chance() });
  let stopped = false;
  let opened = false;
  const unreadable = warningOnce();
  const heard = batches(deps, (words) => !stopped && report({ type: 'socket.heard', words, at: moment().at }));

  const refused = (): void => report({ type: 'socket.refused', spent: (tokens.read()?.token ?? token) !== token, ...moment() });
  const closed = async (code: number): Promise<void> => {
    const dead = code === signedOut || (!opened && (await deps.isDead(token)));
    if (stopped) return;
    if (dead) refused();
    else report({ type: 'socket.closed', code, ...moment() });
  };
  ws.addEventListener('open', () => {
    opened = true;
    if (!stopped) report({ type: 'socket.opened', at: moment().at });
  });
  ws.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (stopped) return;
    const word = readServerFrame(data);
    if (!word) unreadable();
    else if (!heard.add(word)) ws.close(overrun);
  });
  ws.addEventListener('close', ({ code }) => {
    if (!stopped) void closed(code);
  });

  return {
    obey({ frames }) {
      if (ws.readyState === WebSocket.OPEN) for (const frame of frames) ws.send(JSON.stringify(frame));
    },
    stop() {
      stopped = true;
      heard.drop();
      ws.close();
    },
  };
}

/** With the next picture; a page that nobody looks at draws none, and does it at once. */
export function withNextPicture(work: () => void): void {
  if (document.hidden) return queueMicrotask(work);
  let done = false;
  const once = (): void => {
    if (done) return;
    done = true;
    work();
  };
  requestAnimationFrame(once);
  // The page may be hidden before the picture is drawn.
  setTimeout(once, 250);
}

const timeout = 5_000;

/** Asks the channel over plain HTTP whether it would take this token; no answer is no refusal. */
export async function isDeadToken(channel: string, token: string): Promise<boolean> {
  try {
    const { status } = await fetch(channel, { headers: { Authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(timeout) });
    return status === 401;
  } catch {
    return false;
  }
}
