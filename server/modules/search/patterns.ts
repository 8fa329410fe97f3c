import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { folded } from '#models/typed-text.ts';

const literal = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/**
 * Whether a text matches a pattern, ё read as е. The trigram index knows the text as it stands: it is asked with any letter in the
 * place of е, and what it finds is compared exactly.
 */
function matches(column: PgColumn, before: string, text: string): SQL {
  const exact = `${before}${literal(text)}%`;
  if (!text.includes('е')) return sql`lower(${column}) like ${exact}`;
  const loose = `${before}${literal(text).replaceAll('е', '_')}%`;
  return sql`(lower(${column}) like ${loose} and translate(lower(${column}), 'ё', 'е') like ${exact})`;
}

/** Ways a name matches what was typed, the best first. */
export const nameMatches = (name: PgColumn, typed: string): readonly [starts: SQL, word: SQL, contains: SQL] => {
  const text = folded(typed);
  return [matches(name, '', text), matches(name, '% ', text), matches(name, '%', text)];
};
export const startsWith = (column: PgColumn, typed: string): SQL => matches(column, '', folded(typed));

/** The digits of something typed as a phone number: at least four, with spaces, dashes and brackets as people put them. */
export function digitsOf(typed: string): string | null {
  const digits = typed.replaceAll(/[\s()+-]/g, '');
  return /^\d{4,15}$/.test(digits) ? digits : null;
}

/** Words of which each is looked for by itself, once there are several. */
export const wordsOf = (typed: string): string[] =>
  folded(typed)
    .split(/[\s·,]+/)
    .filter(Boolean);
