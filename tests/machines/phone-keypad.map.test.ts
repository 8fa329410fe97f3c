import type { EventFromLogic } from 'xstate';
import { describe, expect, it } from 'vitest';
import { keypadMachine } from '#machines/phone/keypad.machine.ts';
import { isDialable, pastedNumber, withKey } from '#machines/phone/typed-number.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { uuid } from '#tests/support/people.ts';

const samples = {
  'keypad.press': { type: 'keypad.press', key: '5' },
  'keypad.erase': { type: 'keypad.erase' },
  'keypad.clear': { type: 'keypad.clear' },
  'keypad.paste': [
    { type: 'keypad.paste', text: '5' },
    { type: 'keypad.paste', text: 'sip:1@2' },
  ],
  'keypad.call': { type: 'keypad.call', speechId: uuid(1), at: 0 },
  'keypad.video': { type: 'keypad.video', speechId: uuid(1), at: 0 },
  'keypad.dialled': { type: 'keypad.dialled', number: '5' },
  'dialled.stored': [
    { type: 'dialled.stored', number: '5' },
    { type: 'dialled.stored', number: 'sip:1@2' },
  ],
} satisfies Samples<EventFromLogic<typeof keypadMachine>>;

describe('the keypad', () => {
  mapTests(keypadMachine, {
    inputs: [{ number: '1001' }],
    samples,
    answers: { lastDialled: [] },
    words: ({ context }) => {
      const { typed, last } = context as { typed: string; last: string | null };
      return `[${typed === '' ? 'empty' : 'typed'}${last === null ? '' : ', dialled before'}]`;
    },
  });

  it('takes a plus only in front, and nothing that is no key', () => {
    expect([withKey('', '+'), withKey('1', '+'), withKey('1', 'a'), withKey('1', '#'), withKey('1', '12')]).toEqual(['+', '1', '1', '1#', '1']);
  });

  it.each([
    ['+44 20 7946-0958', '+442079460958'],
    ['tel:1003', '1003'],
    ['(10) 03', '1003'],
    ['*21#', '*21#'],
  ])('%s pasted is %s', (text, number) => expect(pastedNumber(text)).toBe(number));

  it.each(['sip:1003@evil', '1003%00', 'CALL ME', '', '1'.repeat(33), '10+03', '1003;phone-context=x'])('%j pasted is no number', (text) =>
    expect(pastedNumber(text)).toBeNull(),
  );

  it('a number is digits, stars, hashes and a leading plus, 32 at most', () => {
    expect(['1', '+1', '*#1', '1'.repeat(32)].every(isDialable)).toBe(true);
    expect(['', '+', '1'.repeat(33), '1 2', '1\n', 'a'].some(isDialable)).toBe(false);
  });
});
