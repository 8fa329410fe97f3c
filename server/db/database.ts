import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { Reserve } from './reserve.ts';
import type * as schema from './schema/index.ts';

interface Rows<T> {
  rows: T[];
}
interface AnyRows extends PgQueryResultHKT {
  type: Rows<this['row']>;
}
/** The database as all of the server sees it: embedded or PostgreSQL, and inside a transaction, it is the same type. */
export type Db = PgDatabase<AnyRows, typeof schema>;

/**
 * Hears the lines that are announced on a channel, in order; `gap` is called when some may have been missed. Answers how
 * to stop listening.
 */
export type Listen = (channel: string, heard: (line: string) => void, gap: () => void) => Promise<() => Promise<void>>;

/** An open database, the way to listen to it and the way to let go of it. */
export interface OpenDatabase {
  db: Db;
  listen: Listen;
  /** Space put aside for a full disk; PostgreSQL has its own disk and its own keepers. */
  reserve?: Reserve;
  close: () => Promise<void>;
}

const priorities = new WeakMap<Db, Db>();
/** Gives a database a second handle, whose statements go before those that wait. */
export const prioritize = (db: Db, priority: Db): void => void priorities.set(db, priority);
/** The database for single statements that must not wait behind a crowd's; PostgreSQL has connections enough, a transaction is past waiting. */
export const priorityOf = (db: Db): Db => priorities.get(db) ?? db;
