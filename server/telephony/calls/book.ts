import { setImmediate as turn } from 'node:timers/promises';
import { and, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import { answererOf, type ServerCall, type ServerCallStatus, type TrunkRefusal } from '#models/call.ts';
import { hasDoor } from '#models/device-models.ts';
import { topics } from '#models/realtime.ts';
import { scopeOf } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { calls } from '#server/db/schema/index.ts';
import type { WebhookMessage } from '#server/integrations/queue.ts';
import { announce, type Announced, announceWith } from '#server/realtime/publish.ts';
import { callNames } from '#server/modules/calls/names.ts';
import { addressOf } from '../places.ts';
import type { Holder, Step } from './directory.ts';
import { Semaphore } from '#server/semaphore.ts';
import type { CallEnd } from './types.ts';

type StoredCall = typeof calls.$inferSelect;

const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1_000);

/** Where the caller is, from the highest group down, and all groups the caller belongs to, with those above. */
const place = sql<Step[]>`(select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) order by cardinality(g.path)), '[]'::json)
  from groups g, groups place where place.id = "calls"."caller_domain_id" and g.id = any(place.path))`;
const paths = sql<string[]>`(select to_json(array(select distinct part from groups held, unnest(held.path) part
  where held.id = "calls"."caller_domain_id" or held.id in (select m.group_id from user_domains m where m.user_id = "calls"."caller_user_id"))))`;

/** All groups that whoever took the call belongs to, with those above. */
const takerPaths = sql<string[]>`(select to_json(array(select distinct part from groups held, unnest(held.path) part
  where held.id in (select m.group_id from user_domains m where m.user_id = "calls"."answered_by_user_id"))))`;
/** What kind of device calls; null for anybody else. */
const device = sql<{
  type: string;
  model: string | null;
} | null>`(select json_build_object('type', d.type, 'model', d.model) from devices d where d.id = "calls"."caller_device_id")`;

/** Where a caller is, all groups they belong to, and whether a door can be opened there. */
type Whereabouts = Pick<Holder, 'place' | 'paths' | 'hasDoor'>;

/** Of a call's row what consoles are told. */
type PublishedCall = Pick<
  StoredCall,
  | 'id'
  | 'projectId'
  | 'callerNumber'
  | 'callerName'
  | 'callerUserId'
  | 'calleeNumber'
  | 'calleeUserId'
  | 'type'
  | 'status'
  | 'sos'
  | 'answeredBy'
  | 'answeredByName'
  | 'answeredByUserId'
  | 'createdAt'
  | 'updatedAt'
  | 'endReason'
  | 'trunkName'
  | 'trunkStatus'
  | 'trunkReason'
>;

/** Of a call what is not the same for all it is told to: where it comes from, what its ends are called, whether the caller is known as a person. */
interface Shown {
  group: string | null;
  name: string | null;
  taker: string | null;
  isKnown: boolean;
  door: boolean;
}
const shape = (call: PublishedCall, { group, name, taker, isKnown, door }: Shown): ServerCall => ({
  id: call.id,
  caller: call.callerNumber,
  callee: call.calleeNumber,
  type: call.type,
  status: call.status,
  answered_by: call.answeredBy,
  answered_by_name: taker,
  created_at: secondsOf(call.createdAt),
  updated_at: secondsOf(call.updatedAt),
  info: { address: group, user: call.callerUserId && name && isKnown ? { id: call.callerUserId, name } : null, door },
  sos: call.sos,
  caller_name: name,
  group,
  end_reason: call.endReason,
  refusal: call.trunkName === null ? null : { trunk: call.trunkName, status: call.trunkStatus, reason: call.trunkReason },
});

/** Calls as a console is told of them: SOS first, then the oldest; who calls and from where, as far as the principal may see it. */
export async function readCalls(db: Db, principal: Principal, condition: SQL | undefined): Promise<ServerCall[]> {
  const scope = scopeOf(principal);
  // Wrapped: Drizzle takes the table off the columns of a selected expression where a statement has one table.
  const name = sql<string | null>`${callNames(scope).caller}`;
  const isKnown = sql<boolean>`(${name} is not distinct from "calls"."caller_name")`;
  const named = sql`${callNames(scope).taker}`;
  const taker = sql<string | null>`case when ${named} = "calls"."answered_by_name" then ${named} end`;
  const rows = await db
    .select({ call: calls, group: sql<string | null>`${addressOf(scope, calls.callerDomainId)}`, name, isKnown, taker, device })
    .from(calls)
    .where(condition)
    .orderBy(sql`${calls.sos} desc`, calls.createdAt, calls.id);
  return rows.map(({ call, device: from, ...shown }) => shape(call, { ...shown, door: from !== null && hasDoor(from) }));
}

