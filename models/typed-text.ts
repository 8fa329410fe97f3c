/** Text as it is looked for: without regard to case, ё as е, spaces single. */
export const folded = (text: string): string => text.toLowerCase().normalize('NFC').replaceAll('ё', 'е').replaceAll(/\s+/g, ' ').trim();

const latin = "`qwertyuiop[]asdfghjkl;'zxcvbnm,.";
const cyrillic = 'ёйцукенгшщзхъфывапролджэячсмитьбю';
const keys = Array.from(latin, (key, at) => [key, cyrillic.charAt(at)] as const);
const otherKey = new Map([...keys, ...keys.map(([one, other]) => [other, one] as const)]);

/** What the same keys type in the other layout (English or Russian); null where that changes nothing. */
export function inOtherLayout(text: string): string | null {
  const typed = text.toLowerCase();
  const other = Array.from(typed, (letter) => otherKey.get(letter) ?? letter).join('');
  return other === typed ? null : other;
}
