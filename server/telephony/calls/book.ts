import { setImmediate as turn } from 'node:timers/promises';
import { and, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import type { ServerCall, ServerCallStatus } from '#models/call.ts';
import { topics } from '#models/realtime.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/open.ts';
import { calls } from '#server/db/schema/index.ts';
import { announce, type Announced, announceWith } from '#server/realtime/publish.ts';
import { Lane } from './lane.ts';
import type { CallEnd } from './words.ts';

type KeptCall = typeof calls.$inferSelect;

const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1_000);

/** Where the caller is, from the highest group down, as people read it. */
const place = sql<string | null>`(select string_agg(g.name, ' · ' order by cardinality(g.path)) from groups g, groups place
  where place.id = "calls"."caller_domain_id" and g.id = any(place.path))`;
const person = sql<string | null>`(select u.name from users u where u.id = "calls"."caller_user_id")`;

/** Of a call's row what consoles are told. */
type Told = Pick<
  KeptCall,
  | 'id'
  | 'projectId'
  | 'callerNumber'
  | 'callerName'
  | 'callerUserId'
  | 'calleeNumber'
  | 'type'
  | 'status'
  | 'sos'
  | 'answeredBy'
  | 'createdAt'
  | 'updatedAt'
  | 'endReason'
>;

const shape = (call: Told, group: string | null, user: string | null): ServerCall => ({
  id: call.id,
  caller: call.callerNumber,
  callee: call.calleeNumber,
  type: call.type,
  status: call.status,
  answered_by: call.answeredBy,
  created_at: secondsOf(call.createdAt),
  updated_at: secondsOf(call.updatedAt),
  info: { address: group, user: call.callerUserId && user ? { id: call.callerUserId, name: user } : null },
  sos: call.sos,
  caller_name: call.callerName,
  group,
  end_reason: call.endReason,
});

/** Calls as the console is told of them: SOS first, then the oldest. */
export async function readCalls(db: Db, condition: SQL | undefined): Promise<ServerCall[]> {
  const rows = await db
    .select({ call: calls, group: place, user: person })
    .from(calls)
    .where(condition)
    .orderBy(sql`${calls.sos} desc`, calls.createdAt, calls.id);
  return rows.map(({ call, group, user }) => shape(call, group, user));
}

/** Live calls. */
export const isLive: SQL = ne(calls.status, 'destroyed');

/** What a call's row begins with. */
export type NewCall = Omit<typeof calls.$inferInsert, keyof Told> & Omit<Told, 'answeredBy' | 'endReason'>;

/**
 * Keeps the row of one call and tells everybody concerned of each change, in the order of the changes: one after the other, each in
 * one statement. What the row says of the call is known here, for nobody else changes that while the call lives.
 */
export class Book {
  readonly #services: Services;
  readonly #id: string;
  readonly #listeners: () => readonly string[];
  readonly #lane: Lane;
  readonly #line = new Lane();
  /** The row as it was written last, and where the caller is; null until there is one. */
  #row: Told | null = null;
  #place: string | null = null;

  /** `listeners`: the numbers whose topics hear of the call. `lane`: where what nobody waits to talk for takes its turn. */
  constructor(services: Services, id: string, lane: Lane, listeners: () => readonly string[]) {
    this.#services = services;
    this.#id = id;
    this.#lane = lane;
    this.#listeners = listeners;
  }

