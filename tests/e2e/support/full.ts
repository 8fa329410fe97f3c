/** Whether this is `npm run test:full`, which also has what takes half a minute and more and is covered in part by other tests. */
export const isFull = process.env['RACES'] === 'full';
