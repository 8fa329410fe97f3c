/**
 * How much a run of tests does, by the variable `TESTS`: `short` for `npm test`, `full` for `npm run test:full`. Without it everything that CI runs,
 * and whatever is named by hand.
 */
const extent = process.env['TESTS'];

/** Leaves out what CI has: see `selection.ts`. */
export const isShort = extent === 'short';
/** Races, kills and figures as often as they ask for, and what takes half a minute and is covered in part elsewhere. */
export const isFull = extent === 'full';
