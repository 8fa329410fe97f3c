import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calls } from '#models/api.ts';
import type { GeneratedGroup } from '#models/groups.ts';
import type { Profile } from '#models/profile.ts';
import { above, forestOf, linesOf, matching } from '#src/components/group-tree-nodes.ts';
import { groupText, wholeGroupText } from '#src/components/group-text.ts';
import { fileIssue, pictureTypes } from '#src/components/picture-file.ts';
import { onlyHere } from '#src/resources/audit/audit-value.tsx';
import { flattened } from '#src/resources/audit/flattened.ts';
import { asLevel, freshLevel, numbersIn } from '#models/forms/generated-groups.ts';
import { countOf, replaced } from '#src/resources/groups/generated.ts';
import { mayManage } from '#src/resources/groups/may-manage.ts';
import { anotherRole, ownGroups, ownRecord } from '#src/resources/users/locks.ts';
import { passwordIssues } from '#models/forms/password-twice.ts';
import { makePassword } from '#src/resources/users/make-password.ts';
import { uuid } from '#tests/support/people.ts';
import { inTime } from '#tests/support/in-time.ts';
import { annaWith, node } from './support/area-page.ts';

describe('the tree of groups', () => {
  const forest = forestOf([
    node(1, null, 'Riverside'),
    node(2, 1, 'Tower A'),
    node(3, 2, 'Floor 1'),
    node(4, 3, '11'),
    node(5, 1, 'Tower B'),
    node(6, 99, 'Hidden parent'),
  ]);
  it('puts a group whose parent one may not see at the top', () =>
    expect(forest.roots.map(({ name }) => name)).toEqual(['Riverside', 'Hidden parent']));
  it('knows the way down to a group', () => {
    expect(above(forest, uuid(4))).toEqual([uuid(3), uuid(2), uuid(1)]);
  });
  it('says where a group is by the last steps of its path', () => {
    const flat = { name: '11', path: ['Riverside', 'Tower A', 'Floor 1', '11'] };
    expect(groupText(flat)).toBe('Tower A · Floor 1 · 11');
    expect(wholeGroupText(flat)).toBe('Riverside · Tower A · Floor 1 · 11');
    expect(groupText({ name: 'Tower A', path: ['Riverside', 'Tower A'] })).toBe('Riverside · Tower A');
    expect([groupText({ name: '11' }), wholeGroupText({ name: '11', path: [] })]).toEqual(['11', '11']);
  });
  it('draws what is open, with its place among its brothers', () => {
    const lines = linesOf(forest, new Set([uuid(1)]));
    expect(lines.map(({ node: { name }, level, place, brothers, hasChildren, open }) => [name, level, place, brothers, hasChildren, open])).toEqual([
      ['Riverside', 1, 1, 2, true, true],
      ['Tower A', 2, 1, 2, true, false],
      ['Tower B', 2, 2, 2, false, false],
      ['Hidden parent', 1, 2, 2, false, false],
    ]);
  });
  it('shows what matches a search with all above it, whatever is open', () => {
    const shown = matching(forest, 'FLOOR');
    expect(linesOf(forest, new Set(), shown).map(({ node: { name } }) => name)).toEqual(['Riverside', 'Tower A', 'Floor 1']);
    expect(matching(forest, '  ')).toBeUndefined();
  });
  it('survives parents that go round in circles', () => {
    const round = forestOf([node(1, 2), node(2, 1)]);
    expect(above(round, uuid(1))).toEqual([uuid(2), uuid(1)]);
    expect(linesOf(round, new Set())).toEqual([]);
  });
  it('draws 2,000 open groups in a moment', () => {
    const many = forestOf(Array.from({ length: 2_000 }, (_, at) => node(at + 1, at === 0 ? null : Math.ceil(at / 10))));
    const before = performance.now();
    expect(linesOf(many, new Set(many.below.keys()))).toHaveLength(2_000);
    expect(performance.now() - before).toBeLessThan(inTime(1_000));
  });
});

describe('groups to be generated', () => {
  it('reads numbers and ranges as people write them', () => {
    expect(numbersIn('13, 20-22; 5')).toEqual([13, 20, 21, 22, 5]);
    expect(numbersIn('')).toEqual([]);
    for (const wrong of ['x', '5-3', '1-', '-1', '1-99999999']) expect(numbersIn(wrong)).toBeNull();
  });
  it('sends levels that the contract takes', () => {
    const level = { ...freshLevel(1), type: uuid(7), count: '4', prefix: 'Floor ', from: '1', except: '13' };
    const sent = calls.generateGroups.body.parse({ levels: [asLevel(level)] });
    expect(sent.levels[0]).toEqual({
      id: uuid(7),
      count: 4,
      prefix: 'Floor ',
      logic_number: true,
      numeration: { from: 1, except: [13], is_in_youngest_num: false, is_start_youngest_num: false },
    });
  });
  it('refuses what is no number', () => {
    const level = { ...freshLevel(1), type: uuid(7), count: 'many' };
    expect(calls.generateGroups.body.safeParse({ levels: [asLevel(level)] }).success).toBe(false);
  });
  it('is looked over: renamed, left out with all below', () => {
    const leaf = (name: string, children: GeneratedGroup[] = []): GeneratedGroup => ({
      name,
      domain_type_id: uuid(7),
      logic_address: null,
      children,
    });
    const tree = [leaf('A', [leaf('A1'), leaf('A2', [leaf('A21')])]), leaf('B')];
    expect(countOf(tree)).toBe(5);
    expect(replaced(tree, [0, 1, 0], { name: 'new' })[0]?.children[1]?.children[0]?.name).toBe('new');
    expect(countOf(replaced(tree, [0, 1], null))).toBe(3);
    expect(tree[0]?.children).toHaveLength(2);
  });
});

