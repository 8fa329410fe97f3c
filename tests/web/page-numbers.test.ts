import { expect, it } from 'vitest';
import { pagesAround } from '#src/views/area/page-numbers.tsx';

it.each([
  [1, 1, [1]],
  [1, 2, [1, 2]],
  [2, 5, [1, 2, 3, 4, 5]],
  [1, 5, [1, 2, null, 5]],
  [1, 9, [1, 2, null, 9]],
  [3, 9, [1, 2, 3, 4, null, 9]],
  [4, 9, [1, 2, 3, 4, 5, null, 9]],
  [5, 9, [1, null, 4, 5, 6, null, 9]],
  [6, 9, [1, null, 5, 6, 7, 8, 9]],
  [9, 9, [1, null, 8, 9]],
  [50, 62, [1, null, 49, 50, 51, null, 62]],
])('page %i of %i', (page, pages, numbers) => expect(pagesAround(page, pages)).toEqual(numbers));
