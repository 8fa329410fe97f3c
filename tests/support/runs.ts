import type fc from 'fast-check';

/** So many runs of a property; a tenth of them under `npm run mutants`, where a wrong line has to be noticed soon, and a rare one need not be found. */
export const runs = (count: number): fc.Parameters<unknown> => ({ numRuns: process.env['MUTANTS'] ? Math.ceil(count / 10) : count });
