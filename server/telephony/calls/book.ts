import { setImmediate as turn } from 'node:timers/promises';
import { and, eq, getTableColumns, inArray, ne, type SQL, sql } from 'drizzle-orm';
import type { ServerCall, ServerCallStatus } from '#models/call.ts';
import { topics } from '#models/realtime.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/open.ts';
import { calls } from '#server/db/schema/index.ts';
import { announce } from '#server/realtime/publish.ts';
import type { CallEnd } from './words.ts';

export type KeptCall = typeof calls.$inferSelect;
export type NewCall = typeof calls.$inferInsert;

const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1_000);

/** Where the caller is, from the highest group down, as people read it. */
const place = sql<string | null>`(select string_agg(g.name, ' · ' order by cardinality(g.path)) from groups g, groups place
  where place.id = "calls"."caller_domain_id" and g.id = any(place.path))`;
const person = sql<string | null>`(select u.name from users u where u.id = "calls"."caller_user_id")`;

/** A call's row with what a console shows of it, as a write answers it. */
const whole = { ...getTableColumns(calls), place, person };
type Written = KeptCall & { place: string | null; person: string | null };

const shape = (call: KeptCall, group: string | null, user: string | null): ServerCall => ({
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

/**
 * Keeps the row of one call and tells everybody concerned of each change, in the order of the changes: one after the other, each in
 * a transaction of its own.
 */
export class Book {
  readonly #services: Services;
  readonly #id: string;
  readonly #listeners: () => readonly string[];
  #line: Promise<unknown> = Promise.resolve();

  /** `listeners`: the numbers whose topics hear of the call. */
  constructor(services: Services, id: string, listeners: () => readonly string[]) {
    this.#services = services;
    this.#id = id;
    this.#listeners = listeners;
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#line.then(work);
    this.#line = next.catch(() => undefined);
    return next;
  }

  open(call: NewCall): Promise<void> {
    return this.#queue(async () => {
      await this.#services.db.transaction(async (tx) => {
        const [written] = await tx.insert(calls).values(call).returning(whole);
        await this.#tell(tx, written, true);
      });
    });
  }

  /** Where the call stands now; one that is over stays so. */
  status(status: Exclude<ServerCallStatus, 'answered' | 'destroyed'>): Promise<void> {
    const free = status === 'waiting' ? { answeredBy: null, answeredByName: null, answeredByUserId: null } : {};
    return this.#change({ status, ...free }, isLive);
  }

  /**
   * Takes the call for a number unless somebody has it or it is over: one compare-and-set, for whose answer two people wait. It is told of
   * right after, in a transaction of its own. @returns whether it was the first
   */
  async claim(number: string, type: KeptCall['type'] | null): Promise<boolean> {
    const won = await this.#queue(() => this.#take(number, type));
    if (won) this.#queue(() => this.#tellLater(won)).catch((error: unknown) => this.#untold(error));
    return won !== undefined;
  }
  /** After those who wait to talk: the embedded database works in the same thread. */
  async #tellLater(written: Written): Promise<void> {
    await turn();
    await this.#services.db.transaction((tx) => this.#tell(tx, written));
  }
  async #take(number: string, type: KeptCall['type'] | null): Promise<Written | undefined> {
    const at = this.#services.now();
    const [won] = await this.#services.db
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
      .returning(whole);
    return won;
  }
  /** Whoever was not told reads the calls again after their next gap. */
  #untold(error: unknown): void {
    this.#services.log.warn({ err: error, call: this.#id }, 'nobody could be told of a call');
  }

  /** The call is history from now on. */
  end({ status, reason }: CallEnd): Promise<void> {
    const at = this.#services.now();
    return this.#change({ status: 'destroyed', historyStatus: status, endReason: reason, endedAt: at }, isLive);
  }

  /** Everything is written. */
  settled(): Promise<unknown> {
    return this.#line;
  }

  #change(columns: Partial<NewCall>, condition: SQL): Promise<void> {
    return this.#queue(async () => {
      await this.#services.db.transaction(async (tx) => {
        const [written] = await tx
          .update(calls)
          .set({ ...columns, updatedAt: this.#services.now() })
          .where(and(eq(calls.id, this.#id), condition))
          .returning(whole);
        await this.#tell(tx, written);
      });
    });
  }

  async #tell(tx: Db, written: Written | undefined, fresh = false): Promise<void> {
    if (written) await tell(tx, written, this.#listeners(), fresh);
  }
}

async function tell(tx: Db, row: Written, numbers: readonly string[], fresh = false): Promise<void> {
  const call = shape(row, row.place, row.person);
  const project = row.projectId;
  const told = [...new Set([row.callerNumber, row.calleeNumber, ...(row.answeredBy ? [row.answeredBy] : []), ...numbers])];
  await announce(tx, [
    ...told.map((number) => ({ project, topic: topics.calls(number), name: 'CallUpdated' as const, payload: { call } })),
    ...(call.status === 'destroyed'
      ? [
          {
            project,
            topic: topics.area('call-history'),
            name: 'RowsChanged' as const,
            payload: { area: 'call-history' as const, ids: [row.id] },
            fresh,
          },
        ]
      : []),
  ]);
}

/** Tells those who listen on numbers how a call stands, and the lists of the history that it changed. */
export async function tellOf(tx: Db, id: string, numbers: readonly string[]): Promise<void> {
  const [row] = await tx.select(whole).from(calls).where(eq(calls.id, id));
  if (row) await tell(tx, row, numbers);
}
