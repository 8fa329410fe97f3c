import type { Message } from '#models/conversation-calls.ts';
import type { Problem } from '#models/problem.ts';

/** A message on its way: kept on this device until the server has it. */
export interface Outgoing {
  client_id: string;
  conversation: string;
  text: string;
  /** When it was written, in milliseconds since 1970. */
  at: number;
  /** Why the server refused it: it is not sent again by itself. */
  problem: Problem | null;
}
/** What waits on this device: messages not yet sent, and what was typed and not sent, by conversation. */
export interface Unsent {
  outgoing: readonly Outgoing[];
  drafts: Readonly<Record<string, string>>;
}

/** The first that may be sent: of one conversation none overtakes another, so what was refused holds back those behind it. */
export function nextOf(outgoing: readonly Outgoing[]): Outgoing | undefined {
  const held = new Set(outgoing.filter(({ problem }) => problem).map(({ conversation }) => conversation));
  return outgoing.find(({ conversation }) => !held.has(conversation));
}

/** Messages in order, each once, however often and in whatever order they were read. */
export function joined(known: readonly Message[], read: readonly Message[]): readonly Message[] {
  const bySeq = new Map([...known, ...read].map((message) => [message.seq, message]));
  return [...bySeq.values()].toSorted((one, other) => one.seq - other.seq);
}
