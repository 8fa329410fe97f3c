import { allLicensed, type LicenceInfo, nothingLicensed } from '#models/licence-info.ts';
import type { LicencePayload } from '#models/licences.ts';
import type { Services } from '#server/context.ts';
import { issueLicence, payloadFor } from '#server/licences/issuer.ts';
import { licences } from '../schema/index.ts';
import { demoId } from './chance.ts';

const day = 86_400;
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
  const short = { from: at - 356 * day, to: at + 9 * day + 3_600 };
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

/** Gives a project of the demo its signed licences. */
export async function seedLicences(services: Pick<Services, 'db' | 'now'>, project: { id: string; uid: string }): Promise<void> {
  const now = services.now();
  const at = Math.floor(now.getTime() / 1_000);
  for (const [index, given] of (plans(at)[project.uid] ?? []).entries()) {
    const number = demoId(`${project.uid} licence ${index}`);
    const payload = await payloadFor(services, project.uid, {
      id: number,
      issued_at: Math.max(0, (given.period?.from ?? at - 400 * day) - day),
      ...given,
    });
    const createdAt = new Date(now.getTime() - (400 - index * 100) * day * 1_000);
    await services.db
      .insert(licences)
      .values({ projectId: project.id, number, file: await issueLicence(services.db, payload), source: 'file', createdAt, updatedAt: createdAt });
  }
}
