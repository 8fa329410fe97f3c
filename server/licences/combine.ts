import { featuresEnd, type LicenceFacts, lifeOf, turningPoints } from '#machines/lifecycles/licence-life.machine.ts';
import { allLicensed, type LicenceInfo, nothingLicensed } from '#models/licence-info.ts';
import { licenceTypes, type LicenceType } from '#models/consistency.ts';
import type { LicencePayload, LicencePeriod } from '#models/licences.ts';
import type { CountedFeature } from '#models/seats.ts';
import { constants } from '#models/constants.ts';

/** One licence as its worth is reckoned: what it says, and how it stands. */
export interface Counted {
  payload: LicencePayload;
  facts: Omit<LicenceFacts, 'at'>;
}
/** What a project has at one moment. */
export interface Capacity {
  features: LicenceInfo;
  types: readonly LicenceType[];
}
/** Everything without end: where licences are not asked for. */
export const unlimited: Capacity = { features: allLicensed, types: licenceTypes };

type Block = Record<string, boolean | number | null>;
const isOn = (block: Block): boolean => Object.values(block).includes(true);

/** Flags of either; counts add up, and a block that is on without a count has no limit. A block that is off only adds what it counts. */
function added(one: LicenceInfo, other: LicenceInfo): LicenceInfo {
  const blocks = Object.entries(one).map(([name, own]) => {
    const theirs = other[name as keyof LicenceInfo] as Block;
    const mine = own as Block;
    const endless = (isOn(mine) && mine['license_count'] === null) || (isOn(theirs) && theirs['license_count'] === null);
    const values = Object.entries(mine).map(([key, value]) => {
      if (typeof value === 'boolean') return [key, value || theirs[key] === true];
      return [key, endless ? null : (value ?? 0) + Number(theirs[key] ?? 0)];
    });
    return [name, Object.fromEntries(values)];
  });
  return Object.fromEntries(blocks) as LicenceInfo;
}

const nothingCounted: LicenceInfo = {
  ...nothingLicensed,
  sip: { ...nothingLicensed.sip, license_count: 0 },
  mobile_app: { ...nothingLicensed.mobile_app, license_count: 0 },
  ukey2: { ...nothingLicensed.ukey2, license_count: 0 },
};

/**
 * What licences give together at a moment (seconds since 1970): those that run add their flags and counts; extensions
 * count only on top of a basic one, device licences let devices in and give nothing else. `drawn` leaves out the types a group does not draw on.
 */
export function capacityAt(licences: readonly Counted[], at: number, drawn: readonly LicenceType[] = licenceTypes): Capacity {
  const running = licences.filter(({ payload, facts }) => drawn.includes(payload.type) && lifeOf({ ...facts, at }).state !== 'disabled');
  const hasBasic = running.some(({ payload }) => payload.type === 'basic');
  const counting = running.filter(({ payload }) => payload.type !== 'extension' || hasBasic);
  const types = licenceTypes.filter((type) => counting.some(({ payload }) => payload.type === type));
  const giving = counting.filter(({ payload }) => payload.type !== 'device').map(({ payload }) => payload.features);
  return { features: giving.reduce(added, nothingCounted), types };
}

/** The moments at which what licences give, or how they stand, changes by itself. */
export const turningsOf = (licences: readonly Counted[]): number[] =>
  licences.flatMap(({ facts }) => (facts.isEnabled ? turningPoints(facts) : [])).filter((at) => at > 0 && at < constants.unlimitedLicencePeriod.to);

/** How many seats of a feature there are; null: as many as are wanted. */
export const countOf = (info: LicenceInfo, feature: CountedFeature): number | null => info[feature].license_count;

/** A stretch of time with what is there throughout it. */
export interface Stretch {
  period: LicencePeriod;
  capacity: Capacity;
}

/** A period cut where what licences give changes, each piece with what is there then. */
export function stretchesOf(licences: readonly Counted[], period: LicencePeriod, drawn?: readonly LicenceType[]): Stretch[] {
  const ends = licences.flatMap(({ payload, facts }) => [payload.period.from, featuresEnd(facts)]);
  const cuts = [...new Set([period.from, ...ends.filter((at) => at > period.from && at < period.to), period.to])].toSorted(
    (one, other) => one - other,
  );
  return cuts
    .slice(0, -1)
    .map((from, index) => ({ period: { from, to: cuts[index + 1] ?? period.to }, capacity: capacityAt(licences, from, drawn) }));
}

/** The longest stretches in which a condition holds, neighbours put together. */
export function periodsWhere(stretches: readonly Stretch[], holds: (stretch: Stretch) => boolean): LicencePeriod[] {
  const found: LicencePeriod[] = [];
  for (const stretch of stretches) {
    if (!holds(stretch)) continue;
    const last = found.at(-1);
    if (last && last.to === stretch.period.from) last.to = stretch.period.to;
    else found.push({ ...stretch.period });
  }
  return found;
}
