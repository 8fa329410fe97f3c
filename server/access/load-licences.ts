import { type AccessFeature, accessFeatures } from '#models/access-calls.ts';
import { licenceTypes } from '#models/consistency.ts';
import { inBoth, inEither, type LicenceInfo, licensed, nothingLicensed } from '#models/licence-info.ts';
import { capacityNow, readCounted, secondsOf } from '../licences/features.ts';
import { allLeft, leftBelow, type LeftOver, readForest } from '../licences/group-licence.ts';
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

/** Answers a question once for each key. */
function once<Answer>(answer: (key: string) => Answer): (key: string) => Answer {
  const known = new Map<string, Answer>();
  return (key) => {
    const found = known.get(key) ?? answer(key);
    known.set(key, found);
    return found;
  };
}

/**
 * What the groups, with all above them, and the project license their people for at a moment, group by group: how each licence stands is asked once,
 * not once for each of the groups below it.
 */
async function featuresByGroup(reader: LicenceReader, projectId: string, at: Date) {
  const [moment, counted] = [secondsOf(at), await readCounted(reader, projectId)];
  const groups = new Map((await readForest(reader.db, projectId)).map((group) => [group.id, group]));
  const leftOf = once((id): LeftOver => {
    const group = groups.get(id);
    if (!group) return allLeft;
    return leftBelow(group.parentId === null ? allLeft : leftOf(group.parentId), group.licence, moment);
  });
  const capacityFor = once((drawn) => {
    const types = drawn.split(' ');
    return capacityNow(
      counted,
      moment,
      licenceTypes.filter((type) => types.includes(type)),
    ).features;
  });
  const featuresOf = once((id): LicenceInfo => {
    const { types, features } = leftOf(id);
    return inBoth(capacityFor(types.join(' ')), features);
  });
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
