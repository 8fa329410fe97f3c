import { lifeOf } from '#machines/lifecycles/licence-life.machine.ts';
import type { LicenceOverview } from '#models/licences.ts';
import type { Principal, Services } from '../context.ts';
import { overProject } from './cascade.ts';
import { hasCloud } from './cloud.ts';
import { capacityNow, secondsOf } from './features.ts';
import { readForest } from './group-licence.ts';
import { instanceId } from './instance.ts';
import { seatCounts, usedSeats } from './seats.ts';
import { readSettings } from './settings.ts';
import { factsOf, isLicensing, readLicences, shownLicence } from './stored.ts';

/** All there is to know of the licences of the principal's project. */
export async function readOverview(services: Services, { projectId }: Principal): Promise<LicenceOverview> {
  const { db, config } = services;
  const now = services.now();
  const at = secondsOf(now);
  const stored = await readLicences(services, projectId);
  const counted = isLicensing(config) ? stored.map((one) => ({ payload: one.payload, facts: factsOf(one, now) })) : null;
  const { features } = capacityNow(counted, at);
  return {
    instance_id: await instanceId(db),
    licenses: stored.map((one) => shownLicence(one, now)),
    active: stored.filter((one) => lifeOf(factsOf(one, now)).state !== 'disabled').map(({ id }) => id),
    is_required: isLicensing(config),
    has_cloud: hasCloud(config),
    features,
    seats: seatCounts(await usedSeats(db, projectId), features),
    settings: await readSettings(db, projectId),
    consistency: overProject({ groups: await readForest(db, projectId), licences: counted, at }),
  };
}
