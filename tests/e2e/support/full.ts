import { it } from 'vitest';

/** Whether this is `npm run test:full`: all that there is, however long it takes. */
export const isFull = process.env['RACES'] === 'full';
/** A test of `npm run test:full` alone: half a minute and more, in what other tests cover in part. */
export const itInFull = it.runIf(isFull);
