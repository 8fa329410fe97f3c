import { type SQLWrapper, sql } from 'drizzle-orm';
import type { EventName, EventPayload } from '#models/realtime.ts';
import type { Db } from '../db/database.ts';
import { queueing, type WebhookMessage, waking } from '../integrations/queue.ts';

/** The one channel of the database that all server processes listen to. */
export const channel = 'doorward';

/** Who calls: the person, if it is one; the groups down to where they are; all groups they belong to, with those above. */
export interface Caller {
  userId: string | null;
  place: readonly { id: string; name: string }[];
  paths: readonly string[];
}

/** Who took a call: the person, if it is one; all groups they belong to, with those above. */
export interface Taker {
  userId: string | null;
  paths: readonly string[];
}

/** An event on its way to the subscribers of a topic within a project. */
export interface Announced {
  project: string;
  topic: string;
  name: EventName;
  payload: Record<string, unknown>;
  /** The rows are new: nobody can have seen them before. */
  fresh?: boolean;
  /** Of a call: who calls and who took it, for those listeners who are no end of it and are told only what they may know. */
  ends?: { caller: Caller; taker: Taker };
}
/** People whose session or rights may have changed: their connections are looked at again. */
export interface Recheck {
  project: string;
  users: readonly string[];
}
/** Somebody edits a row, still does, or does no more; `line` is their connection. */
export interface EditorWord {
  project: string;
  /** Area and id of the row. */
  row: string;
  line: string;
  editor: { id: string; name: string };
  state: 'here' | 'gone';
}
export type Message = Announced | Recheck | EditorWord;

/** PostgreSQL refuses a notification of 8,000 bytes. */
const mostBytes = 7_500;
/** More rows than this are told as "any row may have changed": an empty list. */
const mostIds = 1_000;

/** A message in pieces that fit: a long list of ids is cut, nothing else is ever that long. */
function pieces(message: Message): string[] {
  const text = JSON.stringify(message);
  if (Buffer.byteLength(text) <= mostBytes) return [text];
  const ids = 'payload' in message ? message.payload['ids'] : undefined;
  if (!('payload' in message) || !Array.isArray(ids) || ids.length < 2)
    throw new Error('an event is too large for the channel: publish ids, not contents');
  const part = (of: unknown[]) => pieces({ ...message, payload: { ...message.payload, ids: of } });
  if (ids.length > mostIds) return part([]);
  const half = Math.ceil(ids.length / 2);
  return [...part(ids.slice(0, half)), ...part(ids.slice(half))];
}

/** Sends messages with the transaction they are given: they arrive if it commits, on every server process, in this order. */
export async function announce(db: Db, messages: readonly Message[]): Promise<void> {
  const texts = messages.flatMap(pieces);
  if (texts.length === 0) return;
  await db.execute(sql`select pg_notify(${channel}, line) from json_array_elements_text(${JSON.stringify(texts)}::json) as line`);
}

const changedAny = sql`exists (select from changed)`;

/**
 * Makes a change and sends messages if it changed any row: one statement, so both or neither, without the four turns of a transaction.
 * `change` returns the rows; `webhook`: the message that webhooks get then. @returns whether it changed any
 */
export async function announceWith(db: Db, change: SQLWrapper, messages: readonly Message[], webhook?: WebhookMessage): Promise<boolean> {
  const [queue, wake] = webhook ? [sql`, ${queueing(webhook, changedAny)}`, sql`union all (${waking})`] : [sql``, sql``];
  const { rows } = await db.execute(sql`with changed as ${change}${queue}
    select pg_notify(${channel}, line) from json_array_elements_text(${JSON.stringify(messages.flatMap(pieces))}::json) as line
    where ${changedAny} ${wake}`);
  return rows.length > 0;
}

/**
 * Publishes an event to the subscribers of a topic within a project. Give it the transaction that makes the change: the
 * event is told only if that commits, by every server process. Small payloads only; a long list `ids` goes in several events.
 */
export function publish<N extends EventName>(db: Db, projectId: string, topic: string, name: N, payload: EventPayload<N>): Promise<void> {
  return announce(db, [{ project: projectId, topic, name, payload }]);
}
