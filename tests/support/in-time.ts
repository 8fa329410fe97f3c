import { isFull } from './extent.ts';
/**
 * A bound in time, in ms: as said with `TESTS=full`, which runs on a quiet machine; four times as long elsewhere, where only the order
 * of magnitude can be guarded.
 */
export const inTime = (ms: number): number => (isFull ? ms : ms * 4);
