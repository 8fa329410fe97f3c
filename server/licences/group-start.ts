import type { LicenceInfo } from '#models/licence-info.ts';
import { type GroupLicence, initialGroupLicence } from '#models/licences.ts';
import { countedFeatures } from '#models/seats.ts';
import { secondsIn } from '#models/time.ts';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { countOf } from './combine.ts';
import { capacityNow, readCounted, secondsOf } from './features.ts';
import { readForest } from './group-licence.ts';
import { readSettings } from './settings.ts';

const day = secondsIn(1, 'day');

/** What a new group starts with: one at the top gets a basic licence as the project's settings say, as far as the project has that many. */
export async function startLicence(services: Services, tx: Db, projectId: string, parentId: string | null): Promise<Partial<GroupLicence>> {
  if (parentId !== null) return {};
  const { basic_period_days: days, basic_quantity: quantity } = await readSettings(tx, projectId);
  const at = secondsOf(services.now());
  return {
    ...(days !== null && { restrict_period: true, period: { from: at, to: at + days * day } }),
    ...(quantity !== null && { info: await withQuantity({ ...services, db: tx }, projectId, quantity, at) }),
  };
}

async function withQuantity(services: Services, projectId: string, quantity: number, at: number): Promise<LicenceInfo> {
  const { features } = capacityNow(await readCounted(services, projectId), at);
  const tops = (await readForest(services.db, projectId)).filter(({ parentId }) => parentId === null);
  const info = structuredClone(initialGroupLicence.info);
  for (const feature of countedFeatures) {
    const given = tops.reduce((sum, { licence }) => sum + (countOf(licence.info, feature) ?? 0), 0);
    const left = (countOf(features, feature) ?? Number.POSITIVE_INFINITY) - given;
    info[feature].license_count = Math.max(0, Math.min(quantity, left));
  }
  return info;
}
