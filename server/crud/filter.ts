import { type SQL, and, not, or, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { FilterItem, FilterKind, Filters } from '#models/query.ts';
import { idArray } from '../access/measures.ts';
import type { ViewScope } from '../access/scope.ts';
import type { AreaRepository, Compared } from './repository.ts';
import { onlySeen, isShown } from './json.ts';

type Value = FilterItem['value'];
type Column = PgColumn | SQL;

const literal = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
const listOf = (value: Value): string[] => (Array.isArray(value) ? value : [value]).map(String);
const order: Partial<Record<FilterItem['rule'], SQL>> = {
  equals: sql`=`,
  above: sql`>`,
  below: sql`<`,
  equals_above: sql`>=`,
  equals_below: sql`<=`,
};

/** Text is compared without regard to case, in the very form the trigram index knows; % _ \ mean themselves. */
function textCondition(column: Column, rule: FilterItem['rule'], text: string): SQL {
  const pattern = rule === 'contains' ? `%${literal(text)}%` : `${literal(text)}%`;
  if (rule === 'equals' || rule === 'not_equals') return sql`lower(${column}) = lower(${text})`;
  return sql`lower(${column}) like lower(${pattern})`;
}

const oneOf = (column: Column, words: readonly string[]): SQL =>
  words.length === 0
    ? sql`false`
    : sql`${column} in (${sql.join(
        words.map((word) => sql`${word}`),
        sql`, `,
      )})`;
const compare = (column: Column, rule: FilterItem['rule'], value: SQL): SQL => sql`${column} ${order[rule] ?? sql`=`} ${value}`;

/** Ids are asked for among those that may be seen: another id is as if it were not there. */
function seenCondition(scope: ViewScope, { seen, area }: Compared, column: Column): SQL | undefined {
  if (seen) return seen(scope);
  return area && onlySeen(scope, area, column);
}

const refCondition = (scope: ViewScope, compared: Compared, column: Column, { rule, value }: FilterItem): SQL => {
  const asked = rule === 'is' ? sql`${column} is not null` : sql`${column} = any(${idArray(listOf(value))})`;
  return sql`(${and(asked, seenCondition(scope, compared, column))})`;
};

function linkCondition(scope: ViewScope, { link }: Compared, ownId: Column, { rule, value }: FilterItem): SQL {
  if (!link) throw new Error('a filter of several rows needs a link');
  const asked = rule === 'is' ? undefined : sql`${link.other} = any(${idArray(listOf(value))})`;
  return sql`${ownId} in (select ${link.own} from ${link.table} where ${and(asked, onlySeen(scope, link.area, link.other)) ?? sql`true`})`;
}

/** The positive form of a question; `not_equals` and `is null` turn it round. */
function positive(scope: ViewScope, repository: AreaRepository, kind: FilterKind, item: FilterItem): SQL {
  const compared = repository.compared[item.field];
  if (!compared) throw new Error(`${repository.area}.${item.field} has a filter but no column`);
  if (kind === 'refs') return linkCondition(scope, compared, repository.table.id, item);
  const column = isShown(scope, compared.code) ? (compared.columnFor?.(scope) ?? compared.column) : sql`null`;
  if (!column) throw new Error(`${repository.area}.${item.field} has a filter but no column`);
  switch (kind) {
    case 'ref':
      return refCondition(scope, compared, column, item);
    case 'text':
      return compared.containing && item.rule === 'contains'
        ? compared.containing(scope, (one) => textCondition(one, 'contains', String(item.value)), String(item.value))
        : textCondition(column, item.rule, String(item.value));
    case 'choice':
      return oneOf(column, listOf(item.value));
    case 'flag':
      return item.value === null ? sql`${column} is null` : sql`${column} is ${item.value === true ? sql`true` : sql`false`}`;
    case 'number':
      return compare(column, item.rule, sql`${item.value}::double precision`);
    case 'time':
      return compare(column, item.rule, sql`${new Date(String(item.value)).toISOString()}::timestamptz`);
    default:
      return kind satisfies never;
  }
}

/** `is` true asks whether something is there, null or false whether nothing is; of a flag it asks for the value. */
const turnsRound = (kind: FilterKind, { rule, value }: FilterItem): boolean =>
  rule === 'not_equals' || (rule === 'is' && kind !== 'flag' && value !== true);

function itemCondition(scope: ViewScope, repository: AreaRepository, item: FilterItem): SQL {
  const kind = repository.model.filters[item.field];
  if (!kind) throw new Error(`${repository.area} has no filter ${item.field}`);
  const condition = positive(scope, repository, kind, item);
  return turnsRound(kind, item) ? not(sql`coalesce(${condition}, false)`) : condition;
}

/** Filters, checked by readQuery before, as a condition on the area's table; undefined lets all through. */
export function filterCondition(scope: ViewScope, repository: AreaRepository, { match, items }: Filters): SQL | undefined {
  const conditions = items.map((item) => itemCondition(scope, repository, item));
  return match === 'match_any' ? or(...conditions) : and(...conditions);
}
