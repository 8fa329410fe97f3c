import type { identifierFormats } from './constants.ts';
import type { IdentifierType } from './device-events.ts';
import type { Issue } from './issues.ts';

export type IdentifierFormat = (typeof identifierFormats)[number];

/** Types whose value is the number of a card or key; kept in upper-case HEX without 0x, at least 8 digits. */
const numbered: ReadonlySet<string> = new Set<IdentifierType>(['card', 'ukey']);
/** Types whose value the server makes: nobody types it. */
const generated: ReadonlySet<string> = new Set<IdentifierType>(['qr', 'url', 'face', 'ukey2']);
export const isNumbered = (type: unknown): boolean => numbered.has(String(type));
export const isGenerated = (type: unknown): boolean => generated.has(String(type));

const hexDigits = 8;
const decimalDigits = 10;
/** Readers tell at most 128 bits. */
const mostHexDigits = 32;

const asHex = (number: bigint): string => number.toString(16).toUpperCase().padStart(hexDigits, '0');

/** A number as it is kept; null for what is none. Digits with letters of HEX or 0x in front are HEX, whatever the format. */
export function storedNumber(typed: string, format: IdentifierFormat): string | null {
  const text = typed.replaceAll(/[\s:-]/g, '').toLowerCase();
  const digits = text.replace(/^0x/, '');
  const isHex = format === 'hex' || digits !== text || /[a-f]/.test(digits);
  if (!(isHex ? /^[\da-f]+$/ : /^\d+$/).test(digits) || digits.length > mostHexDigits * 2) return null;
  const stored = asHex(BigInt(isHex ? `0x${digits}` : digits));
  return stored.length > mostHexDigits ? null : stored;
}

/** A number that is kept, in the other notation or in the same: readers print ten decimal digits. */
export function shownNumber(stored: string, format: IdentifierFormat): string {
  if (format === 'hex' || !/^[\dA-F]+$/i.test(stored)) return stored;
  return BigInt(`0x${stored}`).toString().padStart(decimalDigits, '0');
}

/** A value as a person reads it: numbers of cards and keys in their own format. */
export const shownValue = (type: unknown, value: string, format: IdentifierFormat): string => (isNumbered(type) ? shownNumber(value, format) : value);

/** Cyrillic letters of number plates and the Latin ones they look like: cameras tell either. */
const lookalikes: Readonly<Record<string, string>> = {
  А: 'A',
  В: 'B',
  Е: 'E',
  К: 'K',
  М: 'M',
  Н: 'H',
  О: 'O',
  Р: 'P',
  С: 'C',
  Т: 'T',
  У: 'Y',
  Х: 'X',
};
const storedPlate = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[АВЕКМНОРСТУХ]/g, (letter) => lookalikes[letter] ?? letter);

/** A value as it is kept, of a type that people type. */
export function storedValue(type: unknown, value: string): string {
  if (isNumbered(type)) return storedNumber(value, 'hex') ?? value;
  if (type === 'license_plate') return storedPlate(value);
  return value.trim();
}

const issue = (rule: string, params: Issue['params'] = {}): Issue => ({ path: ['value'], rule, params });
const codeLength = { min: 4, max: 8 };

/** What is wrong with a value of a type; a value that the server makes may stand there, once it is made. */
export function valueIssue(type: unknown, value: unknown): Issue | null {
  if (isGenerated(type)) return null;
  if (typeof value !== 'string' || value.trim() === '') return issue('required');
  if (isNumbered(type)) return storedNumber(value, 'hex') === null ? issue('number_or_hex') : null;
  if (type === 'access_code')
    return new RegExp(`^\\d{${codeLength.min},${codeLength.max}}$`).test(value.trim()) ? null : issue('access_code_digits', codeLength);
  if (type === 'license_plate') return /^[\p{L}\p{Nd}]{2,12}$/u.test(storedPlate(value)) ? null : issue('license_plate_characters');
  return null;
}
