/** Whether this is `npm run test:full`: races, kills and figures as often as they ask for, and what takes half a minute and is covered in part elsewhere. */
export const isFull = process.env['RACES'] === 'full';
