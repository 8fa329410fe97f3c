import { z } from 'zod';
import { isStorable } from './rules.ts';
import { utc } from './time.ts';

/** The list grammar: page, size, sort, filters, with (spec B7, sizes settled in the contract). */
export const pageSizes = [10, 20, 50, 100] as const;
export const maxPageSize = 500;
export const matchModes = ['match_all', 'match_any'] as const;
export const filterRules = [
  'equals',
  'not_equals',
  'contains',
  'begins_with',
  'above',
  'below',
  'equals_above',
  'equals_below',
  'has',
  'is',
] as const;
export type FilterRule = (typeof filterRules)[number];

/** What kind of value a field holds decides which rules may ask about it. */
export const rulesByKind = {
  text: ['contains', 'equals', 'not_equals', 'begins_with'],
  number: ['equals', 'not_equals', 'above', 'below', 'equals_above', 'equals_below'],
  time: ['equals_above', 'equals_below', 'above', 'below', 'equals', 'not_equals'],
  flag: ['is'],
  choice: ['equals', 'not_equals'],
  ref: ['equals', 'not_equals', 'is'],
  refs: ['has', 'is'],
} as const satisfies Record<string, readonly FilterRule[]>;
export type FilterKind = keyof typeof rulesByKind;

const filterValue = z.union([z.string().max(1_000), z.number(), z.boolean(), z.null(), z.array(z.union([z.string().max(100), z.number()])).max(500)]);
export const filterItem = z.strictObject({ field: z.string().max(64), rule: z.enum(filterRules), value: filterValue });
export const filters = z.strictObject({ match: z.enum(matchModes).default('match_all'), items: z.array(filterItem).max(50) });
export type FilterItem = z.infer<typeof filterItem>;
export type Filters = z.infer<typeof filters>;

/** A list request as both sides hold it; `sort` names fields, `-` before a name turns the order round. */
export interface ListQuery {
  page: number;
  size: number;
  sort: string[];
  filters: Filters;
  with: string[];
}
export const emptyQuery: ListQuery = { page: 1, size: 20, sort: [], filters: { match: 'match_all', items: [] }, with: [] };

/** What an area allows to be asked. */
export interface Queryable {
  filters: Readonly<Record<string, FilterKind>>;
  sorts: readonly string[];
  relations: readonly string[];
}

/** A list request that names something the area does not have: which parameter, and what it held. */
export class WrongQuery extends Error {
  readonly parameter: string;
  readonly value: string;
  constructor(parameter: string, value: string) {
    super(`wrong ${parameter}: ${value}`);
    this.parameter = parameter;
    this.value = value;
  }
}

const names = (value: string | undefined): string[] => (value ? value.split(',').filter(Boolean) : []);
const maxSorts = 5;
const whole = (parameter: string, value: string | undefined, fallback: number, max: number): number => {
  if (value === undefined || value === '') return fallback;
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1 || number > max) throw new WrongQuery(parameter, value.slice(0, 40));
  return number;
};

function readFilters(text: string | undefined): Filters {
  if (!text) return emptyQuery.filters;
  if (text.length > 20_000) throw new WrongQuery('filters', 'too long');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new WrongQuery('filters', 'not JSON');
  }
  const result = filters.safeParse(parsed);
  if (!result.success) throw new WrongQuery('filters', result.error.issues[0]?.path.join('.') || 'shape');
  return result.data;
}

const isMoment = (value: unknown): boolean => {
  const year = typeof value === 'string' ? utc(new Date(value)).year() : Number.NaN;
  return year >= 1 && year <= 9_999;
};
const fits = (kind: FilterKind, { rule, value }: FilterItem): boolean => {
  if ((Array.isArray(value) ? value : [value]).some((part) => typeof part === 'string' && !isStorable(part))) return false;
  if (rule === 'is') return value === null || typeof value === 'boolean';
  if (kind === 'number') return typeof value === 'number' && Number.isFinite(value);
  if (kind === 'time') return isMoment(value);
  if (kind === 'ref' || kind === 'refs')
    return (Array.isArray(value) ? value : [value]).every((id) => typeof id === 'string' && z.uuid().safeParse(id).success);
  if (kind === 'choice') return typeof value === 'string' || Array.isArray(value);
  return typeof value === 'string';
};

/**
 * Reads the query parameters of a list request.
 * @throws WrongQuery naming the parameter when a field, rule, relation, number or value is not one the area has.
 */
export function readQuery(params: Record<string, string | undefined>, area: Queryable): ListQuery {
  // A parameter given twice arrives as a list.
  for (const [name, value] of Object.entries(params)) if (value !== undefined && typeof value !== 'string') throw new WrongQuery(name, 'repeated');
  const query: ListQuery = {
    page: whole('page', params['page'], 1, 1_000_000),
    size: whole('size', params['size'], emptyQuery.size, maxPageSize),
    sort: names(params['sort']),
    filters: readFilters(params['filters']),
    with: names(params['with']),
  };
  if (query.sort.length > maxSorts) throw new WrongQuery('sort', `more than ${maxSorts} fields`);
  for (const field of query.sort) if (!area.sorts.includes(field.replace(/^-/, ''))) throw new WrongQuery('sort', field.slice(0, 64));
  for (const relation of query.with) if (!area.relations.includes(relation)) throw new WrongQuery('with', relation.slice(0, 64));
  for (const item of query.filters.items) {
    const kind = Object.hasOwn(area.filters, item.field) ? area.filters[item.field] : undefined;
    if (!kind) throw new WrongQuery('filters', item.field);
    if (!(rulesByKind[kind] as readonly string[]).includes(item.rule)) throw new WrongQuery('filters', `${item.field} ${item.rule}`);
    if (!fits(kind, item)) throw new WrongQuery('filters', `${item.field} value`);
  }
  return query;
}

/** The same request as query parameters; what equals the default is left out, so that addresses stay short. */
export function writeQuery(query: ListQuery): Record<string, string> {
  return {
    ...(query.page > 1 && { page: String(query.page) }),
    ...(query.size !== emptyQuery.size && { size: String(query.size) }),
    ...(query.sort.length > 0 && { sort: query.sort.join(',') }),
    ...(query.filters.items.length > 0 && { filters: JSON.stringify(query.filters) }),
    ...(query.with.length > 0 && { with: query.with.join(',') }),
  };
}
