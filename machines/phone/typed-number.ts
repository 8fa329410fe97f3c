import { dialable } from '#models/sip.ts';

const key = /^[\d*#+]$/;
const longest = 64;

/** May the number be called? Digits, `*`, `#`, a leading `+`, 32 at most; nothing else ever reaches the wire. */
export const isDialable = (number: string): boolean => dialable.test(number);

/** The number with one more key; a `+` only at the beginning. */
export const withKey = (number: string, pressed: string): string =>
  key.test(pressed) && number.length < longest && (pressed !== '+' || number === '') ? number + pressed : number;

/**
 * What is to be dialled of a pasted text: separators and `tel:` go. A text with anything else in it (letters, a SIP address, control
 * characters) is no number and answers null: half of it would be somebody else's.
 */
export function pastedNumber(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^tel:/i, '')
    .replaceAll(/[\s()./\-\u00A0\u2010-\u2015]/g, '');
  return isDialable(bare) ? bare : null;
}
