import { flagsOf } from '#models/licence-info.ts';
import { type ConsistencyItem } from '#models/consistency.ts';
import { type GroupLicence, type LicencePeriod } from '#models/licences.ts';
import { type CountedFeature, countedFeatures } from '#models/seats.ts';
import type { WireCode } from '#models/problem.ts';
import { countOf, type Counted, periodsWhere, type Stretch, stretchesOf, unlimited } from './combine.ts';
import { drawnTypes, type LicensedGroup, periodOf } from './group-licence.ts';

/** What a group's licence is held against. */
export interface LicenceLimits {
  /** All groups of the project, the one in question with its new licence. */
  groups: readonly LicensedGroup[];
  /** The project's licences; null where none are asked for. */
  licences: readonly Counted[] | null;
  /** Seats the people of the group and below hold. */
  used: Readonly<Record<CountedFeature, number>>;
  /** Seconds since 1970. */
  at: number;
}
type Found = Pick<ConsistencyItem, 'type'> & Partial<ConsistencyItem>;

const called = (group: LicensedGroup | null) => group && { id: group.id, name: group.name };
const finding = (parent: LicensedGroup | null, child: LicensedGroup | null, found: Found): ConsistencyItem => ({
  feature: null,
  license_type: null,
  period: null,
  qty: null,
  ...found,
  relation: { parent: called(parent), child: called(child) },
});

/** The tree to walk in: who stands above a group and who below. */
function treeOf(groups: readonly LicensedGroup[]) {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const below = new Map<string | null, LicensedGroup[]>();
  for (const group of groups) below.set(group.parentId, [...(below.get(group.parentId) ?? []), group]);
  const above = (group: LicensedGroup): LicensedGroup[] => {
    const parent = group.parentId === null ? undefined : byId.get(group.parentId);
    return parent ? [parent, ...above(parent)] : [];
  };
  const under = (id: string | null): LicensedGroup[] => (below.get(id) ?? []).flatMap((child) => [child, ...under(child.id)]);
  /** The nearest groups below that have a count of their own; what they leave open is nobody's. */
  const counting = (id: string | null, feature: CountedFeature): LicensedGroup[] =>
    (below.get(id) ?? []).flatMap((child) => (countOf(child.licence.info, feature) === null ? counting(child.id, feature) : [child]));
  return { byId, above, under, counting };
}
type Tree = ReturnType<typeof treeOf>;
const total = (groups: readonly LicensedGroup[], feature: CountedFeature): number =>
  groups.reduce((sum, { licence }) => sum + (countOf(licence.info, feature) ?? 0), 0);

const overlap = (one: LicencePeriod, other: LicencePeriod): LicencePeriod => ({
  from: Math.max(one.from, other.from),
  to: Math.min(one.to, other.to),
});
const isInside = (inner: LicencePeriod, outer: LicencePeriod): boolean => inner.from >= outer.from && inner.to <= outer.to;

/** The time of a group's licence that is still to come, cut where the project's licences change. */
function stretchesAhead(group: LicensedGroup, above: readonly LicensedGroup[], { licences, at }: LicenceLimits): Stretch[] {
  const chain = [group, ...above].map(({ licence }) => licence);
  const period = chain.map(periodOf).reduce(overlap);
  const ahead = { from: Math.max(at, period.from), to: period.to };
  if (ahead.from >= ahead.to) return [];
  return licences ? stretchesOf(licences, ahead) : [{ period: ahead, capacity: unlimited }];
}
const hasBasic = ({ capacity }: Stretch): boolean => capacity.types.includes('basic');

/** Types and flags that are on now and were not: each must be on in the parent, or be licensed for the project some time. */
function missingAbove(
  group: LicensedGroup,
  parent: LicensedGroup | undefined,
  before: GroupLicence | null,
  ahead: readonly Stretch[],
): ConsistencyItem[] {
  const were = before ? drawnTypes(before) : [];
  const types = parent ? drawnTypes(parent.licence) : ahead.flatMap(({ capacity }) => capacity.types);
  const flagsWere = before ? flagsOf(before.info) : new Map<string, boolean>();
  const flags = parent ? [flagsOf(parent.licence.info)] : ahead.map(({ capacity }) => flagsOf(capacity.features));
  return [
    ...drawnTypes(group.licence)
      .filter((type) => !were.includes(type) && !types.includes(type))
      .map((type) => finding(parent ?? null, group, { type: 'license_type_missing', license_type: type })),
    ...[...flagsOf(group.licence.info)]
      .filter(([flag, on]) => on && flagsWere.get(flag) !== true && !flags.some((one) => one.get(flag)))
      .map(([flag]) => finding(parent ?? null, group, { type: 'feature_missing', feature: flag })),
  ];
}

/** Types that are off now and were on, and on which groups below still draw. */
function missingBelow(group: LicensedGroup, tree: Tree, before: GroupLicence | null): ConsistencyItem[] {
  const now = drawnTypes(group.licence);
  const gone = before ? drawnTypes(before).filter((type) => !now.includes(type)) : [];
  const drawing = tree.under(group.id).filter(({ licence }) => licence.isEnabled);
  return gone.flatMap((type) =>
    drawing
      .filter(({ licence }) => drawnTypes(licence).includes(type))
      .map((child) => finding(group, child, { type: 'license_type_missing', license_type: type })),
  );
}

