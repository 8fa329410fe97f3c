import { and, eq, inArray, lt, notInArray, type SQL, sql } from 'drizzle-orm';
import type { HistoryStatus } from '#models/call.ts';
import type { Services } from '#server/context.ts';
import { calls } from '#server/db/schema/index.ts';
import { isLive, notifyOfCall } from './book.ts';
import type { Clock } from '#server/timers.ts';

/** Ids of calls that some process is asked to end are announced here. */
const stopChannel = 'doorward_calls';
const beatEvery = 5_000;
/** A live call that no process has held for so long, ms, is nobody's. */
const silentFor = 20_000;
/** So many beats in a row reached the database before others are held to theirs: it may have been away for all of us. */
const trusted = silentFor / beatEvery;

const over = (at: Date) => ({
  status: 'destroyed' as const,
  endReason: 'server_restarted',
  endedAt: at,
  updatedAt: at,
  historyStatus: sql<HistoryStatus>`case when ${calls.answeredAt} is null then 'failed' else 'answered' end`,
});
/** Only one process uses the embedded database, so what it does not hold nobody does; on PostgreSQL a call is nobody's after a silence. */
const abandoned = ({ config, now }: Services): SQL => (config.databaseUrl ? lt(calls.renewedAt, new Date(now().getTime() - silentFor)) : sql`true`);

/** Closes live calls that nobody holds any more; whoever still shows them hears of it. @returns how many there were */
async function closeAbandoned(services: Services, which: SQL | undefined): Promise<number> {
  return services.db.transaction(async (tx) => {
    const ghosts = await tx
      .update(calls)
      .set(over(services.now()))
      .where(and(isLive, abandoned(services), which))
      .returning({ id: calls.id });
    for (const { id } of ghosts) await notifyOfCall(tx, id);
    return ghosts.length;
  });
}

/** Ends a call that this process does not hold: by the process that does, else by closing what one that is gone left behind. */
export async function stopElsewhere(services: Services, id: string): Promise<void> {
  if ((await closeAbandoned(services, eq(calls.id, id))) > 0) return;
  await services.db.execute(sql`select pg_notify(${stopChannel}, ${id})`);
}

/** What a process holds. */
export interface Held {
  clock: Clock;
  /** Its live calls, by speech id. */
  ids: () => readonly string[];
  /** Another process asks for the end of a call, which may be one of its own. */
  stop: (id: string) => void;
}

/** Says again and again that this process holds its calls, and closes those of processes that fell silent. The embedded database has no others. */
export class CallLease {
  readonly #services: Services;
  readonly #held: Held;
  #inRow = 0;
  #isOpen = false;
  #timer: unknown = null;
  #unlisten: (() => Promise<void>) | null = null;

  constructor(services: Services, held: Held) {
    this.#services = services;
    this.#held = held;
  }

  /** What processes that are gone left behind is closed first. */
  async open(): Promise<void> {
    await this.#close('calls of an earlier run were closed');
    this.#unlisten = await this.#services.listen(
      stopChannel,
      (id) => this.#held.stop(id),
      () => undefined,
    );
    this.#isOpen = true;
    if (this.#services.config.databaseUrl) this.#wait();
  }
  async close(): Promise<void> {
    this.#isOpen = false;
    this.#held.clock.clearTimeout(this.#timer as never);
    await this.#unlisten?.();
  }

  #wait(): void {
    this.#timer = this.#held.clock.setTimeout(() => {
      void this.#beat().finally(() => (this.#isOpen ? this.#wait() : undefined));
    }, beatEvery);
  }

  async #beat(): Promise<void> {
    try {
      const ids = this.#held.ids();
      if (ids.length > 0)
        await this.#services.db
          .update(calls)
          .set({ renewedAt: this.#services.now() })
          .where(inArray(calls.id, [...ids]));
      this.#inRow += 1;
      if (this.#inRow > trusted) await this.#close('calls of a server that is gone were closed');
    } catch (error) {
      this.#inRow = 0;
      this.#services.log.warn({ err: error }, 'calls could not be kept');
    }
  }

  async #close(said: string): Promise<void> {
    const ids = this.#held.ids();
    const ghosts = await closeAbandoned(this.#services, ids.length > 0 ? notInArray(calls.id, [...ids]) : undefined);
    if (ghosts > 0) this.#services.log.info({ ghosts }, said);
  }
}
