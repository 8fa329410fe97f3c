import { describe, expect, it } from 'vitest';
import { identifierTypes } from '#models/device-events.ts';
import { isGenerated, isNumbered, shownNumber, shownValue, storedNumber, storedValue, valueIssue } from '#models/identifier-value.ts';

it('cards and keys have numbers; what the server makes nobody types', () => {
  expect(identifierTypes.filter(isNumbered)).toEqual(['card', 'ukey']);
  expect(identifierTypes.filter(isGenerated).toSorted()).toEqual(['face', 'qr', 'ukey2', 'url']);
});

it.each([
  ['04:ab-12 cd', 'hex', '04AB12CD'],
  ['04ab12cd', 'dec', '04AB12CD'],
  ['0x12', 'dec', '00000012'],
  ['0X12', 'dec', '00000012'],
  ['12', 'hex', '00000012'],
  ['12', 'dec', '0000000C'],
  ['0078320333', 'dec', '04AB12CD'],
  ['f'.repeat(32), 'hex', 'F'.repeat(32)],
  ['f'.repeat(33), 'hex', null],
  [`${'0'.repeat(32)}${'f'.repeat(32)}`, 'hex', 'F'.repeat(32)],
  [`${'0'.repeat(33)}${'f'.repeat(32)}`, 'hex', null],
  ['340282366920938463463374607431768211455', 'dec', 'F'.repeat(32)],
  ['340282366920938463463374607431768211456', 'dec', null],
  ['12g', 'hex', null],
  ['0x', 'hex', null],
  ['', 'dec', null],
  ['1.5', 'dec', null],
] as const)('the number %j read as %s is stored as %j', (typed, format, stored) => expect(storedNumber(typed, format)).toBe(stored));

it('a stored number is shown in either notation, and what is none as it is', () => {
  expect([shownNumber('04AB12CD', 'dec'), shownNumber('04AB12CD', 'hex')]).toEqual(['0078320333', '04AB12CD']);
  expect([shownNumber('no number', 'dec'), shownNumber('FF', 'dec')]).toEqual(['no number', '0000000255']);
  expect([shownValue('card', 'FF', 'dec'), shownValue('access_code', '1234', 'dec')]).toEqual(['0000000255', '1234']);
});

it.each([
  ['card', '0x12', '00000012'],
  ['card', 'no number', 'no number'],
  ['license_plate', ' а 123-вс 77', 'A123BC77'],
  ['license_plate', 'авекмнорстух', 'ABEKMHOPCTYX'],
  ['license_plate', 'жф1', 'ЖФ1'],
  ['access_code', ' 1234 ', '1234'],
])('a %s typed as %j is stored as %j', (type, typed, stored) => expect(storedValue(type, typed)).toBe(stored));

describe('what is wrong with a value', () => {
  it.each([
    ['qr', '', undefined],
    ['face', null, undefined],
    ['card', '', 'required'],
    ['card', '  ', 'required'],
    ['card', null, 'required'],
    ['card', 7, 'required'],
    ['card', '04AB', undefined],
    ['ukey', 'xyz', 'number_or_hex'],
    ['access_code', '123', 'access_code_digits'],
    ['access_code', ' 1234 ', undefined],
    ['access_code', '12345678', undefined],
    ['access_code', '123456789', 'access_code_digits'],
    ['access_code', '12a4', 'access_code_digits'],
    ['license_plate', 'A', 'license_plate_characters'],
    ['license_plate', 'A1', undefined],
    ['license_plate', 'A 123 BC 77 99', undefined],
    ['license_plate', 'A123456789012', 'license_plate_characters'],
    ['license_plate', 'A_1', 'license_plate_characters'],
    ['another', 'anything', undefined],
  ])('%s %j: %s', (type, value, rule) => expect(valueIssue(type, value)?.rule).toBe(rule));
  it('says where, and how many digits a code has', () => {
    expect(valueIssue('access_code', 'x')).toEqual({ path: ['value'], rule: 'access_code_digits', params: { min: 4, max: 8 } });
    expect(valueIssue('card', '')).toEqual({ path: ['value'], rule: 'required', params: {} });
  });
});
