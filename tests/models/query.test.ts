import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  emptyQuery,
  type FilterItem,
  type FilterKind,
  filterRules,
  type ListQuery,
  matchModes,
  maxPageSize,
  pageSizes,
  type Queryable,
  readQuery,
  rulesByKind,
  WrongQuery,
  writeQuery,
} from '#models/query.ts';
import { users } from '#models/users.ts';

const area: Queryable = {
  filters: { name: 'text', age: 'number', born: 'time', active: 'flag', kind: 'choice', role: 'ref', groups: 'refs' },
  sorts: ['name', 'age', 'born'],
  relations: ['groups', 'role'],
};
const A = '5f0c8b1e-1d3a-4f6e-9a55-2a8a0a6e9a11';
const filtered = (...items: unknown[]) => ({ filters: JSON.stringify({ match: 'match_all', items }) });

function refusedWith(params: Record<string, unknown>): string | null {
  try {
    readQuery(params as Record<string, string>, area);
    return null;
  } catch (error) {
    if (!(error instanceof WrongQuery)) throw error;
    return `${error.parameter}: ${error.value}`;
  }
}

describe('the grammar', () => {
  it('has the rules and match modes of the specification', () => {
    expect(filterRules.toSorted()).toEqual([
      'above',
      'begins_with',
      'below',
      'contains',
      'equals',
      'equals_above',
      'equals_below',
      'has',
      'is',
      'not_equals',
    ]);
    expect(matchModes).toEqual(['match_all', 'match_any']);
    expect([...pageSizes]).toEqual([10, 20, 50, 100]);
  });
  it('uses every rule for some kind of value', () => {
    expect(new Set(Object.values(rulesByKind).flat())).toEqual(new Set(filterRules));
  });
});

describe('a request that is read', () => {
  it('is the first twenty where nothing is said', () => expect(readQuery({}, area)).toEqual(emptyQuery));
  it('takes empty parameters as none', () => expect(readQuery({ page: '', size: '', sort: '', filters: '', with: '' }, area)).toEqual(emptyQuery));
  it('holds page, size, sort, filters and relations', () => {
    expect(
      readQuery({ page: '3', size: '50', sort: 'name,-born', with: 'groups', ...filtered({ field: 'age', rule: 'above', value: 7 }) }, area),
    ).toEqual({
      page: 3,
      size: 50,
      sort: ['name', '-born'],
      with: ['groups'],
      filters: { match: 'match_all', items: [{ field: 'age', rule: 'above', value: 7 }] },
    });
  });
  it('matches all where no mode is named', () => expect(readQuery({ filters: '{"items":[]}' }, area).filters.match).toBe('match_all'));
  it('takes what looks like SQL literally', () => {
    for (const value of ["' OR 1=1--", '%', '_', '\\', '"', '${x}', 'x'.repeat(1_000)])
      expect(readQuery(filtered({ field: 'name', rule: 'contains', value }), area).filters.items[0]?.value).toBe(value);
  });
});

describe('a request that is refused, naming the parameter', () => {
  it.each<[string, Record<string, unknown>]>([
    ['page: 0', { page: '0' }],
    ['page: -1', { page: '-1' }],
    ['page: 1.5', { page: '1.5' }],
    ['page: abc', { page: 'abc' }],
    ['page: 1000001', { page: '1000001' }],
    ['page: Infinity', { page: 'Infinity' }],
    ['size: 501', { size: String(maxPageSize + 1) }],
    ['size: 1000000000', { size: '1000000000' }],
    ['sort: password_hash', { sort: 'password_hash' }],
    ['sort: --name', { sort: '--name' }],
    ['sort: name; drop table users', { sort: 'name; drop table users' }],
    ['sort: constructor', { sort: 'constructor' }],
    ['sort: more than 5 fields', { sort: 'name,age,born,name,age,born' }],
    ['sort: repeated', { sort: ['name', 'age'] }],
    ['page: repeated', { page: ['1', '2'] }],
    ['with: __proto__', { with: '__proto__' }],
    ['with: sessions', { with: 'sessions' }],
    ['filters: not JSON', { filters: '{' }],
    ['filters: not JSON', { filters: '['.repeat(10_000) }],
    ['filters: too long', { filters: ' '.repeat(20_001) }],
    ['filters: shape', { filters: '[]' }],
    ['filters: shape', { filters: '7' }],
    ['filters: items', { filters: '{"match":"match_all"}' }],
    ['filters: match', { filters: '{"match":"either","items":[]}' }],
    ['filters: items', filtered(...Array.from({ length: 51 }, () => ({ field: 'name', rule: 'contains', value: 'a' })))],
    ['filters: items.0.value', filtered({ field: 'name', rule: 'contains', value: 'x'.repeat(1_001) })],
    ['filters: items.0.value', filtered({ field: 'name', rule: 'contains', value: { a: 1 } })],
    ['filters: items.0.rule', filtered({ field: 'name', rule: 'matches', value: 'a' })],
    ['filters: items.0', filtered({ field: 'name', rule: 'contains', value: 'a', sql: '1' })],
    ['filters: password_hash', filtered({ field: 'password_hash', rule: 'equals', value: 'a' })],
    ['filters: __proto__', { filters: '{"items":[{"field":"__proto__","rule":"is","value":null}]}' }],
    ['filters: name above', filtered({ field: 'name', rule: 'above', value: 'a' })],
    ['filters: groups equals', filtered({ field: 'groups', rule: 'equals', value: A })],
    ['filters: name value', filtered({ field: 'name', rule: 'contains', value: 7 })],
    ['filters: name value', filtered({ field: 'name', rule: 'contains', value: 'a\u0000b' })],
    ['filters: name value', filtered({ field: 'name', rule: 'contains', value: 'a\ud800' })],
    ['filters: kind value', filtered({ field: 'kind', rule: 'equals', value: ['a', 'b\u0000'] })],
    ['filters: age value', filtered({ field: 'age', rule: 'above', value: '7' })],
    ['filters: born value', filtered({ field: 'born', rule: 'above', value: 'yesterday' })],
    ['filters: born value', filtered({ field: 'born', rule: 'above', value: '+200000-01-01T00:00:00Z' })],
    ['filters: born value', filtered({ field: 'born', rule: 'above', value: '-200000-01-01T00:00:00Z' })],
    ['filters: active value', filtered({ field: 'active', rule: 'is', value: 'yes' })],
    ['filters: role value', filtered({ field: 'role', rule: 'equals', value: "' OR 1=1--" })],
    ['filters: groups value', filtered({ field: 'groups', rule: 'has', value: [A, 'x'] })],
  ])('%s', (said, params) => expect(refusedWith(params)).toBe(said));

  it('says a bounded part of what was sent', () => {
    const said = refusedWith({ sort: 'x'.repeat(10_000) }) ?? '';
    expect(said.length).toBeGreaterThan(0);
    expect(said.length).toBeLessThan(100);
  });
});

