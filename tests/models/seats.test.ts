import { describe, expect, it } from 'vitest';
import { isScarce } from '#models/seats.ts';

const seats = (used: number, available: number | null) => isScarce({ feature: 'sip', used, available });

describe('seats', () => {
  it('are scarce from exactly 80 % on, whatever the number', () => {
    for (let available = 5; available <= 5_000; available += 5) {
      const limit = (available / 5) * 4;
      expect([available, seats(limit - 1, available), seats(limit, available)]).toEqual([available, false, true]);
    }
  });
  it('are never scarce without a limit, nor while none is taken', () => {
    expect([seats(1_000_000, null), seats(0, 0), seats(0, 10), seats(1, 0)]).toEqual([false, false, false, true]);
  });
});
