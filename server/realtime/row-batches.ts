import type { AreaName } from '#models/areas.ts';
import { scopesOf } from '#models/permissions.ts';
import { frameOf, topics } from '#models/realtime.ts';
import { seesAll, scopeOf } from '../access/scope.ts';
import type { Principal, Services } from '../context.ts';
import type { Connection } from './connection.ts';
import { seenAmong } from './permission.ts';
import type { Timer } from '../timers.ts';

/** Changes of one area within a moment: the rows, and whether they are new; or that any row may have changed. */
interface Batch {
  project: string;
  area: AreaName;
  rows: Map<string, { fresh: boolean }>;
  any: boolean;
}

const every = 100;
/** Rows may be read a moment before the topic of their area is subscribed: as long as opening the channel may take. */
const recently = 15_000;
const mostIds = 1_000;

/** What two principals must share to see the same rows of an area. */
function scopeKey(principal: Principal, area: AreaName): string {
  if (seesAll(scopeOf(principal), area)) return 'all';
  const scopes = scopesOf(principal, 'view', area);
  const personal = scopes.some((scope) => scope !== 'domain' && scope !== 'descendants' && scope !== 'below');
  return [personal ? principal.id : '', ...scopes, ...principal.domains].join(' ');
}

/**
 * Tells subscribers of an area which rows changed, a tenth of a second's worth at once, and to each only rows they may see:
 * one query for all who see alike. Of a row out of their sight (deleted, or moved away) they hear no id, only that some
 * row may have changed.
 */
export class RowBatches {
  readonly #services: Services;
  readonly #listeners: (project: string, topic: string) => Connection[];
  readonly #waiting = new Map<string, Batch>();
  readonly #lastChange = new Map<string, number>();
  #timer: Timer | undefined;

  constructor(services: Services, listeners: (project: string, topic: string) => Connection[]) {
    this.#services = services;
    this.#listeners = listeners;
  }

  add(project: string, area: AreaName, ids: readonly string[], fresh: boolean): void {
    const name = `${project} ${area}`;
    this.#lastChange.set(name, this.#services.now().getTime());
    if (this.#listeners(project, topics.area(area)).length === 0) return;
    const batch = this.#waiting.get(name) ?? { project, area, rows: new Map(), any: false };
    for (const id of ids) batch.rows.set(id, { fresh: batch.rows.get(id)?.fresh ?? fresh });
    batch.any ||= ids.length === 0 || batch.rows.size > mostIds;
    this.#waiting.set(name, batch);
    this.#timer ??= this.#services.timers.after(every, () => void this.#flush());
  }

  /** To somebody who has just subscribed: rows of the area changed a moment ago, perhaps after they were read. */
  welcome(connection: Connection, area: AreaName): void {
    const changedAt = this.#lastChange.get(`${connection.principal.projectId} ${area}`) ?? 0;
    if (this.#services.now().getTime() - changedAt < recently) this.#send([connection], area, []);
  }

  close(): void {
    this.#timer?.cancel();
    this.#waiting.clear();
  }

  async #flush(): Promise<void> {
    this.#timer = undefined;
    const batches = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const batch of batches)
      await this.#publish(batch).catch((error: unknown) => {
        this.#services.log.warn({ err: error, area: batch.area }, 'who may hear of changed rows could not be read');
        // Nobody is told ids unseen; that something changed may be known.
        for (const connection of this.#listeners(batch.project, topics.area(batch.area))) this.#send([connection], batch.area, []);
      });
  }

  async #publish(batch: Batch): Promise<void> {
    const topic = topics.area(batch.area);
    for (const { checking } of this.#listeners(batch.project, topic)) await checking;
    const alike = new Map<string, Connection[]>();
    for (const connection of this.#listeners(batch.project, topic)) {
      const name = scopeKey(connection.principal, batch.area);
      alike.set(name, [...(alike.get(name) ?? []), connection]);
    }
    for (const connections of alike.values()) {
      const ids = await this.#seen(batch, connections);
      if (ids) this.#send(connections, batch.area, ids);
    }
  }

  /** The ids to tell those who see alike; none means that any row may have changed; null: nothing of theirs has. */
  async #seen({ area, rows, any }: Batch, [first]: readonly Connection[]): Promise<string[] | null> {
    if (any || !first) return [];
    const ids = [...rows.keys()];
    const seen = await seenAmong(this.#services, scopeOf(first.principal), area, ids);
    if (!seen) return ids;
    const mine = ids.filter((id) => seen.has(id));
    if (ids.some((id) => !seen.has(id) && rows.get(id)?.fresh === false)) return [];
    return mine.length > 0 ? mine : null;
  }

  #send(connections: readonly Connection[], area: AreaName, ids: string[]): void {
    const topic = topics.area(area);
    const frame = Buffer.from(frameOf(topic, 'RowsChanged', { area, ids }));
    const at = this.#services.now().getTime();
    for (const connection of connections) if (connection.topics.has(topic) && !connection.isSpent(at)) connection.send(frame);
  }
}