const text = fc.string({ maxLength: 40, unit: 'grapheme' }).filter((value) => !value.includes('\u0000'));
const valueOf: Record<FilterKind, fc.Arbitrary<FilterItem['value']>> = {
  text,
  number: fc.integer(),
  time: fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true }).map((date) => date.toISOString()),
  flag: fc.boolean(),
  choice: fc.oneof(text, fc.array(text, { maxLength: 3 })),
  ref: fc.oneof(fc.uuid(), fc.array(fc.uuid(), { maxLength: 3 })),
  refs: fc.oneof(fc.uuid(), fc.array(fc.uuid(), { maxLength: 3 })),
};
const item: fc.Arbitrary<FilterItem> = fc
  .constantFrom(...Object.entries(area.filters))
  .chain(([field, kind]) =>
    fc
      .constantFrom(...rulesByKind[kind])
      .chain((rule) => (rule === 'is' ? fc.constantFrom(null, true, false) : valueOf[kind]).map((value) => ({ field, rule, value }))),
  );
const query: fc.Arbitrary<ListQuery> = fc.record({
  page: fc.integer({ min: 1, max: 1_000_000 }),
  size: fc.integer({ min: 1, max: maxPageSize }),
  sort: fc.array(fc.constantFrom('name', '-name', 'age', '-born'), { maxLength: 5 }),
  with: fc.subarray(['groups', 'role']),
  filters: fc
    .array(item, { maxLength: 8 })
    .chain((items) =>
      fc.record({ match: items.length > 0 ? fc.constantFrom(...matchModes) : fc.constant('match_all' as const), items: fc.constant(items) }),
    ),
});

describe('any request', () => {
  it('that is written can be read back as it was', () => {
    fc.assert(
      fc.property(query, (wanted) => {
        expect(readQuery(writeQuery(wanted), area)).toEqual(wanted);
      }),
      { numRuns: 500 },
    );
  });
  it('survives an address', () => {
    fc.assert(
      fc.property(query, (wanted) => {
        const address = new URLSearchParams(writeQuery(wanted)).toString();
        expect(readQuery(Object.fromEntries(new URLSearchParams(address)), area)).toEqual(wanted);
      }),
      { numRuns: 200 },
    );
  });
  it('that is the default is written as nothing', () => expect(writeQuery(emptyQuery)).toEqual({}));

  const hostile = fc.oneof(
    fc.string({ maxLength: 60, unit: 'binary' }),
    fc.json({ maxDepth: 6 }),
    fc.constantFrom(
      '__proto__',
      'constructor',
      '{"__proto__":{}}',
      '{"items":[null]}',
      '{"items":[{"field":null}]}',
      '-',
      ',',
      '%00',
      '1e3',
      '0x1',
      ' 1 ',
    ),
    fc
      .record({
        field: fc.oneof(fc.constantFrom(...Object.keys(area.filters), 'toString'), fc.string()),
        rule: fc.oneof(fc.constantFrom(...filterRules), fc.string()),
        value: fc.anything(),
      })
      .map((one) => JSON.stringify({ items: [one] }, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))),
  );
  it('that is hostile is read or refused, and nothing else happens', () => {
    const names = ['page', 'size', 'sort', 'filters', 'with'] as const;
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.oneof(hostile, fc.array(hostile, { maxLength: 2 }))), (params) => {
        const said = refusedWith(params);
        if (said !== null) return;
        const read = readQuery(params as Record<string, string>, area);
        expect(read.page).toBeGreaterThanOrEqual(1);
        expect(read.size).toBeLessThanOrEqual(maxPageSize);
        for (const { field } of read.filters.items) expect(Object.keys(area.filters)).toContain(field);
        for (const field of read.sort) expect(area.sorts).toContain(field.replace(/^-/, ''));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('the users', () => {
  it('cannot be asked by a secret', () => {
    for (const field of ['password', 'password_hash', 'passwordHash', 'token'])
      expect(() => readQuery(filtered({ field, rule: 'begins_with', value: '$argon2' }), users)).toThrow(WrongQuery);
  });
});