/** Live calls. */
export const isLive: SQL = ne(calls.status, 'destroyed');

/** What a call's row begins with. */
export type NewCall = Omit<typeof calls.$inferInsert, keyof PublishedCall> & Omit<PublishedCall, keyof typeof unsetAtFirst>;
const unsetAtFirst = {
  answeredBy: null,
  answeredByName: null,
  answeredByUserId: null,
  endReason: null,
  trunkName: null,
  trunkStatus: null,
  trunkReason: null,
} as const;

/**
 * Keeps the row of one call and tells everybody concerned of each change, in the order of the changes: one after the other, each in
 * one statement. What the row says of the call is known here, for nobody else changes that while the call lives.
 */
export class Book {
  readonly #services: Services;
  readonly #id: string;
  readonly #listeners: () => readonly string[];
  readonly #semaphore: Semaphore;
  readonly #line = new Semaphore(1);
  /** The row as it was written last, and where the caller is; null until there is one. */
  #row: PublishedCall | null = null;
  #at: Whereabouts = { place: [], paths: [], hasDoor: false };
  #takerPaths: readonly string[] = [];

  /** `listeners`: the numbers whose topics hear of the call. `semaphore`: where what nobody waits to talk for takes its turn. */
  constructor(services: Services, id: string, semaphore: Semaphore, listeners: () => readonly string[]) {
    this.#services = services;
    this.#id = id;
    this.#semaphore = semaphore;
    this.#listeners = listeners;
  }

