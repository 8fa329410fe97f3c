import { describe, expect, it } from 'vitest';
import { isZoneName } from '#models/zone.ts';
import { isChosen, offsetText, zoneChoices, zonesFound } from '#src/views/profile/zones.ts';

const winter = Date.parse('2026-01-15T12:00:00Z');
const [english, russian] = ['en', 'ru'].map((locale) => zoneChoices(locale, winter, 'all year')) as [
  ReturnType<typeof zoneChoices>,
  ReturnType<typeof zoneChoices>,
];
const found = (choices: typeof english, search: string) => zonesFound(choices, search).map(({ name, second }) => `${name}, ${second}`);

describe('the time zones to choose from', () => {
  it('are those the runtime knows, each once and acceptable to the server, then the hours', () => {
    expect(new Set(english.map(({ id }) => id)).size).toBe(english.length);
    expect(english.flatMap(({ zoneName }) => (zoneName === null || isZoneName(zoneName) ? [] : [zoneName]))).toEqual([]);
    expect(english.slice(-27).map(({ zoneHours }) => zoneHours)).toEqual(Array.from({ length: 27 }, (_, at) => at - 12));
  });
  it('stand from west to east, cities of an offset by the alphabet', () => {
    const names = english.map(({ name }) => name);
    expect(names[0]).toMatch(/^UTC−11 · /);
    const at = ['UTC−3:30 · St Johns', 'UTC+0 · London', 'UTC+1 · Berlin', 'UTC+1 · Madrid', 'UTC+5:30 · Kolkata', 'UTC+5:45 · Kathmandu'].map(
      (name) => names.findIndex((one) => one.replace('.', '') === name),
    );
    expect(at).toEqual(at.toSorted((one, other) => one - other));
    expect(at).not.toContain(-1);
  });
  it('are found by city, country, offset, and the name a city had', () => {
    for (const search of ['kolkata', 'India', 'CALCUTTA', '+5:30 asia']) expect(found(english, search)).toContain('UTC+5:30 · Kolkata, India Time');
    expect(found(russian, 'индия')).toContain('UTC+5:30 · Kolkata, Индия');
    expect(found(russian, 'германия')).toContain('UTC+1 · Berlin, Германия');
    expect(found(russian, 'москва')).toContain('UTC+3 · Moscow, Москва');
    expect(found(english, 'honolulu hst')).toEqual(['UTC−10 · Honolulu, Hawaii-Aleutian Standard Time']);
    expect(found(english, 'utc-3:30')).toEqual(['UTC−3:30 · St Johns, St. John’s Time']);
    expect(found(english, 'nowhere at all')).toEqual([]);
  });
  it('know the one somebody has, by either of its names', () => {
    const held = (zoneName: string | null, zoneHours = 6) =>
      english.filter((choice) => isChosen(choice, { zoneHours, zoneName })).map(({ id }) => id);
    expect([held('Asia/Calcutta'), held('Asia/Kolkata'), held(null)]).toEqual([['Asia/Kolkata'], ['Asia/Kolkata'], ['6']]);
  });
  it('write an offset as people do', () =>
    expect([0, 3_600_000, -12_600_000, 20_700_000].map(offsetText)).toEqual(['UTC+0', 'UTC+1', 'UTC−3:30', 'UTC+5:45']));
});
