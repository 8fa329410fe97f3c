import { type AccessFeature, accessFeatures } from '#models/access-calls.ts';
import { inBoth, inEither, type LicenceInfo, licensed, nothingLicensed } from '#models/licence-info.ts';
import { capacityNow, readCounted, secondsOf } from '../licences/features.ts';
import { leftBy, readForest } from '../licences/group-licence.ts';
import type { LicenceReader } from '../licences/stored.ts';
import { featuresNeeded } from './case.ts';
import type { Credential, Licensed } from './world.ts';

const inForce = (features: readonly AccessFeature[]): Licensed[] => features.map((feature) => ({ feature, from: null, until: null }));

/** What is licensed to whom at a moment. */
export interface Licences {
  /** Of somebody in these groups with these flags of their own. */
  of: (groups: readonly string[], own: LicenceInfo) => readonly Licensed[];
  /** Of what is nobody's. */
  ofProject: readonly Licensed[];
}
const none: Licences = { of: () => [], ofProject: [] };

/** What the groups, with all above them, and the project license their people for at a moment, group by group. */
async function featuresByGroup(reader: LicenceReader, projectId: string, at: Date) {
  const [moment, counted] = [secondsOf(at), await readCounted(reader, projectId)];
  const groups = new Map((await readForest(reader.db, projectId)).map((group) => [group.id, group]));
  const known = new Map<string, LicenceInfo>();
  const chainOf = (id: string | null): string[] => {
    const group = id === null ? undefined : groups.get(id);
    return group ? [...chainOf(group.parentId), group.id] : [];
  };
  const featuresOf = (id: string): LicenceInfo => {
    const found = known.get(id);
    if (found) return found;
    const left = leftBy(
      chainOf(id).flatMap((each) => groups.get(each)?.licence ?? []),
      moment,
    );
    const features = inBoth(capacityNow(counted, moment, left.types).features, left.features);
    known.set(id, features);
    return features;
  };
  return { featuresOf, ofProject: capacityNow(counted, moment).features };
}

/** Reads what is licensed, where any of these identifiers needs a licence. */
export async function loadLicences(reader: LicenceReader, projectId: string, at: Date, credentials: readonly Credential[]): Promise<Licences> {
  if (!credentials.some((credential) => featuresNeeded(credential).length > 0)) return none;
  const { featuresOf, ofProject } = await featuresByGroup(reader, projectId, at);
  return {
    of: (groups, own) => {
      const server = groups.map(featuresOf).reduce(inEither, nothingLicensed);
      return inForce(accessFeatures.filter((feature) => licensed(feature, server, own)));
    },
    ofProject: inForce(accessFeatures.filter((feature) => licensed(feature, ofProject, ofProject))),
  };
}