  /** What nobody waits to talk for. */
  #write(work: () => Promise<void>): Promise<void> {
    return this.#line.run(() => this.#semaphore.run(work));
  }

  /** Writes the first row. `at`: where the caller is. */
  open(call: NewCall, at: Whereabouts): Promise<void> {
    return this.#write(async () => {
      const { db } = this.#services;
      const row: PublishedCall = { ...call, ...unsetAtFirst };
      await announceWith(
        db,
        db.insert(calls).values(call).returning({ id: calls.id }),
        this.#words(row, at),
        webhookMessageOf(row, at, 'call_started', call.createdAt),
      );
      [this.#row, this.#at] = [row, at];
    });
  }

  /** Where the call stands now; one that is over stays so. */
  status(status: Exclude<ServerCallStatus, 'answered' | 'destroyed'>): Promise<void> {
    const free = status === 'waiting' ? { answeredBy: null, answeredByName: null, answeredByUserId: null } : {};
    // It may have begun so, and nobody has taken it since.
    return this.#change({ status, ...free }, (row) => row.status === status && row.answeredBy === null);
  }

  /**
   * Takes the call for a number unless somebody has it or it is over: one compare-and-set, for whose answer two people wait. It is told of
   * right after. @returns whether it was the first
   */
  async claim(number: string, type: StoredCall['type'] | null): Promise<boolean> {
    const won = await this.#line.run(() => this.#take(number, type));
    if (won) this.#write(() => this.#notifyLater(won)).catch((error: unknown) => this.#unpublished(error));
    return won !== null;
  }
  /** After those who wait to talk: the embedded database works in the same thread. */
  async #notifyLater(row: PublishedCall): Promise<void> {
    await turn();
    await announce(this.#services.db, this.#words(row));
  }
  async #take(number: string, type: StoredCall['type'] | null): Promise<PublishedCall | null> {
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
      .returning({ answeredByName: calls.answeredByName, answeredByUserId: calls.answeredByUserId, takerPaths });
    const [taken] = won;
    if (!taken || !this.#row) return null;
    const { takerPaths: all, ...taker } = taken;
    this.#takerPaths = all;
    return (this.#row = { ...this.#row, status: 'answered', answeredBy: number, ...taker, updatedAt: at, ...(type && { type }) });
  }
  /** Whoever was not told reads the calls again after their next gap. */
  #unpublished(error: unknown): void {
    this.#services.log.warn({ err: error, call: this.#id }, 'nobody could be told of a call');
  }

  /** The call is history from now on; `refusal`: why the line outside was of no use to it. */
  end({ status, reason }: CallEnd, refusal: TrunkRefusal | null = null): Promise<void> {
    const line = refusal && { trunkName: refusal.trunk, trunkStatus: refusal.status, trunkReason: refusal.reason };
    return this.#change({ status: 'destroyed', historyStatus: status, endReason: reason, endedAt: this.#services.now(), ...line });
  }

  /** Everything is written. */
  settled(): Promise<unknown> {
    return this.#line.run(() => Promise.resolve());
  }

  /** Changes the row of a call that is not over, and not so already. */
  #change(columns: Partial<StoredCall>, isSo: (row: PublishedCall) => boolean = () => false): Promise<void> {
    return this.#write(async () => {
      if (!this.#row || isSo(this.#row)) return;
      const { db, now } = this.#services;
      const changed = { ...columns, updatedAt: now() };
      const row: PublishedCall = { ...this.#row, ...changed };
      const change = db
        .update(calls)
        .set(changed)
        .where(and(eq(calls.id, this.#id), isLive))
        .returning({ id: calls.id });
      const webhook =
        columns.status === 'destroyed' ? webhookMessageOf(row, this.#at, 'call_ended', changed.updatedAt, columns.historyStatus) : undefined;
      if (await announceWith(db, change, this.#words(row), webhook)) this.#row = row;
    });
  }

  #words(row: PublishedCall, at: Whereabouts = this.#at): Announced[] {
    return wordsOf(row, at, this.#takerPaths, this.#listeners());
  }
}

/** What webhooks are told of a call. */
function webhookMessageOf(row: PublishedCall, { paths: all }: Whereabouts, event: string, at: Date, outcome: string | null = null): WebhookMessage {
  const data = {
    id: row.id,
    caller: { number: row.callerNumber, name: row.callerName },
    callee: { number: row.calleeNumber },
    sos: row.sos,
    outcome,
    answered_by: row.answeredByName,
    started_at: row.createdAt.toISOString(),
  };
  return { projectId: row.projectId, path: sql`${`{${all.join(',')}}`}::uuid[]`, kind: 'calls', event, at, data };
}

/** What is said of a call as it stands: to those who listen on its numbers and on these, and to the lists of the history that it changed. */
function wordsOf(
  row: PublishedCall,
  { place: steps, paths: all, hasDoor: door }: Whereabouts,
  ofTaker: readonly string[],
  numbers: readonly string[],
): Announced[] {
  const group = steps.map(({ name }) => name).join(' · ') || null;
  const call = shape(row, { group, name: row.callerName, taker: row.answeredByName, isKnown: true, door });
  const ends = { caller: { userId: row.callerUserId, place: steps, paths: all }, taker: { userId: row.answeredByUserId, paths: ofTaker } };
  const parties = [row.callerNumber, ...(row.calleeUserId ? [row.calleeNumber] : []), answererOf(row.answeredBy) ?? ''];
  const project = row.projectId;
  const hearing = [...new Set([row.callerNumber, row.calleeNumber, ...(row.answeredBy ? [row.answeredBy] : []), ...numbers])];
  const listed = {
    project,
    topic: topics.area('call-history'),
    name: 'RowsChanged',
    payload: { area: 'call-history', ids: [row.id] },
    fresh: false,
  } as const;
  return [
    ...hearing.map((number): Announced => ({
      project,
      topic: topics.calls(number),
      name: 'CallUpdated',
      payload: { call },
      ...(!parties.includes(number) && { ends }),
    })),
    ...(call.status === 'destroyed' ? [listed] : []),
  ];
}

/** Tells those who listen on the numbers of a call how it stands, and the lists of the history that it changed. */
export async function notifyOfCall(tx: Db, id: string): Promise<void> {
  const [row] = await tx.select({ call: calls, place, paths, device, takerPaths }).from(calls).where(eq(calls.id, id));
  if (row) await announce(tx, wordsOf(row.call, { ...row, hasDoor: row.device !== null && hasDoor(row.device) }, row.takerPaths, []));
}
