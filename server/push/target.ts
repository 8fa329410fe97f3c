import { and, type Column, type SQL, sql } from 'drizzle-orm';
import type { Answered } from '../integrations/reach.ts';
import type { Push } from './recipients.ts';

/** How one try of a push was answered; `retryAfter` in ms, null where nothing is said of it. */
export interface Sent {
  status: number;
  retryAfter: number | null;
}

/** One browser or app that a push goes to. */
export interface PushTarget {
  /** Of several processes that hear the same, one sends it. @returns whether this one does */
  claim: (push: Push) => Promise<boolean>;
  /** @throws where nobody answers */
  send: (push: Push, signal: AbortSignal) => Promise<Sent>;
  /** It is not there any more. */
  forget: () => Promise<void>;
  /** Whom it is reached through, for the log. */
  readonly host: string;
}

const longestPause = 60_000;
const rememberedKeys = 20;

/**
 * Claiming a push for a row: its column `recent` keeps the keys of what was sent there last.
 * @returns what the column is set to, and on which condition: this push was not sent yet, and the one it follows was
 */
export function recentClaim(recent: Column, { key, after }: Push): { keys: SQL; isFree: SQL | undefined } {
  return {
    keys: sql`(array_append(${recent}, ${key}))[greatest(1, cardinality(${recent}) + 2 - ${rememberedKeys}):]`,
    isFree: and(sql`not ${key} = any(${recent})`, after === undefined ? undefined : sql`${after} = any(${recent})`),
  };
}

/** What an answer comes to. */
export function sentOf({ status, headers }: Answered): Sent {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return { status, retryAfter: Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1_000, longestPause) : null };
}
