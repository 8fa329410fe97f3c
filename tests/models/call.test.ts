import { expect, it } from 'vitest';
import { answererOf, trunkRefusalWord } from '#models/call.ts';

it.each<[string, (number | null)[]]>([
  ['unauthorized', [401, 407]],
  ['forbidden', [403]],
  ['unknownNumber', [404, 410, 484, 604]],
  ['noAnswer', [408]],
  ['unavailable', [480]],
  ['busy', [486, 600]],
  ['incompatible', [488, 606]],
  ['declined', [603]],
  ['failed', [500, 503, 599]],
  ['refused', [400, 499, 605, 699]],
  ['silent', [null]],
])('a line outside was of no use, %s: %j', (word, statuses) => {
  expect(statuses.map((status) => trunkRefusalWord({ trunk: 'Line', status, reason: null }))).toEqual(statuses.map(() => word));
});

it.each([
  ['101', '101'],
  ['101-web', '101'],
  ['101-web-2', '101'],
  ['', null],
  ['-web', null],
  [null, null],
])('a call answered by %j was taken by %j', (answeredBy, number) => expect(answererOf(answeredBy)).toBe(number));
