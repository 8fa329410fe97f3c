import { expect, it } from 'vitest';
import { isUncounted, mostCounted } from '#models/areas.ts';

it.each([
  ['device-events', mostCounted, false],
  ['device-events', mostCounted + 1, true],
  ['users', mostCounted + 1, false],
] as const)('the total of %s at %d is a lower bound: %s', (area, total, answer) => {
  expect(isUncounted(area, total)).toBe(answer);
});
