import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { constants } from '#models/constants.ts';
import { allLicensed, inBoth, inEither, type LicenceInfo, nothingLicensed } from '#models/licence-info.ts';
import type { LicencePayload } from '#models/licences.ts';
import { ConfigError, loadConfig } from '#server/config.ts';
import { capacityAt, type Counted } from '#server/licences/combine.ts';
import { openLicence, signLicence } from '#server/licences/file.ts';
import { projectLicenceStatus } from '#server/licences/status.ts';
import { isPublicKey, readPublicKey } from '#server/licences/keys.ts';
import { HttpError } from '#server/http-error.ts';

const day = 86_400;
const at = 20_000 * day;
const vendor = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const payload = (given: Partial<LicencePayload> = {}): LicencePayload => ({
  id: 'b5f9a3c8-6f6e-4b32-9d52-0f4f4f3f6a11',
  project: 'riverside',
  instance: null,
  issued_at: at,
  type: 'basic',
  period: constants.unlimitedLicencePeriod,
  grace_days: 7,
  features: allLicensed,
  reminder: { mode: 'everyday', notify_before: 14 },
  ...given,
});
const codeOf = (act: () => unknown): string => {
  try {
    act();
    return 'none';
  } catch (error) {
    return error instanceof HttpError ? error.code : String(error);
  }
};

describe('a licence file', () => {
  const file = signLicence(payload(), vendor.privateKey);
  const keys = [vendor.publicKey];
  const parts = JSON.parse(file) as { payload: string; signature: string };
  const forged = Buffer.from(JSON.stringify({ ...payload(), grace_days: 365 })).toString('base64url');

  it('says what was signed', () => expect(openLicence(file, keys)).toEqual({ payload: payload(), isTrusted: true }));
  it.each<[what: string, text: string]>([
    ['other contents under the same signature', JSON.stringify({ ...parts, payload: forged })],
    ['the signature of somebody else', signLicence(payload(), other.privateKey)],
    ['a signature cut short', JSON.stringify({ ...parts, signature: parts.signature.slice(0, -10) })],
    ['another spelling of the same bytes', JSON.stringify({ ...parts, payload: `${parts.payload}=` })],
  ])('is not believed: %s', (_what, text) => expect(openLicence(text, keys).isTrusted).toBe(false));
  it('is believed by no key at all', () => expect(openLicence(file, []).isTrusted).toBe(false));
  it.each([
    ['nothing', '', 'corrupted_file'],
    ['no JSON', 'MZ\u0000\u0001', 'corrupted_file'],
    ['another JSON', '{"a":1}', 'corrupted_file'],
    ['a payload that is none, unsigned', JSON.stringify({ ...parts, payload: 'e30' }), 'licence_bad_signature'],
    ['a payload of another kind, signed', signLicence({ ...payload(), type: 'teleport' } as never, vendor.privateKey), 'licence_not_applicable'],
    ['a period that ends before it begins', signLicence(payload({ period: { from: 5, to: 4 } }), vendor.privateKey), 'licence_not_applicable'],
  ])('is refused: %s', (_what, text, code) => expect(codeOf(() => openLicence(text, keys))).toBe(code));
});

describe('the vendor’s key', () => {
  const pem = vendor.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const base64 = vendor.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  it.each([
    ['PEM', pem],
    ['PEM on one line', pem.replaceAll('\n', String.raw`\n`)],
    ['base64', base64],
  ])('is read from %s', (_form, text) => expect(readPublicKey(text).equals(vendor.publicKey)).toBe(true));
  it('is Ed25519 and nothing else', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey.export({ format: 'pem', type: 'spki' }).toString();
    expect([rsa, '', 'nonsense'].map(isPublicKey)).toEqual([false, false, false]);
    expect(() => loadConfig({ DOORWARD_LICENCE_KEY: rsa })).toThrow(ConfigError);
    expect(loadConfig({ DOORWARD_LICENCE_KEY: base64 }).licenceKey).toBe(base64);
  });
});

const counted = (sip: number | null, mobile_app: number | null = 0): LicenceInfo => ({
  ...allLicensed,
  sip: { ...allLicensed.sip, license_count: sip },
  mobile_app: { ...allLicensed.mobile_app, license_count: mobile_app },
  ukey2: { ...allLicensed.ukey2, license_count: 0 },
});
const off = nothingLicensed;
const bought = (given: Partial<LicencePayload> = {}, isEnabled = true): Counted => {
  const whole = payload(given);
  return { payload: whole, facts: { period: whole.period, graceDays: whole.grace_days, notifyBefore: whole.reminder.notify_before, isEnabled } };
};
const more: LicenceInfo = { ...off, sip: { ...off.sip, license_count: 25 } };
const faces: LicenceInfo = { ...off, face_id: { is_enabled_for_guests: true } };
const noFaces: LicenceInfo = { ...counted(10), face_id: { is_enabled_for_guests: false } };