  /** What nobody waits to talk for. */
  #write(work: () => Promise<void>): Promise<void> {
    return this.#line.run(() => this.#lane.run(work));
  }

  /** Writes the first row. `at`: where the caller is, in words. */
  open(call: NewCall, at: string | null): Promise<void> {
    return this.#write(async () => {
      const { db } = this.#services;
      const row: Told = { ...call, answeredBy: null, endReason: null };
      await announceWith(db, db.insert(calls).values(call).returning({ id: calls.id }), this.#words(row, at));
      [this.#row, this.#place] = [row, at];
    });
  }

  /** Where the call stands now; one that is over stays so. */
  status(status: Exclude<ServerCallStatus, 'answered' | 'destroyed'>): Promise<void> {
    const free = status === 'waiting' ? { answeredBy: null, answeredByName: null, answeredByUserId: null } : {};
    return this.#change({ status, ...free });
  }

  /**
   * Takes the call for a number unless somebody has it or it is over: one compare-and-set, for whose answer two people wait. It is told of
   * right after. @returns whether it was the first
   */
  async claim(number: string, type: KeptCall['type'] | null): Promise<boolean> {
    const won = await this.#line.run(() => this.#take(number, type));
    if (won) this.#write(() => this.#tellLater(won)).catch((error: unknown) => this.#untold(error));
    return won !== null;
  }
  /** After those who wait to talk: the embedded database works in the same thread. */
  async #tellLater(row: Told): Promise<void> {
    await turn();
    await announce(this.#services.db, this.#words(row));
  }
  async #take(number: string, type: KeptCall['type'] | null): Promise<Told | null> {
    const at = this.#services.now();
    const won = await this.#services.db
      .update(calls)
      .set({
        status: 'answered',
        answeredBy: number,
        answeredByName: sql`(select coalesce(u.name, d.name, n.name) from sip_numbers n left join users u on u.id = n.user_id
              left join devices d on d.id = n.device_id where n.number = ${number})`,
        answeredByUserId: sql`(select n.user_id from sip_numbers n where n.number = ${number})`,
        answeredAt: sql`coalesce(${calls.answeredAt}, ${at.toISOString()}::timestamptz)`,
        updatedAt: at,
        ...(type && { type }),
      })
      .where(and(eq(calls.id, this.#id), inArray(calls.status, ['new', 'calling', 'waiting', 'answered_waiting'])))
      .returning({ id: calls.id });
    if (won.length === 0 || !this.#row) return null;
    return (this.#row = { ...this.#row, status: 'answered', answeredBy: number, updatedAt: at, ...(type && { type }) });
  }
  /** Whoever was not told reads the calls again after their next gap. */
  #untold(error: unknown): void {
    this.#services.log.warn({ err: error, call: this.#id }, 'nobody could be told of a call');
  }

  /** The call is history from now on. */
  end({ status, reason }: CallEnd): Promise<void> {
    return this.#change({ status: 'destroyed', historyStatus: status, endReason: reason, endedAt: this.#services.now() });
  }

  /** Everything is written. */
  settled(): Promise<unknown> {
    return this.#line.run(() => Promise.resolve());
  }

  /** Changes the row of a call that is not over. */
  #change(columns: Partial<KeptCall>): Promise<void> {
    return this.#write(async () => {
      if (!this.#row) return;
      const { db, now } = this.#services;
      const changed = { ...columns, updatedAt: now() };
      const row: Told = { ...this.#row, ...changed };
      const change = db
        .update(calls)
        .set(changed)
        .where(and(eq(calls.id, this.#id), isLive))
        .returning({ id: calls.id });
      if (await announceWith(db, change, this.#words(row))) this.#row = row;
    });
  }

  #words(row: Told, at: string | null = this.#place): Announced[] {
    return wordsOf(row, at, row.callerUserId && row.callerName, this.#listeners());
  }
}

/** What is said of a call as it stands: to those who listen on its numbers and on these, and to the lists of the history that it changed. */
function wordsOf(row: Told, group: string | null, user: string | null, numbers: readonly string[]): Announced[] {
  const call = shape(row, group, user);
  const project = row.projectId;
  const told = [...new Set([row.callerNumber, row.calleeNumber, ...(row.answeredBy ? [row.answeredBy] : []), ...numbers])];
  const listed = {
    project,
    topic: topics.area('call-history'),
    name: 'RowsChanged',
    payload: { area: 'call-history', ids: [row.id] },
    fresh: false,
  } as const;
  return [
    ...told.map((number): Announced => ({ project, topic: topics.calls(number), name: 'CallUpdated', payload: { call } })),
    ...(call.status === 'destroyed' ? [listed] : []),
  ];
}

/** Tells those who listen on the numbers of a call how it stands, and the lists of the history that it changed. */
export async function tellOf(tx: Db, id: string): Promise<void> {
  const [row] = await tx.select({ call: calls, group: place, user: person }).from(calls).where(eq(calls.id, id));
  if (row) await announce(tx, wordsOf(row.call, row.group, row.user, []));
}
