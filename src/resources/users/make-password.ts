const letters = 'abcdefghijkmnopqrstuvwxyz';
const capitals = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const digits = '23456789';
const symbols = '!@#$%*+=-_';

type Random = (below: number) => number;

/** An unpredictable whole number from 0 up to but without `below`; values that would favour some numbers are thrown away. */
const unpredictable: Random = (below) => {
  const box = new Uint32Array(1);
  const limit = 2 ** 32 - (2 ** 32 % below);
  for (;;) {
    const [value = 0] = crypto.getRandomValues(box);
    if (value < limit) return value % below;
  }
};

const pick = (from: string, count: number, random: Random): string[] => Array.from({ length: count }, () => from[random(from.length)] ?? '');

function shuffled(items: string[], random: Random): string[] {
  const result = [...items];
  for (let at = result.length - 1; at > 0; at -= 1) {
    const other = random(at + 1);
    [result[at], result[other]] = [result[other] ?? '', result[at] ?? ''];
  }
  return result;
}

/** A fresh password: letters of both cases, four digits, two symbols; no letters that look alike. */
export function makePassword(random: Random = unpredictable): string {
  return shuffled([...pick(letters, 5, random), ...pick(capitals, 3, random), ...pick(digits, 4, random), ...pick(symbols, 2, random)], random).join(
    '',
  );
}
