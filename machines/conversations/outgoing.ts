import type { Message } from '#models/conversation-calls.ts';
import type { Problem } from '#models/problem.ts';
import type { TextPicture } from '#models/text-pictures.ts';

/** What was typed and attached, and not yet sent. */
export interface MessageDraft {
  text: string;
  /** Uploaded already. */
  pictures: readonly TextPicture[];
}
const emptyDraft: MessageDraft = { text: '', pictures: [] };

/** A message on its way: kept on this device until the server has it. */
export interface Outgoing extends MessageDraft {
  client_id: string;
  conversation: string;
  /** When it was written, in milliseconds since 1970. */
  at: number;
  /** Why the server refused it: it is not sent again by itself. */
  problem: Problem | null;
}
/** What waits on this device: messages not yet sent, and drafts, by conversation. */
export interface Unsent {
  outgoing: readonly Outgoing[];
  drafts: Readonly<Record<string, MessageDraft>>;
}

/** What is being written in a conversation. */
export const draftIn = ({ drafts }: Pick<Unsent, 'drafts'>, conversation: string): MessageDraft => drafts[conversation] ?? emptyDraft;

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
