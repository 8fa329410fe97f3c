import { commonWords } from './common-words.ts';

/** Signs put for letters that they look like. */
const lookalikes: Readonly<Record<string, string>> = { '@': 'a', '4': 'a', '3': 'e', '1': 'i', '!': 'i', '0': 'o', $: 's', '5': 's', '7': 't' };
/** Rows that a finger goes along, there and back. */
const rows = [
  '01234567890',
  '1234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn',
];
const walks = rows.flatMap((row) => [row, Array.from(row).toReversed().join('')]).map((row) => row.repeat(3));
const fewest = 4;

const unaltered = (text: string): string => text.replaceAll(/[@4310!$57]/g, (sign) => lookalikes[sign] ?? sign);
const bare = (text: string): string => text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
const isWord = (text: string): boolean => commonWords.has(text.replaceAll(/[^\p{L}]/gu, ''));
/** The shortest text that gives this one when said over and over. */
const unitOf = (text: string): string => text.slice(0, (text + text).indexOf(text, 1));

/**
 * Whether a password is one of those that are tried first: a well-known word or name with digits or signs around it or in the place of
 * letters, the same over and over, or a row of keys.
 */
export function isCommonPassword(password: string): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  if (new Set(text).size <= fewest || walks.some((walk) => walk.includes(text))) return true;
  const unit = unitOf(text);
  const shapes = [text, unit].flatMap((one) => [bare(one), unaltered(bare(one)), bare(unaltered(one)), unitOf(bare(one))]);
  return shapes.some((shape) => isWord(shape) || walks.some((walk) => shape.length > fewest && walk.includes(shape)));
}