/** The period must lie within those above and around those below, and the project must have a basic licence all the while. */
function periodFindings(group: LicensedGroup, tree: Tree, ahead: readonly Stretch[]): ConsistencyItem[] {
  if (!group.licence.restrict_period) return [];
  const { period } = group.licence;
  const restricted = (one: LicensedGroup): boolean => one.licence.isEnabled && one.licence.restrict_period;
  const outer = tree.above(group).find((one) => restricted(one) && !isInside(period, one.licence.period));
  const inner = tree.under(group.id).filter((one) => restricted(one) && !isInside(one.licence.period, period));
  return [
    ...(outer ? [finding(outer, group, { type: 'period_conflict', period: outer.licence.period })] : []),
    ...inner.map((one) => finding(group, one, { type: 'period_conflict', period })),
    ...periodsWhere(ahead, (stretch) => !hasBasic(stretch)).map((gap) =>
      finding(null, group, { type: 'period_missing', license_type: 'basic', period: gap }),
    ),
  ];
}

/** What the project has too few of, when. Time without a basic licence is a finding of its own. */
function projectFindings(group: LicensedGroup, feature: CountedFeature, tree: Tree, ahead: readonly Stretch[]): ConsistencyItem[] {
  const sum = total(tree.counting(null, feature), feature);
  const covered = ahead.filter(hasBasic);
  const tooFew = ({ capacity }: Stretch): boolean => (countOf(capacity.features, feature) ?? Number.POSITIVE_INFINITY) < sum;
  return periodsWhere(covered.length > 0 ? covered : ahead, tooFew).map((period) => {
    const least = Math.min(...ahead.filter((one) => isInside(one.period, period)).map(({ capacity }) => countOf(capacity.features, feature) ?? sum));
    return finding(null, group, { type: 'quantity_exceeded', feature, period, qty: { target: sum, available: least } });
  });
}

/** A count must fit above, hold those below, and be no less than what is used. */
function countFindings(
  group: LicensedGroup,
  feature: CountedFeature,
  tree: Tree,
  ahead: readonly Stretch[],
  limits: LicenceLimits,
): ConsistencyItem[] {
  const own = countOf(group.licence.info, feature);
  const outer = tree.above(group).find(({ licence }) => countOf(licence.info, feature) !== null);
  const limit = outer ? countOf(outer.licence.info, feature) : null;
  const found: ConsistencyItem[] = [];
  if (outer && limit !== null) {
    const sum = total(tree.counting(outer.id, feature), feature);
    if (own !== null && own > limit)
      found.push(
        finding(outer, group, { type: 'quantity_exceeded', feature, period: periodOf(group.licence), qty: { target: own, available: limit } }),
      );
    else if (sum > limit) found.push(finding(outer, group, { type: 'children_over_parent', feature, qty: { target: sum, available: limit } }));
  } else found.push(...projectFindings(group, feature, tree, ahead));
  if (own === null) return found;
  const inner = total(tree.counting(group.id, feature), feature);
  if (inner > own) found.push(finding(group, null, { type: 'children_over_parent', feature, qty: { target: inner, available: own } }));
  if (limits.used[feature] > own)
    found.push(finding(null, group, { type: 'used_over_group', feature, qty: { target: limits.used[feature], available: own } }));
  return found;
}

const isSamePeriod = (one: GroupLicence, other: GroupLicence): boolean => JSON.stringify(periodOf(one)) === JSON.stringify(periodOf(other));

/**
 * Everything in which a group's new licence does not fit its parent, its children, its people or the project (spec A3). Only
 * what the change touches is looked at: nobody has to put right what others left. `isReplaced`: the group has another parent.
 * A licence that is off fits anywhere.
 */
export function inconsistencies(limits: LicenceLimits, id: string, before: GroupLicence | null, isReplaced = false): ConsistencyItem[] {
  const tree = treeOf(limits.groups);
  const group = tree.byId.get(id);
  if (!group || !group.licence.isEnabled) return [];
  const was = before?.isEnabled ? before : null;
  const above = tree.above(group);
  const ahead = stretchesAhead(group, above, limits);
  const moved = isReplaced || !was || !isSamePeriod(was, group.licence);
  const counted = countedFeatures.filter((feature) => !was || moved || countOf(was.info, feature) !== countOf(group.licence.info, feature));
  return [
    ...missingAbove(group, above[0], was, ahead),
    ...missingBelow(group, tree, was),
    ...(moved ? periodFindings(group, tree, ahead) : []),
    ...counted.flatMap((feature) => countFindings(group, feature, tree, ahead, limits)),
  ];
}

/** What all groups together count on more than the project has, over the time to come. */
export function overProject(limits: Omit<LicenceLimits, 'used'>): ConsistencyItem[] {
  const tree = treeOf(limits.groups);
  const used = { sip: 0, mobile_app: 0, ukey2: 0 };
  const found = countedFeatures.flatMap((feature) => {
    const [first] = tree.counting(null, feature);
    if (!first) return [];
    const whole: LicensedGroup = { ...first, licence: { ...first.licence, restrict_period: false } };
    const ahead = stretchesAhead(whole, [], { ...limits, used });
    return projectFindings(first, feature, tree, ahead).map((item) => ({ ...item, relation: { parent: null, child: null } }));
  });
  return found;
}

const words = { sip: 'numbers', mobile_app: 'apps', ukey2: 'ukey2' } as const;
const isCounted = (feature: string | null): feature is CountedFeature => (countedFeatures as readonly (string | null)[]).includes(feature);

/** The catalogue's word for what was found first. */
export function codeOf([first]: readonly ConsistencyItem[], id: string): WireCode {
  if (first?.type === 'used_over_group' || first?.type === 'children_over_parent') return first.type;
  if (first?.type === 'period_conflict') return first.relation.child?.id === id ? 'period_conflicts_parent' : 'period_conflicts_child';
  if (first?.type === 'quantity_exceeded' && isCounted(first.feature))
    return `${words[first.feature]}_over_${first.relation.parent ? 'group' : 'project'}` as const;
  return 'domain_inconsistent';
}
