import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { constants } from '#models/constants.ts';
import { allLicensed, type LicenceInfo } from '#models/licence-info.ts';
import type { LicencePayload } from '#models/licences.ts';
import { signLicence } from '#server/licences/file.ts';
import type { Client } from './support.ts';
import { form } from './hostile-files.ts';

const pair = generateKeyPairSync('ed25519');
/** The setting by which a test's server believes this vendor. */
export const vendorKey = pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

/** A licence for the project `here`, without end unless said otherwise. */
export const licence = (given: Partial<LicencePayload> = {}): LicencePayload => ({
  id: randomUUID(),
  project: 'here',
  instance: null,
  issued_at: 1_700_000_000,
  type: 'basic',
  period: constants.unlimitedLicencePeriod,
  grace_days: 7,
  features: allLicensed,
  reminder: { mode: 'everyday', notify_before: 14 },
  ...given,
});
/** So many of each counted feature, everything on. */
export const counting = (sip: number, mobile_app = sip, ukey2 = sip): LicenceInfo => ({
  ...allLicensed,
  sip: { ...allLicensed.sip, license_count: sip },
  mobile_app: { ...allLicensed.mobile_app, license_count: mobile_app },
  ukey2: { ...allLicensed.ukey2, license_count: ukey2 },
});

export const signed = (given: Partial<LicencePayload> = {}): string => signLicence(licence(given), pair.privateKey);
export const forged = (given: Partial<LicencePayload> = {}): string => signLicence(licence(given), generateKeyPairSync('ed25519').privateKey);

/** Uploads a licence file as the console does. */
export const upload = (client: Client, file: string) => {
  const { body, headers } = form({}, Buffer.from(file), 'riverside.lic', 'application/json', 'licence');
  return client.send('POST', '/licenses/file', body, headers);
};
