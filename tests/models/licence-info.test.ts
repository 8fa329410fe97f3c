import { describe, expect, it } from 'vitest';
import { allLicensed, licenceInfo, licensed, nothingLicensed, type Feature } from '#models/licence-info.ts';

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
