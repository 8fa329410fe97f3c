import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelOf } from '#models/index.ts';
import type { Filters } from '#models/query.ts';
import { lastingQuery } from '#src/views/area/lasting-link.ts';
import { changedAddress, readAddress, searchedFields, withSearch } from '#src/views/area/list-address.ts';

const users = modelOf('users');
const read = (text: string) => readAddress(new URLSearchParams(text), users);
const after = (text: string, patch: Parameters<typeof changedAddress>[2]): string =>
  decodeURIComponent(changedAddress(new URLSearchParams(text), read(text), patch).toString());
const named = (name: string): Filters => ({ match: 'match_all', items: [{ field: 'name', rule: 'contains', value: name }] });

describe('the address of a list', () => {
  it('asks for the first page of twenty when it says nothing', () => {
    const { query, search, columns, wrong } = read('');
    expect({ query, search, columns, wrong }).toEqual({
      query: { page: 1, size: 20, sort: [], filters: { match: 'match_all', items: [] }, with: [] },
      search: '',
      columns: undefined,
      wrong: undefined,
    });
  });

  it('says which part of it the list does not have, and asks for everything instead', () => {
    const { query, wrong } = read('sort=password&page=3');
    expect([wrong?.parameter, wrong?.value, query.page, query.sort]).toEqual(['sort', 'password', 1, []]);
  });

  it('goes back to the first page with every change but turning the page and choosing columns', () => {
    expect(after('page=4', { sort: ['name'] })).toBe('sort=name');
    expect(after('page=4', { size: 50 })).toBe('size=50');
    expect(after('page=4', { search: 'anna' })).toBe('search=anna');
    expect(after('page=4', { page: 5 })).toBe('page=5');
    expect(after('page=4', { columns: ['role', 'login'] })).toBe('page=4&columns=role,login');
  });

  it('keeps what is not its own: the page in the stack, the way of drawing', () => {
    expect(after('pageId=7f&view=flat&page=2', { sort: ['-name'] })).toBe('pageId=7f&view=flat&sort=-name');
  });

  it('drops what became usual', () => {
    expect(after('search=anna&columns=role', { search: ' ' })).toBe('columns=role');
    expect(after('columns=role', { columns: undefined })).toBe('');
  });

  it('is read back as it was written, whatever filters it holds', () => {
    const item = fc.record({
      field: fc.constantFrom('name', 'login', 'email'),
      rule: fc.constantFrom('contains', 'equals', 'begins_with'),
      value: fc.string({ maxLength: 60 }),
    });
    const filters = fc.record({ match: fc.constantFrom('match_all', 'match_any'), items: fc.array(item, { minLength: 1, maxLength: 6 }) });
    fc.assert(
      fc.property(filters, fc.constantFrom(10, 20, 50, 100), (wanted, size) => {
        const address = changedAddress(new URLSearchParams(), read(''), { filters: wanted as Filters, size });
        const back = readAddress(address, users);
        expect([back.filters, back.query.size, back.wrong]).toEqual([wanted, size, undefined]);
      }),
    );
  });
});

describe('searching beside filters', () => {
  it('looks into any search field when nothing else is asked', () => {
    expect(withSearch(users, { match: 'match_all', items: [] }, ' anna ')).toEqual({
      match: 'match_any',
      items: ['name', 'email', 'login'].map((field) => ({ field, rule: 'contains', value: 'anna' })),
    });
  });
  it('never widens filters that must all hold', () => {
    const { match, items } = withSearch(users, named('x'), 'anna');
    expect([match, items.map(({ field }) => field)]).toEqual(['match_all', ['name', 'name']]);
    expect(searchedFields(users, named('x'))).toEqual(['name']);
  });
  it('joins filters of which any may hold', () => {
    const { match, items } = withSearch(users, { ...named('x'), match: 'match_any' }, 'anna');
    expect([match, items.length]).toEqual(['match_any', 4]);
  });
});

describe('a link to pass on', () => {
  const at = '2026-03-02T09:00:00.000Z';
  const until = (field: string) => ({ field, rule: 'equals_below', value: at });
  const linked = (area: 'device-events' | 'users', text: string) => {
    const { query, isFixed } = lastingQuery(modelOf(area), new URLSearchParams(text), at);
    const params = new URLSearchParams(query);
    return { isFixed, params, filters: JSON.parse(params.get('filters') ?? 'null') as unknown };
  };
  it('of a log names the moment it was made at, besides filters, order, page size and columns', () => {
    const type = { field: 'type', rule: 'equals', value: 'online' };
    const found = linked(
      'device-events',
      `size=50&columns=type,device&page=2&pageId=x&filters=${JSON.stringify({ match: 'match_all', items: [type] })}`,
    );
    expect(found.isFixed).toBe(true);
    expect(found.filters).toEqual({ match: 'match_all', items: [type, until('occurred_at')] });
    expect([found.params.get('size'), found.params.get('columns'), found.params.get('sort'), found.params.has('pageId')]).toEqual([
      '50',
      'type,device',
      '-occurred_at',
      false,
    ]);
    expect(linked('device-events', '').filters).toEqual({ match: 'match_all', items: [until('occurred_at')] });
    expect(readAddress(found.params, modelOf('device-events')).wrong).toBeUndefined();
  });
  it('keeps an end that is there already', () => {
    const items = [{ field: 'occurred_at', rule: 'below', value: '2026-01-01T00:00:00.000Z' }];
    expect(linked('device-events', `filters=${JSON.stringify({ match: 'match_all', items })}`).filters).toEqual({ match: 'match_all', items });
  });
  it('is the address itself where no end can be added, and of lists that are no log', () => {
    expect(linked('device-events', 'search=gate').isFixed).toBe(false);
    expect(
      linked('device-events', `filters=${JSON.stringify({ match: 'match_any', items: [{ field: 'type', rule: 'equals', value: 'online' }] })}`)
        .isFixed,
    ).toBe(false);
    expect(linked('users', 'sort=name').params.toString()).toBe('sort=name');
  });
});
