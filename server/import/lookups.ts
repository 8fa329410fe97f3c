import { type SQL, sql } from 'drizzle-orm';
import { type AreaName, isArea } from '#models/areas.ts';
import { type ViewScope, viewable } from '../access/scope.ts';
import { namesAlong } from '../crud/group-path.ts';
import { groups, users } from '../db/schema/index.ts';
import type { Db } from '../db/database.ts';
import { areaScopes } from '../modules/scopes.ts';
import { plain } from './cells.ts';

/** A row of another area that a file names: which one, or that several are called so. */
export type Found = { id: string; name: string } | 'several';
interface Candidate {
  id: string;
  name: string;
  /** What it may be called by; the surer first. */
  words: string[];
}
type Candidates = (db: Db, scope: ViewScope, wanted: readonly string[]) => Promise<Candidate[]>;

const anyOf = (wanted: readonly string[]): SQL => sql`(select * from json_array_elements_text(${JSON.stringify(wanted)}::json))`;
/** As `plain` has it, in the database; what is left besides is compared here. */
const lowered = (column: SQL): SQL => sql`replace(lower(${column}), 'ё', 'е')`;

/** People by login, and by name where nobody has it as a login. */
const people: Candidates = async (db, scope, wanted) => {
  const { rows } = await db.execute<{ id: string; name: string; login: string }>(
    sql`select ${users.id} as id, ${users.name} as name, ${users.login} as login from ${users}
      where ${viewable(scope, 'users')} and (${lowered(sql`${users.login}`)} in ${anyOf(wanted)} or ${lowered(sql`${users.name}`)} in ${anyOf(wanted)})`,
  );
  return rows.map(({ id, name, login }) => ({ id, name, words: [login, name] }));
};

const slashed = (text: string): string => text.replaceAll(/\s*\/\s*/g, '/');
/** Groups by the end of their path: a name, or as many names above it as tell it from others of the same name. */
const placed: Candidates = async (db, scope, wanted) => {
  const last = wanted.flatMap((text) => text.split('/').map((_part, at, parts) => parts.slice(at).join('/').trim()));
  const { rows } = await db.execute<{ id: string; name: string; path: string[] }>(
    sql`select ${groups.id} as id, ${groups.name} as name, ${namesAlong(scope, groups.path)} as path from ${groups}
      where ${viewable(scope, 'groups')} and ${lowered(sql`${groups.name}`)} in ${anyOf([...new Set(last)])}`,
  );
  return rows.map(({ id, name, path }) => ({ id, name, words: path.map((_name, at) => path.slice(at).join('/')) }));
};

/** Rows of any area by their name. */
const byName =
  (area: AreaName): Candidates =>
  async (db, scope, wanted) => {
    const { table } = areaScopes[area];
    const { rows } = await db.execute<{ id: string; name: string }>(
      sql`select ${table.id} as id, name from ${table} where ${viewable(scope, area)} and ${lowered(sql`name`)} in ${anyOf(wanted)}`,
    );
    return rows.map(({ id, name }) => ({ id, name, words: [name] }));
  };

const ways: Partial<Record<AreaName, Candidates>> = { users: people, groups: placed };

/** Finds the rows of an area that texts of a file name, of those in somebody's sight; what is called alike is told apart or not at all. */
export async function lookUp(db: Db, scope: ViewScope, area: string, texts: Iterable<string>): Promise<Map<string, Found>> {
  const wanted = [...new Set(Array.from(texts, plain))];
  if (wanted.length === 0 || !isArea(area)) return new Map();
  const candidates = await (ways[area] ?? byName(area))(db, scope, wanted);
  const byWords = candidates.map(({ id, name, words }) => ({ id, name, words: words.map((word) => slashed(plain(word))) }));
  const most = Math.max(0, ...byWords.map(({ words }) => words.length));
  const find = (text: string): Found | null => {
    for (let rank = 0; rank < most; rank += 1) {
      const hits = byWords.filter(({ words }) => (area === 'users' ? words[rank] === text : words.includes(text)));
      if (hits.length > 1) return 'several';
      if (hits[0]) return { id: hits[0].id, name: hits[0].name };
    }
    return null;
  };
  return new Map(
    wanted.flatMap((text): [string, Found][] => {
      const found = find(slashed(text));
      return found ? [[text, found]] : [];
    }),
  );
}
