import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blankDraft, compare, differs, issuesOf, merge, stillRefused, valueAt, withValue } from '#machines/editor/draft.ts';
import { urgent } from '#tests/support/markers.ts';
import { uuid } from '#tests/support/people.ts';

it('a list that an address says one value of starts with it', () => {
  expect(blankDraft('sip-trunks', { groups: 'north' })).toMatchObject({ groups: ['north'], name: '' });
});

describe('a draft', () => {
  it('changes at one place and nowhere else', () => {
    const draft = { name: 'Anna', profile: { phone: '', address: 'Quay 1' }, list: [{ a: 1 }, { a: 2 }] };
    const changed = withValue(withValue(draft, ['profile', 'phone'], '+12025550123'), ['list', 1, 'a'], 3);
    expect(changed).toEqual({ name: 'Anna', profile: { phone: '+12025550123', address: 'Quay 1' }, list: [{ a: 1 }, { a: 3 }] });
    expect(draft.profile.phone).toBe('');
    expect(valueAt(changed, ['list', 1, 'a'])).toBe(3);
    expect(withValue({}, ['whitelabel', 'name'], 'Doors')).toEqual({ whitelabel: { name: 'Doors' } });
  });

  it('differs only if the wire would carry something', () => {
    const base = blankDraft('users', { description: '' });
    expect(differs('users', { ...base, description: null }, base)).toBe(false);
    expect(differs('users', { ...base, role: { id: uuid(2), name: 'A' } }, { ...base, role: { id: uuid(2), name: 'Renamed' } })).toBe(false);
    expect(differs('users', { ...base, name: 'Anna' }, base)).toBe(true);
  });
});

describe('three versions of a record', () => {
  it('merge fields inside blocks one by one', () => {
    const base = { ...blankDraft('users', {}), profile: { phone: '+12025550100', address: 'Quay 1' } };
    const mine = { ...base, profile: { phone: '+12025550123', address: 'Quay 1' } };
    const row = { ...base, id: uuid(1), version: 2, profile: { phone: '+12025550100', address: 'Quay 2' } };
    const conflict = compare('users', base, mine, row);
    expect(conflict.fields.map(({ field, side }) => [field, side])).toEqual([
      ['profile.phone', 'mine'],
      ['profile.address', 'theirs'],
    ]);
    expect(merge('users', conflict)['profile']).toEqual({ phone: '+12025550123', address: 'Quay 2' });
  });

  it('that changed the same way do not disagree', () => {
    const base = { name: 'Urgent', color: '#ff0000' };
    expect(compare('markers', base, { ...base, name: 'Soon' }, { ...urgent, version: 2, name: 'Soon' }).fields).toEqual([]);
  });

  it('lose nothing that only one side changed, and ask about all that both did', () => {
    const word = fc.constantFrom('A', 'B', 'C');
    fc.assert(
      fc.property(
        fc.record({ name: word, color: word }),
        fc.record({ name: word, color: word }),
        fc.record({ name: word, color: word }),
        (base, mine, theirs) => {
          const conflict = compare('markers', base, mine, { ...urgent, ...theirs });
          const merged = merge('markers', conflict);
          for (const field of ['name', 'color'] as const) {
            const asked = conflict.fields.some((one) => one.field === field && one.side === null);
            expect(asked).toBe(mine[field] !== theirs[field] && mine[field] !== base[field] && theirs[field] !== base[field]);
            const due = asked || mine[field] === base[field] ? theirs[field] : mine[field];
            expect(merged[field]).toBe(due);
          }
        },
      ),
    );
  });
});

describe('what the server found', () => {
  const phone = { path: ['profile', 'phone'], rule: 'phone', params: {} };
  it('is read from the problem', () => {
    expect(issuesOf({ code: 'invalid_data', data: { issues: [phone] } })).toEqual([phone]);
    expect(issuesOf({ code: 'internal' })).toEqual([]);
  });
  it('goes when its field, or the block around it, is changed', () => {
    expect(stillRefused([phone], ['profile', 'address'])).toEqual([phone]);
    expect(stillRefused([phone], ['profile', 'phone'])).toEqual([]);
    expect(stillRefused([phone], ['profile'])).toEqual([]);
  });
});
