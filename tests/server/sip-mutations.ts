/** Numbers that look like chance and are the same each time (mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const nasty = [
  '\r\n',
  '\r',
  '\n',
  '\0',
  '"',
  '<',
  '>',
  ';',
  ',',
  '%',
  '%0d%0a',
  '::',
  '[',
  ']',
  '\\',
  '@',
  '=',
  ' ',
  '\t',
  '99999999999999999999',
  '-1',
  'ÿ',
  '😀',
  '((((',
  'sip:',
  ';tag=',
  ';branch=',
  '__proto__',
  'hasOwnProperty',
];

/** One message spoilt in one to five places: bytes turned, cut out, doubled, swapped, put in. */
export function mutate(text: string, random: () => number): string {
  const below = (most: number): number => Math.floor(random() * most);
  let now = text;
  for (let times = 1 + below(5); times > 0; times -= 1) {
    const [at, length] = [below(now.length + 1), below(30)];
    const [before, piece, after] = [now.slice(0, at), now.slice(at, at + length), now.slice(at + length)];
    const ways = [
      () => before + String.fromCodePoint(below(256)) + now.slice(at + 1),
      () => before + after,
      () => before + piece + piece + after,
      () => before + (nasty[below(nasty.length)] ?? '') + piece + after,
      () => before + piece.split('').toReversed().join('') + after,
      () =>
        now
          .split('\r\n')
          .toSorted(() => random() - 0.5)
          .join('\r\n'),
      () => before + piece.repeat(below(200)) + after,
      () => now.slice(0, at),
    ];
    now = (ways[below(ways.length)] ?? (() => now))();
  }
  return now;
}
