import { describe, expect, it } from 'vitest';
import { allLicensed, type Feature, flagsOf, inBoth, inEither, licenceInfo, licensed, nothingLicensed } from '#models/licence-info.ts';
import { licenceOf } from '#models/project-settings.ts';

const features: Feature[] = [
  'sip',
  'sipTrunks',
  'webDialer',
  'mobileApp',
  'whiteLabel',
  'elevator',
  'licensePlate',
  'guestFaces',
  'amenity',
  'ukey2',
  'guests',
];

describe('a licensed feature', () => {
  it.each(features)('%s needs the licence of the server and the flag of the person', (feature) => {
    expect([
      licensed(feature, allLicensed, allLicensed),
      licensed(feature, allLicensed, nothingLicensed),
      licensed(feature, nothingLicensed, allLicensed),
      licensed(feature, nothingLicensed, nothingLicensed),
    ]).toEqual([true, false, false, false]);
  });
  it('is off where its whole is off', () => {
    const silent = { ...allLicensed, sip: { ...allLicensed.sip, is_enabled: false } };
    expect([licensed('webDialer', silent, allLicensed), licensed('sipTrunks', allLicensed, silent), licensed('elevator', silent, silent)]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('the licence block', () => {
  it('takes a count, or none for no limit', () => {
    const counted = (license_count: unknown) => licenceInfo.safeParse({ ...allLicensed, ukey2: { is_enabled: true, license_count } }).success;
    expect([counted(null), counted(0), counted(500), counted(-1), counted('5'), counted(1.5)]).toEqual([true, true, true, false, false, false]);
  });
  it('takes all flags and no others', () => {
    expect(licenceInfo.safeParse({ ...allLicensed, teleport: { is_enabled: true } }).success).toBe(false);
    const { ukey2: _left, ...rest } = allLicensed;
    expect(licenceInfo.safeParse(rest).success).toBe(false);
  });
});

describe('two licences put together', () => {
  const counted = (license_count: number | null, is_enabled = true) => ({ ...allLicensed, ukey2: { is_enabled, license_count } });
  it.each<[number | null, number | null, number | null, number | null]>([
    [1, 2, 1, 2],
    [2, 1, 1, 2],
    [null, 3, 3, null],
    [3, null, 3, null],
    [null, null, null, null],
    [0, null, 0, null],
  ])('with counts %j and %j have both %j and either %j', (one, other, both, either) => {
    expect(inBoth(counted(one), counted(other)).ukey2.license_count).toBe(both);
    expect(inEither(counted(one), counted(other)).ukey2.license_count).toBe(either);
  });
  it('have both what both have, and either what one has', () => {
    expect([inBoth(allLicensed, nothingLicensed), inEither(allLicensed, nothingLicensed)].map((info) => [...flagsOf(info).values()])).toEqual(
      [nothingLicensed, allLicensed].map((info) => [...flagsOf(info).values()]),
    );
    expect([inBoth(counted(1), counted(1, false)).ukey2.is_enabled, inEither(counted(1), counted(1, false)).ukey2.is_enabled]).toEqual([false, true]);
  });
  it('differ by their flags, named with their block', () => {
    expect([...flagsOf(counted(1, false))].filter(([, isOn]) => !isOn)).toEqual([['ukey2.is_enabled', false]]);
    expect([...flagsOf(allLicensed).keys()]).toContain('sip.is_web_dialer_enabled');
  });
});

it('who is given a feature has it whole, and no other', () => {
  expect(licenceOf(['elevator', 'ukey2'])).toEqual({ ...nothingLicensed, elevator: allLicensed.elevator, ukey2: allLicensed.ukey2 });
  expect(licenceOf([])).toEqual(nothingLicensed);
});
