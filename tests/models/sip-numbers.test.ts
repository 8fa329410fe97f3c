import { describe, expect, it } from 'vitest';
import { toIssues } from '#models/issues.ts';
import { phoneLine, sipNumbers } from '#models/sip-numbers.ts';

const id = '5f0c8b1e-1d3a-4f6e-9a55-2a8a0a6e9a11';
const wrong = (over: Record<string, unknown>) =>
  sipNumbers.check({ ...sipNumbers.initial, name: 'Desk', number: '101', ...over }).map(({ path, rule }) => `${path.join('.')} ${rule}`);
const named = { id, name: 'Somebody' };

describe('a virtual number', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ['of fifteen digits', { number: ' 123456789012345 ' }, []],
    ['of sixteen digits', { number: '1234567890123456' }, ['number max_length']],
    ['of none', { number: ' ' }, ['number required']],
    ['with a letter', { number: '10a' }, ['number numeric']],
    ['of one owner', { user: named }, []],
    ['of two owners', { user: named, device: named }, ['device one_owner']],
    ['of three owners', { user: named, device: named, domain: named }, ['device one_owner', 'domain one_owner']],
    ['forwarded to numbers that were not picked', { forward_mode: 'picked', forward_numbers: ['7'] }, ['picked_numbers forward_needs_number']],
    ['forwarded to numbers that were not typed', { forward_mode: 'manual', picked_numbers: [named] }, ['forward_numbers forward_needs_number']],
    ['forwarded to a picked one', { forward_mode: 'picked', picked_numbers: [named] }, []],
    ['not forwarded', { forward_mode: 'disabled' }, []],
  ])('%s', (_what, over, issues) => expect(wrong(over)).toEqual(issues));
});

it.each([
  ['+7 (495) 123-45-67', '+74951234567'],
  ['101', '101'],
  ['ring me', 'dialable'],
  [101, 'invalid'],
])('the number %j to forward to is %j', (typed, said) => {
  const read = phoneLine.safeParse(typed);
  expect(read.success ? read.data : toIssues(read.error)[0]?.rule).toBe(said);
});