describe('a made password', () => {
  it('has letters of both cases, four digits and two symbols, and obeys the contract', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
        const made = makePassword((below) => (numbers.next().value ?? 0) % below);
        expect([made.length, made.match(/\d/g)?.length, made.match(/[^a-z\d]/gi)?.length]).toEqual([14, 4, 2]);
        expect(passwordIssues({ password: made, repeat: made })).toEqual([]);
      }),
    );
  });
  it('is never the same twice', () => expect(new Set(Array.from({ length: 200 }, () => makePassword())).size).toBe(200));
  it('must be typed twice alike and be good enough', () => {
    expect(passwordIssues({ password: '', repeat: '' }).map(({ rule }) => rule)).toEqual(['required']);
    expect(passwordIssues({ password: 'short', repeat: 'short' }).map(({ rule }) => rule)).toEqual(['min_length']);
    expect(passwordIssues({ password: 'Secret-2026', repeat: 'Secret-2027' })).toEqual([{ path: ['repeat'], rule: 'must_match', params: {} }]);
  });
});

describe('who may change what', () => {
  const groupsOf = (profile: Profile, id: string) => ({ profile, row: { id } as Parameters<ReturnType<typeof mayManage>>[0]['row'] });
  const mine = uuid(3);
  it('opens of one’s own group the part one was given', () => {
    const part = mayManage('can_manage_own_group_users');
    expect(part(groupsOf(annaWith('can_manage_own_group_users'), mine))).toBe(false);
    expect(part(groupsOf(annaWith('can_manage_own_group_general'), mine))).toBe(true);
    expect(part(groupsOf(annaWith('can_manage_own_group_users'), uuid(44)))).toBe(true);
    expect(part(groupsOf(annaWith('can_edit_descendant_groups'), uuid(44)))).toBe(false);
    expect(part(groupsOf(annaWith('can_edit_all_groups'), mine))).toBe(false);
    expect(part({ profile: annaWith('can_view_users'), row: null })).toBe(false);
  });
  it('keeps the place in the tree for those who edit the whole group', () => {
    expect(mayManage(null)(groupsOf(annaWith('can_manage_own_group_general'), mine))).toBe(true);
    expect(mayManage(null)(groupsOf(annaWith('can_edit_descendant_groups'), uuid(44)))).toBe(false);
  });
  it('locks what would raise oneself', () => {
    const self = { id: uuid(1) };
    expect(ownRecord({ profile: annaWith('can_view_users'), row: self })).toBe(true);
    expect(ownRecord({ profile: annaWith('can_edit_all_users'), row: self })).toBe(false);
    expect(ownGroups({ profile: annaWith('can_edit_all_users'), row: self })).toBe(true);
    expect(ownGroups({ profile: annaWith('can_edit_all_users', 'can_view_all_groups'), row: self })).toBe(false);
    expect(anotherRole({ profile: annaWith('can_edit_all_users'), row: { id: uuid(9) } })).toBe(true);
    expect(anotherRole({ profile: annaWith('can_edit_users_role'), row: { id: uuid(9) } })).toBe(false);
    expect(anotherRole({ profile: annaWith('can_create_users'), row: null })).toBe(false);
  });
});

describe('an entry of the audit trail', () => {
  it('opens blocks and shows only what differs in them', () => {
    expect(
      flattened({
        name: { before: 'A', after: 'B' },
        profile: { before: { phone: '1', address: 'x' }, after: { phone: '2', address: 'x' } },
        role: { before: null, after: { id: uuid(1), name: 'R' } },
      }),
    ).toEqual([
      { path: 'name', before: 'A', after: 'B' },
      { path: 'profile.phone', before: '1', after: '2' },
      { path: 'role', before: null, after: { id: uuid(1), name: 'R' } },
    ]);
  });
  it('shows of lists what came and what went', () => {
    expect(onlyHere(['a', 'b'], ['b', 'c'])).toEqual(['a']);
    expect(onlyHere(['a'], null)).toEqual(['a']);
  });
});

describe('a file for the server', () => {
  it('is refused before it is sent when it is larger than the server takes, in kB (spec A5)', () => {
    expect(fileIssue({ size: 10 * 1_024 * 1_024 })).toBeUndefined();
    expect(fileIssue({ size: 10 * 1_024 * 1_024 + 1 })).toEqual({ rule: 'max_file_size', params: { size: 10_240 } });
    expect(pictureTypes).not.toContain('gif');
  });
});
