import { getTableName, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { AreaName } from '#models/areas.ts';
import { modelOf } from '#models/index.ts';
import type { Services } from '../context.ts';
import { areaScopes } from '../modules/scopes.ts';

const dialect = new PgDialect();
/** Beyond this a count is made anew, whatever was heard: a listener that has lost its database hears nothing for a while. */
const longest = 60_000;
const most = 2_000;

/** What is known of how many rows match, and where to keep it once they are counted. */
export interface Total {
  known: number | null;
  store: (total: number) => void;
}
interface Counted {
  total: number;
  /** The turn in which counting began. */
  turn: number;
  until: number;
  /** What must not have changed since then. */
  sources: readonly string[];
}
const uncounted: Total = { known: null, store: () => undefined };
/** By table, for areas may show parts of one. */
const sourceOf = (project: string, area: AreaName): string => `${project} ${getTableName(areaScopes[area].table.id.table)}`;
const writtenIn = (project: string): string => `${project} written`;

/**
 * How many rows match a condition, kept until a row that it looks at may have changed: counting 100,000 rows takes longer than reading
 * a page of them. Changes are heard as the consoles hear them, once they stand; an answer of that very moment may tell the number before.
 */
export class Totals {
  readonly #stored = new Map<string, Counted>();
  readonly #changed = new Map<string, number>();
  readonly #now: Services['now'];
  #turn = 0;

  constructor({ now }: Pick<Services, 'now'>) {
    this.#now = now;
  }

  /** Rows of an area have changed. */
  changed(project: string, area: AreaName): void {
    this.#turn += 1;
    this.#changed.set(sourceOf(project, area), this.#turn);
    if (!modelOf(area).readOnly) this.#changed.set(writtenIn(project), this.#turn);
  }
  /** Changes may have gone unheard. */
  forget(): void {
    this.#stored.clear();
  }

  /** The total of rows of an area that match `where`. */
  of(project: string, area: AreaName, where: SQL): Total {
    const { sql, params } = dialect.sqlToQuery(where);
    // What holds changes with time alone.
    if (/\bnow\(\)|\bcurrent_/i.test(sql)) return uncounted;
    const own = sourceOf(project, area);
    const key = JSON.stringify([own, sql, params]);
    const stored = this.#stored.get(key);
    const holds = stored && stored.until > this.#now().getTime() && stored.sources.every((source) => (this.#changed.get(source) ?? 0) <= stored.turn);
    if (!holds) this.#stored.delete(key);
    // A condition that looks at other rows than those counted depends on whatever people write.
    const sources = /\bfrom\b/i.test(sql) ? [own, writtenIn(project)] : [own];
    const turn = this.#turn;
    return {
      known: holds ? stored.total : null,
      store: (total) => {
        const [oldest] = this.#stored.keys();
        if (this.#stored.size >= most && oldest !== undefined) this.#stored.delete(oldest);
        this.#stored.set(key, { total, turn, until: this.#now().getTime() + longest, sources });
      },
    };
  }
}
