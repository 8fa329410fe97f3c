import { describe, expect, it } from 'vitest';
import { type ConsistencyItem, consistencyItems, consistencyTypes } from '#models/consistency.ts';

const item: ConsistencyItem = {
  type: 'quantity_exceeded',
  feature: 'sip',
  license_type: null,
  relation: { parent: { id: 'p', name: 'Parent' }, child: null },
  period: { from: 1, to: 2 },
  qty: { target: 3, available: 2 },
};

describe('what a refusal says of licences that do not fit', () => {
  it.each<[string, unknown, number]>([
    ...consistencyTypes.map((type): [string, unknown, number] => [type, { ...item, type }, 1]),
    ['a type that is none', { ...item, type: 'other' }, 0],
    ['the project itself as parent', { ...item, relation: { parent: null, child: { id: 'c', name: 'Child' } } }, 1],
    ['a parent without a name', { ...item, relation: { parent: { id: 'p' }, child: null } }, 0],
    ['a child without an id', { ...item, relation: { parent: null, child: { name: 'Child' } } }, 0],
    ['a child that is no row', { ...item, relation: { parent: null, child: 'Child' } }, 0],
    ['no relation', { ...item, relation: null }, 0],
    ['no period and no numbers', { ...item, period: null, qty: null }, 1],
    ['half a period', { ...item, period: { from: 1 } }, 0],
    ['a period of texts', { ...item, period: { from: '1', to: '2' } }, 0],
    ['numbers without what is available', { ...item, qty: { target: 3 } }, 0],
    ['numbers that are none', { ...item, qty: 3 }, 0],
    ['nothing', null, 0],
    ['a text', 'item', 0],
  ])('%s', (_what, one, read) => expect(consistencyItems({ items: [one, item] })).toHaveLength(read + 1));
  it('of other refusals is nothing', () => {
    expect([consistencyItems(null), consistencyItems({}), consistencyItems({ items: 'none' }), consistencyItems('items')]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(consistencyItems({ items: [item] })).toEqual([item]);
  });
});