describe('several licences', () => {
  it.each<[what: string, licences: Counted[], numbers: number | null, hasFaces: boolean, types: string]>([
    ['none', [], 0, false, ''],
    ['one', [bought({ features: counted(10) })], 10, true, 'basic'],
    ['two add up', [bought({ features: counted(10) }), bought({ features: counted(15) })], 25, true, 'basic'],
    ['one without limit', [bought({ features: counted(10) }), bought({ features: counted(null) })], null, true, 'basic'],
    ['an extension that only counts', [bought({ features: noFaces }), bought({ type: 'extension', features: more })], 35, false, 'basic extension'],
    [
      'an extension that only switches on',
      [bought({ features: noFaces }), bought({ type: 'extension', features: faces })],
      10,
      true,
      'basic extension',
    ],
    ['an extension by itself', [bought({ type: 'extension', features: counted(50) })], 0, false, ''],
    ['a device licence gives devices alone', [bought({ type: 'device', features: counted(50) })], 0, false, 'device'],
    ['one switched off', [bought({ features: counted(10) }, false)], 0, false, ''],
    ['one to come', [bought({ period: { from: at + 1, to: at + day } })], 0, false, ''],
    ['one in grace', [bought({ features: counted(10), period: { from: 0, to: at - 6 * day } })], 10, true, 'basic'],
    ['one after its grace', [bought({ features: counted(10), period: { from: 0, to: at - 7 * day } })], 0, false, ''],
  ])('%s', (_what, licences, numbers, hasFaces, types) => {
    const { features, types: found } = capacityAt(licences, at);
    expect([features.sip.license_count, features.face_id.is_enabled_for_guests, found.join(' ')]).toEqual([numbers, hasFaces, types]);
  });
  it('give a group only what of the types it draws on', () => {
    const licences = [bought({ features: counted(10) }), bought({ type: 'extension', features: more })];
    expect(capacityAt(licences, at, ['basic']).features.sip.license_count).toBe(10);
    expect(capacityAt(licences, at, ['extension']).features.sip.license_count).toBe(0);
  });
  it('of two, what both have and what either has', () => {
    const [both, either] = [inBoth(counted(10, null), noFaces), inEither(counted(10, null), noFaces)];
    expect([both.face_id.is_enabled_for_guests, either.face_id.is_enabled_for_guests]).toEqual([false, true]);
    expect([both.sip.license_count, both.mobile_app.license_count, either.mobile_app.license_count]).toEqual([10, 0, null]);
  });
});

describe('the outlook of a project', () => {
  const ends = (days: number, given: Partial<LicencePayload> = {}, isEnabled = true) =>
    bought({ period: { from: 0, to: at + days * day }, ...given }, isEnabled);
  it.each<[what: string, licences: Counted[] | null, status: string, endsIn?: number, offIn?: number]>([
    ['licences are not asked for', null, 'normal'],
    ['nothing', [], 'no_license'],
    ['without end', [bought()], 'normal'],
    ['ends in 15 days', [ends(15)], 'normal'],
    ['ends in 14 days', [ends(14)], 'will_expire', 14, 21],
    ['is in grace', [ends(-2)], 'already_expired', -2, 5],
    ['is over', [ends(-20)], 'already_expired', -20, -13],
    ['ends, but another goes on with the same', [ends(5), bought()], 'normal'],
    ['an extension ends', [bought({ features: counted(10) }), ends(5, { type: 'extension', features: more })], 'will_expire', 5, 12],
    ['the next of two', [ends(9), ends(5, { type: 'device', features: off })], 'will_expire', 5, 12],
    ['only switched off ones', [bought({}, false)], 'no_license'],
    ['one to come', [bought({ period: { from: at + day, to: at + 9 * day } })], 'no_license'],
  ])('%s', (_what, licences, status, endsIn, offIn) => {
    const licenceStatus = projectLicenceStatus(licences, at);
    const [reminder] = licenceStatus.reminders;
    expect(licenceStatus.status).toBe(status);
    expect(reminder && [(reminder.ends_at - at) / day, (reminder.features_end_at - at) / day]).toEqual(
      endsIn === undefined ? undefined : [endsIn, offIn],
    );
  });
});
