import { allLicensed, type LicenceInfo, nothingLicensed } from '#models/licence-info.ts';
import type { LicencePayload } from '#models/licences.ts';
import { secondsIn } from '#models/time.ts';
import { demoId } from './chance.ts';

const [hour, day] = [secondsIn(1, 'hour'), secondsIn(1, 'day')];
const moreApps = (apps: number): LicenceInfo => ({ ...nothingLicensed, mobile_app: { ...allLicensed.mobile_app, license_count: apps } });
const counted = (sip: number, apps: number, ukey2: number): LicenceInfo => ({
  ...allLicensed,
  sip: { ...allLicensed.sip, license_count: sip },
  mobile_app: { ...allLicensed.mobile_app, license_count: apps },
  ukey2: { ...allLicensed.ukey2, license_count: ukey2 },
});

/** Riverside is licensed for years and has bought more apps; Harbour's licence ends in nine days. */
function plans(at: number): Record<string, Partial<LicencePayload>[]> {
  const long = { from: at - 400 * day, to: at + 700 * day };
  const short = { from: at - 356 * day, to: at + 9 * day + hour };
  return {
    riverside: [
      { type: 'basic', period: long, features: counted(600, 180, 120) },
      { type: 'extension', period: { from: at - 90 * day, to: at + 275 * day }, features: moreApps(35) },
      { type: 'device', features: nothingLicensed },
    ],
    harbour: [
      { type: 'basic', period: short, features: counted(100, 60, 40) },
      { type: 'device', period: short, features: nothingLicensed },
    ],
  };
}

/** What the vendor has sold to a project of the demo, each licence by its number; nothing to any other. */
export const soldLicences = (uid: string, at: number): (Partial<LicencePayload> & { id: string })[] =>
  (plans(at)[uid] ?? []).map((given, index) => ({
    id: demoId(`${uid} licence ${index}`),
    issued_at: Math.max(0, (given.period?.from ?? at - 400 * day) - day),
    ...given,
  }));
