import { isFull } from './extent.ts';
/**
 * A bound in time, in ms: as said with `TESTS=full`, which runs on a quiet machine; ten times as long elsewhere, where only the order
 * of magnitude can be guarded.
 */
export const inTime = (ms: number): number => (isFull ? ms : ms * 10);

/**
 * How long a test waits for what must come, in ms. It says nothing about how soon that should be: a wait ends when it has come, and a machine
 * with seven times as much to do as it can takes its time.
 */
export const longestWait = 60_000;
