import { createHash } from 'node:crypto';
import { seededRandom } from '#server/random.ts';

/** A uuid that is the same in every demo world: made from what the row is called. */
export function demoId(name: string): string {
  const hex = createHash('sha256').update(`doorward demo ${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Numbers that look thrown but come in the same order every time. */
export function dice(seed: number): { below: (limit: number) => number; pick: <T>(list: readonly T[]) => T; chance: (share: number) => boolean } {
  const next = seededRandom(seed);
  return {
    below: (limit) => Math.floor(next() * limit),
    pick: (list) => {
      const item = list[Math.floor(next() * list.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    chance: (share) => next() < share,
  };
}
