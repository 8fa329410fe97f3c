import type fc from 'fast-check';
import { isFull } from './extent.ts';

const share = isFull ? 1 : process.env['MUTANTS'] ? 10 : 4;
/**
 * So many runs of a property with `npm run test:full`, and a quarter of them elsewhere; a tenth under `npm run mutants`, where a wrong line has to
 * be noticed soon, and a rare one need not be found.
 */
export const runs = (count: number): fc.Parameters<unknown> & { numRuns: number } => ({ numRuns: Math.ceil(count / share) });
