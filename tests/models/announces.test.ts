import { describe, expect, it } from 'vitest';
import { amenityReservations } from '#models/amenity-reservations.ts';
import { announceIssues } from '#models/announces.ts';

describe('what is wrong with an announcement', () => {
  const nobody = { users: [], domains: [], roles: [], markers: [] };
  const [early, late] = ['2026-06-17T10:00:00Z', '2026-06-17T11:00:00Z'];
  it.each<[string, Record<string, unknown>, string[]]>([
    ['nobody is named', nobody, ['users announce_needs_recipients']],
    ['people are named', { ...nobody, users: ['anna'] }, []],
    ['a marker is named', { ...nobody, markers: ['red'] }, []],
    ['some fields are left out', { users: [] }, []],
    ['a poll without answers', { type: 'poll', answers: [] }, ['answers poll_needs_answers']],
    ['a poll with one of one’s own', { type: 'poll', answers: [], custom_answer: true }, []],
    ['a poll with answers', { type: 'poll', answers: ['yes'] }, []],
    ['a poll whose answers stay', { type: 'poll' }, []],
    ['information without answers', { type: 'info', answers: [] }, []],
    ['an end before the beginning', { execute_at: late, ends_at: early }, ['ends_at moment_order']],
    ['an end with the beginning', { execute_at: late, ends_at: late }, ['ends_at moment_order']],
    ['an end after the beginning', { execute_at: early, ends_at: late }, []],
    ['no beginning', { execute_at: null, ends_at: early }, []],
    ['no end', { execute_at: late, ends_at: null }, []],
  ])('%s', (_what, wire, wanted) => expect(announceIssues(wire).map(({ path, rule }) => `${path.join('.')} ${rule}`)).toEqual(wanted));
});

it.each([
  [undefined, 'reservation_needs_slot'],
  [null, 'reservation_needs_slot'],
  ['morning', 'invalid'],
])('a reservation whose slot is %j: %s', (timeSlots, rule) => {
  const draft = { amenity: { id: '5f0c8b1e-1d3a-4f6e-9a55-2a8a0a6e9a11', name: 'Pool' }, date: '2031-05-05', numberOfPersons: 1, timeSlots };
  expect(
    amenityReservations
      .check({ ...amenityReservations.initial, ...draft })
      .filter(({ path }) => path[0] === 'timeSlots')
      .map((issue) => issue.rule),
  ).toEqual([rule]);
});
