import { expect, it } from 'vitest';
import { Garbage } from '#server/backups/garbage.ts';

const megabytes = (): number => process.memoryUsage().heapUsed / 1024 ** 2;

it('what a restore has read is collected before it grows beyond measure', () => {
  const garbage = new Garbage();
  const rows = Array.from({ length: 500_000 }, (_, at) => ({ at }));
  const before = megabytes();
  rows.length = 0;
  garbage.add(30_000_000);
  expect(megabytes()).toBeLessThan(before - 10);
});
