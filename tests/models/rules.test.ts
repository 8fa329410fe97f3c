import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import * as rules from '#models/rules.ts';
import { toIssues } from '#models/issues.ts';

const A = '5f0c8b1e-1d3a-4f6e-9a55-2a8a0a6e9a11';
const B = '0b0e7a52-7a7a-4a0c-8f59-6b0f6f3a4c22';

/** What a rule says to a value: the value it keeps, or `rule` and its parameters. */
function said(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (result.success) return { parsed: result.data };
  const [first] = toIssues(result.error);
  return Object.keys(first?.params ?? {}).length > 0 ? [first?.rule, first?.params] : first?.rule;
}
const keeps = (value: unknown) => ({ parsed: value });
const length = (rule: string, n: number) => [rule, { length: n }];

interface Table {
  name: string;
  schema: z.ZodType;
  cases: readonly [value: unknown, answer: unknown][];
}

const missing: [value: unknown, answer: unknown][] = [
  [undefined, 'required'],
  [null, 'required'],
];

const tables: Table[] = [
  {
    name: 'a place is a whole number within its bounds, and says by its own rule what lies outside',
    schema: rules.placeIn(1, 64, 'relays_out_of_range'),
    cases: [
      [1, keeps(1)],
      [64, keeps(64)],
      [0, 'relays_out_of_range'],
      [65, 'relays_out_of_range'],
      [1.5, 'number'],
      ['1', 'number'],
    ],
  },
  {
    name: 'text keeps what was typed, trimmed, up to a number of code points',
    schema: rules.text(5),
    cases: [
      ['', keeps('')],
      ['  a b  ', keeps('a b')],
      ['12345', keeps('12345')],
      ['123456', length('max_length', 5)],
      ['😀😀😀😀😀', keeps('😀😀😀😀😀')],
      ['😀😀😀😀😀😀', length('max_length', 5)],
      ['e\u0301e\u0301', keeps('e\u0301e\u0301')],
      ['e\u0301e\u0301e\u0301', length('max_length', 5)],
      ['שלום', keeps('שלום')],
      ['\u202eabc', keeps('\u202eabc')],
      ['a\u0000b', 'unstorable_characters'],
      ['a\ud83d', 'unstorable_characters'],
      ['\ude00a', 'unstorable_characters'],
      ["' OR 1", length('max_length', 5)],
      [7, 'invalid'],
      ...missing,
    ],
  },
  {
    name: 'a username',
    schema: rules.username(5),
    cases: [
      ['ann', keeps('ann')],
      ['', 'username_required'],
      ['   ', 'username_required'],
      ['annabel', length('max_length', 5)],
      ['an\u200bn', 'unseen_characters'],
      ['\u202enna', 'unseen_characters'],
      ...missing,
    ],
  },
  {
    name: 'a text that may be missing',
    schema: rules.optionalText(3),
    cases: [
      [null, keeps(null)],
      ['abc', keeps('abc')],
      ['abcd', length('max_length', 3)],
      [undefined, 'required'],
    ],
  },
  {
    name: 'a text that must be there',
    schema: rules.requiredText(3),
    cases: [['abc', keeps('abc')], ['', 'required'], ['   ', 'required'], ['abcd', length('max_length', 3)], ...missing],
  },
  {
    name: 'a name-like value',
    schema: rules.name(),
    cases: [
      ['A', keeps('A')],
      [' Tower B, No. 4 ', keeps('Tower B, No. 4')],
      [`. , - – _ ' ’ " & ( ) / № #`, keeps(`. , - – _ ' ’ " & ( ) / № #`)],
      ['O’Brien – flat 4', keeps('O’Brien – flat 4')],
      ['Анна-Мария Ёлкина', keeps('Анна-Мария Ёлкина')],
      ['שלום עולם', keeps('שלום עולם')],
      ['李小龙', keeps('李小龙')],
      ['Zoe\u0308', keeps('Zoe\u0308')],
      ['x'.repeat(31), keeps('x'.repeat(31))],
      ['x'.repeat(32), length('max_length', 31)],
      ['x'.repeat(40), length('max_length', 31)],
      ['𝒜'.repeat(31), keeps('𝒜'.repeat(31))],
      ['Anna 😀', 'name_characters'],
      ['<b>Anna</b>', 'name_characters'],
      ['a\nb', 'name_characters'],
      ['\u202eannA', 'name_characters'],
      ['a\u0000b', 'unstorable_characters'],
      ['', 'required'],
      ['  ', 'required'],
      [42, 'invalid'],
      ...missing,
    ],
  },
  {
    name: 'an e-mail address',
    schema: rules.email(),
    cases: [
      ['anna@riverside.example', keeps('anna@riverside.example')],
      [' anna@riverside.example ', keeps('anna@riverside.example')],
      ['anna', 'email'],
      ['anna@', 'email'],
      ['anna@riverside', 'email'],
      ['anna@@riverside.example', 'email'],
      ['anna@river side.example', 'email'],
      ['anna@riverside.example\r\nBcc: x@y.example', 'email'],
      ['', 'required'],
      ...missing,
    ],
  },
  {
    name: 'a phone number in international format',
    schema: rules.phone(),
    cases: [
      ['+12025550123', keeps('+12025550123')],
      ['+1 (202) 555-0123', keeps('+12025550123')],
      ['+7 999 123-45-67', keeps('+79991234567')],
      ['89991234567', ['phone', { phone: '+12025550123' }]],
      ['+0123456789', ['phone', { phone: '+12025550123' }]],
      ['+123456', ['phone', { phone: '+12025550123' }]],
      ['+1234567890123456', ['phone', { phone: '+12025550123' }]],
      ['+1202555O123', ['phone', { phone: '+12025550123' }]],
      ['', ['phone', { phone: '+12025550123' }]],
      ...missing,
    ],
  },
  {
    name: 'an IP address',
    schema: rules.ip(),
    cases: [
      ['0.0.0.0', keeps('0.0.0.0')],
      ['255.255.255.255', keeps('255.255.255.255')],
      ['192.168.0.10', keeps('192.168.0.10')],
      ['256.0.0.1', 'ip'],
      ['1.2.3', 'ip'],
      ['1.2.3.4.', 'ip'],
      ['1.2.3.4.5', 'ip'],
      ['01.2.3.4', 'ip'],
      ['localhost', 'ip'],
    ],
  },
  {
    name: 'an IP address with a bit prefix',
    schema: rules.ipWithPrefix(),
    cases: [
      ['10.0.0.0/8', keeps('10.0.0.0/8')],
      ['192.168.0.0/32', keeps('192.168.0.0/32')],
      ['192.168.0.0', 'ip_with_prefix'],
      ['192.168.0.0/33', 'ip_with_prefix'],
      ['192.168.0/24', 'ip_with_prefix'],
    ],
  },
  {
    name: 'a URL or an IP address',
    schema: rules.urlOrIp(),
    cases: [
      ['https://riverside.example/a?b=c', keeps('https://riverside.example/a?b=c')],
      ['rtsp://10.0.0.1:554/live', keeps('rtsp://10.0.0.1:554/live')],
      ['10.0.0.1', keeps('10.0.0.1')],
      ['broker', keeps('broker')],
      ['sip.riverside.example', keeps('sip.riverside.example')],
      ['sip.riverside.example:5061', keeps('sip.riverside.example:5061')],
      ['mqtt://user@broker.example:8883', keeps('mqtt://user@broker.example:8883')],
      ['10.0.0.1:8080', keeps('10.0.0.1:8080')],
      ['2001:db8::1', keeps('2001:db8::1')],
      ['[2001:db8::1]:5060', keeps('[2001:db8::1]:5060')],
      ['rtsp://[2001:db8::1]:554/live', keeps('rtsp://[2001:db8::1]:554/live')],
      ['2001:db8::1::2', 'url_or_ip'],
      ['[2001:db8::1]:65536', 'url_or_ip'],
      ['[panel]', 'url_or_ip'],
      ['10.0.0.256', 'url_or_ip'],
      ['10.0.0', 'url_or_ip'],
      ['1234', 'url_or_ip'],
      ['-broker', 'url_or_ip'],
      ['bro_ker', 'url_or_ip'],
      ['a..b', 'url_or_ip'],
      ['broker:65536', 'url_or_ip'],
      ['broker:0', 'url_or_ip'],
      ['https://broker:99999/a', 'url_or_ip'],
      ['https://10.0.0.300/a', 'url_or_ip'],
      ['broker/path', 'url_or_ip'],
      ['https://', 'url_or_ip'],
      ['javascript:alert(1)', 'url_or_ip'],
      ['https://a b', 'url_or_ip'],
    ],
  },
  {
    name: 'a subnet mask',
    schema: rules.subnetMask(),
    cases: [
      ['255.255.255.0', keeps('255.255.255.0')],
      ['255.255.252.0', keeps('255.255.252.0')],
      ['255.255.255.255', keeps('255.255.255.255')],
      ['255.0.255.0', 'subnet_mask'],
      ['0.0.0.0', 'subnet_mask'],
      ['192.168.0.1', 'subnet_mask'],
      ['255.255.255', 'subnet_mask'],
      ['/24', 'subnet_mask'],
    ],
  },
  {
    name: 'apartments of a floor',
    schema: rules.apartmentRanges(120),
    cases: [
      ['12-16, 18', keeps('12-16, 18')],
      ['12–16', keeps('12–16')],
      ['7, 7a, 8', keeps('7, 7a, 8')],
      ['', keeps('')],
      ['16-12', 'apartment_ranges'],
      ['12-', 'apartment_ranges'],
      ['12,,13', 'apartment_ranges'],
      ['twelve', 'apartment_ranges'],
    ],
  },
  {
    name: 'digits',
    schema: rules.numeric(),
    cases: [
      ['0042', keeps('0042')],
      ['4.2', 'numeric'],
      ['-4', 'numeric'],
      ['٤٢', 'numeric'],
    ],
  },
  {
    name: 'a number or a HEX code',
    schema: rules.numberOrHex(),
    cases: [
      ['1234', keeps('1234')],
      ['0xFF', keeps('0xFF')],
      ['deadBEEF', keeps('deadBEEF')],
      ['xyz', 'number_or_hex'],
      ['0x', 'number_or_hex'],
    ],
  },
  {
    name: 'Latin letters and digits',
    schema: rules.alphanumeric(),
    cases: [
      ['Abc123', keeps('Abc123')],
      ['Abc 123', 'alphanumeric'],
      ['Абв', 'alphanumeric'],
    ],
  },
  {
    name: 'letters, digits, dash and underscore',
    schema: rules.slug(),
    cases: [
      ['a-b_C1', keeps('a-b_C1')],
      ['a\\b', 'slug'],
      ['a b', 'slug'],
    ],
  },
  {
    name: 'the same with a backslash',
    schema: rules.slugOrBackslash(),
    cases: [
      ['a\\b-c_1', keeps('a\\b-c_1')],
      ['a/b', 'slug_or_backslash'],
    ],
  },
  {
    name: 'ASCII only',
    schema: rules.ascii(10),
    cases: [
      ['a b~!', keeps('a b~!')],
      ['é', 'ascii'],
      ['a\tb', 'ascii'],
      ['12345678901', length('max_length', 10)],
    ],
  },
  {
    name: 'a whole number in bounds',
    schema: rules.wholeNumber(1, 500),
    cases: [
      [1, keeps(1)],
      [500, keeps(500)],
      [0, ['between', { min: 1, max: 500 }]],
      [501, ['between', { min: 1, max: 500 }]],
      [1.5, 'number'],
      ['5', 'number'],
      [Number.NaN, 'number'],
      [Number.POSITIVE_INFINITY, 'number'],
      [2 ** 60, ['at_most', { max: Number.MAX_SAFE_INTEGER }]],
      ['', 'required'],
      ...missing,
    ],
  },
  {
    name: 'a limit or none',
    schema: rules.limit(0, 10),
    cases: [
      [null, keeps(null)],
      [0, keeps(0)],
      [11, ['between', { min: 0, max: 10 }]],
    ],
  },
  {
    name: 'an account password',
    schema: rules.password(),
    cases: [
      ['Doorward-2026', keeps('Doorward-2026')],
      ['ДлинныйПароль1', keeps('ДлинныйПароль1')],
      ['  Ab345678 ', keeps('  Ab345678 ')],
      ['Short-12a', length('min_length', 10)],
      [`Aa1${'x'.repeat(126)}`, length('max_length', 128)],
      ['correct horse battery', keeps('correct horse battery')],
      ...missing,
    ],
  },
  {
    name: 'the SIP password of a device',
    schema: rules.devicePassword(),
    cases: [
      ['aB3.-!', keeps('aB3.-!')],
      [`aB3${'x'.repeat(28)}`, keeps(`aB3${'x'.repeat(28)}`)],
      ['aB3.-', length('min_length', 6)],
      [`aB3${'x'.repeat(29)}`, length('max_length', 31)],
      ['aB3 45', 'sip_password_characters'],
      ['пароль1A', 'sip_password_characters'],
      ['abcdef1', 'sip_password_mix'],
    ],
  },
  {
    name: 'a colour',
    schema: rules.color(),
    cases: [
      ['#2b5bd7', keeps('#2b5bd7')],
      ['#2B5BD7', keeps('#2B5BD7')],
      ['#fff', 'color'],
      ['red', 'color'],
      ['#2b5bd7;background:url(x)', 'color'],
      ...missing,
    ],
  },
  { name: 'a flag', schema: rules.flag(), cases: [[true, keeps(true)], [false, keeps(false)], ['true', 'invalid'], [1, 'invalid'], ...missing] },
  {
    name: 'one row of another area',
    schema: rules.ref('roles'),
    cases: [[A, keeps(A)], ['7', 'invalid'], [{ id: A }, 'invalid'], ['', 'required'], ...missing],
  },
  {
    name: 'several rows of another area, each once',
    schema: rules.refs('groups', 1, 'user_needs_group'),
    cases: [
      [[A, B, A], keeps([A, B])],
      [[], 'user_needs_group'],
      [['x'], 'invalid'],
      [A, 'invalid'],
    ],
  },
  {
    name: 'one of a closed set of words',
    schema: rules.choice(['once', 'never']),
    cases: [
      ['once', keeps('once')],
      ['always', ['one_of', { values: 'once, never' }]],
      ['constructor', ['one_of', { values: 'once, never' }]],
      ...missing,
    ],
  },
];

for (const { name, schema, cases } of tables)
  describe(`${name}`, () => {
    it.each(cases)('%j is told %j', (value, answer) => expect(said(schema, value)).toEqual(answer));
  });

describe('two fields that must match', () => {
  const { check, issue } = rules.mustMatch('password', 'again');
  it('compares them and blames the second', () => {
    expect(check({ password: 'a', again: 'a' })).toBe(true);
    expect(check({ password: 'a', again: 'b' })).toBe(false);
    expect(issue).toEqual({ message: 'must_match', params: { rule: 'must_match' }, path: ['again'] });
  });
});

describe('what can be kept', () => {
  it.each([
    ['plain', true],
    ['😀', true],
    ['', true],
    ['\u0001', true],
    ['\u0000', false],
    ['\ud800', false],
    ['\udc00', false],
    ['\udc00\ud800', false],
  ])('%j: %s', (value, answer) => expect(rules.isStorable(value)).toBe(answer));
});
