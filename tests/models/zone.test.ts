import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { profilePatch } from '#models/profile.ts';
import { toIssues } from '#models/issues.ts';
import { isZoneName, localTime, midnightOf, momentAt, offsetAt, wholeHours, type Zone } from '#models/zone.ts';

const at = Date.parse;
const hours = (zoneHours: number): Zone => ({ zoneHours, zoneName: null });
const named = (zoneName: string): Zone => ({ zoneHours: 0, zoneName });
const iso = (moment: number): string => new Date(moment).toISOString();

describe('a zone', () => {
  it('without a name has its hours all year', () =>
    expect(['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z'].map((moment) => offsetAt(hours(-8), at(moment)))).toEqual([-28_800_000, -28_800_000]));
  it.each([
    ['Asia/Kolkata', '2026-01-15T12:00:00Z', 330],
    ['Asia/Kathmandu', '2026-01-15T12:00:00Z', 345],
    ['America/St_Johns', '2026-01-15T12:00:00Z', -210],
    ['America/St_Johns', '2026-07-15T12:00:00Z', -150],
    ['Australia/Lord_Howe', '2026-07-15T12:00:00Z', 630],
    ['Europe/Berlin', '2026-03-29T00:59:59.999Z', 60],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', 120],
    ['Europe/Berlin', '2026-10-25T00:59:59.999Z', 120],
    ['Europe/Berlin', '2026-10-25T01:00:00Z', 60],
    ['Europe/Moscow', '2010-07-15T12:00:00Z', 240],
    ['Europe/Moscow', '2026-07-15T12:00:00Z', 180],
    ['UTC', '2026-07-15T12:00:00Z', 0],
  ])('%s at %s is %i minutes from UTC', (zoneName, moment, minutes) => expect(offsetAt(named(zoneName), at(moment)) / 60_000).toBe(minutes));
  it('of a name that the runtime does not know has the hours', () =>
    expect(offsetAt({ zoneHours: 3, zoneName: 'Mars/Olympus' }, at('2026-07-15T12:00:00Z'))).toBe(3 * 3_600_000));

  it('says of every clock time the moment it was meant for', () => {
    const zones = ['Europe/Berlin', 'Asia/Kolkata', 'America/Santiago', 'Africa/Cairo', 'Australia/Lord_Howe', 'America/New_York'];
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 40_000_000 }), (zoneName, minutes) => {
        const [zone, moment] = [named(zoneName), minutes * 60_000];
        expect(localTime(zone, momentAt(zone, localTime(zone, moment)))).toBe(localTime(zone, moment));
      }),
    );
  });
  it('takes the first of an hour that comes twice, and reads one that is skipped by the clocks before it', () => {
    const berlin = named('Europe/Berlin');
    expect(iso(momentAt(berlin, at('2026-10-25T02:30:00Z')))).toBe('2026-10-25T00:30:00.000Z');
    expect(iso(momentAt(berlin, at('2026-03-29T02:30:00Z')))).toBe('2026-03-29T01:30:00.000Z');
  });
  it.each([
    ['Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25T12:00:00Z', '2026-10-24T22:00:00.000Z'],
    ['Asia/Kolkata', '2026-03-10T18:45:00Z', '2026-03-10T18:30:00.000Z'],
    // The clocks move at midnight: that day begins at one.
    ['America/Santiago', '2026-09-06T12:00:00Z', '2026-09-06T04:00:00.000Z'],
  ])('%s: the day of %s begins at %s', (zoneName, moment, begin) => expect(iso(midnightOf(named(zoneName), at(moment)))).toBe(begin));

  it('is said in whole hours to those who know no names', () =>
    expect(
      [
        ['Asia/Kolkata', '2026-01-15T12:00:00Z'],
        ['Europe/Berlin', '2026-01-15T12:00:00Z'],
        ['Europe/Berlin', '2026-07-15T12:00:00Z'],
        ['Pacific/Kiritimati', '2026-07-15T12:00:00Z'],
      ].map(([zoneName = '', moment = '']) => wholeHours(zoneName, at(moment))),
    ).toEqual([6, 1, 2, 14]));
});

describe('the name of a zone', () => {
  it.each(['Asia/Kolkata', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'America/Port-au-Prince', 'UTC'])('may be %s', (zoneName) => {
    expect(isZoneName(zoneName)).toBe(true);
    expect(profilePatch.safeParse({ profile: { time_zone_name: zoneName } }).success).toBe(true);
  });
  it.each(['Mars/Olympus', 'Berlin', '+05:30', 'Europe/Berlin ', 'Europe/', '../Berlin', 'x'.repeat(65), ''])('may not be %j', (zoneName) =>
    expect(isZoneName(zoneName)).toBe(false),
  );
  it('that is unknown is told at its field', () => {
    const result = profilePatch.safeParse({ profile: { time_zone_name: 'Mars/Olympus' } });
    expect(result.error && toIssues(result.error).map(({ path, rule }) => [path.join('.'), rule])).toEqual([
      ['profile.time_zone_name', 'time_zone_name'],
    ]);
  });
  it('may be taken away', () => expect(profilePatch.safeParse({ profile: { time_zone_name: null } }).success).toBe(true));
});
