import { describe, expect, it } from 'vitest';
import { constants } from '#models/constants.ts';
import { allLicensed, type LicenceInfo, nothingLicensed } from '#models/licence-info.ts';
import { type GroupLicence, initialGroupLicence, type LicencePayload } from '#models/licences.ts';
import { codeOf, inconsistencies, overProject } from '#server/licences/cascade.ts';
import { type Counted } from '#server/licences/combine.ts';
import type { LicensedGroup } from '#server/licences/group-licence.ts';

const day = 86_400;
const at = 20_000 * day;
const endless = constants.unlimitedLicencePeriod;

const counted = (sip: number | null, mobile_app: number | null = null, ukey2: number | null = null): LicenceInfo => ({
  ...allLicensed,
  sip: { ...allLicensed.sip, license_count: sip },
  mobile_app: { ...allLicensed.mobile_app, license_count: mobile_app },
  ukey2: { ...allLicensed.ukey2, license_count: ukey2 },
});
const bought = (given: Partial<LicencePayload> = {}): Counted => {
  const payload: LicencePayload = {
    id: 'b5f9a3c8-6f6e-4b32-9d52-0f4f4f3f6a11',
    project: 'p',
    instance: null,
    issued_at: 0,
    type: 'basic',
    period: endless,
    grace_days: 0,
    features: counted(100, 100, 100),
    reminder: { mode: 'everyday', notify_before: 14 },
    ...given,
  };
  return { payload, facts: { period: payload.period, graceDays: payload.grace_days, notifyBefore: 14, isEnabled: true } };
};
const everyType = [bought(), bought({ type: 'extension', features: nothingLicensed }), bought({ type: 'device', features: nothingLicensed })];

type Given = Partial<GroupLicence>;
const names = ['town', 'north', 'n1', 'south'] as const;
const parents = { town: null, north: 'town', n1: 'north', south: 'town' } as const;
/** town > (north > n1, south); each as given, all else as a group starts. */
const forest = (given: Partial<Record<(typeof names)[number], Given>>): LicensedGroup[] =>
  names.map((name) => ({ id: name, name, parentId: parents[name], licence: { ...initialGroupLicence, ...given[name] } }));
const nobody = { sip: 0, mobile_app: 0, ukey2: 0 };

interface Asked {
  given: Parameters<typeof forest>[0];
  group: (typeof names)[number];
  before?: Given;
  licences?: readonly Counted[] | null;
  used?: Partial<typeof nobody>;
}
const check = ({ given, group, before = {}, licences = everyType, used = {} }: Asked) =>
  inconsistencies({ groups: forest(given), licences, used: { ...nobody, ...used }, at }, group, { ...initialGroupLicence, ...before });
/** A finding in short: type, what it is about, between whom, how many, until when. */
const short = (items: ReturnType<typeof check>): string[] =>
  items.map(({ type, feature, license_type, relation, qty, period }) =>
    [
      type,
      feature ?? license_type,
      `${relation.parent?.name ?? 'project'} > ${relation.child?.name ?? '-'}`,
      qty && `${qty.target}/${qty.available}`,
      period && (period.to === endless.to ? 'endless' : `until ${(period.to - at) / day}`),
    ]
      .filter(Boolean)
      .join(', '),
  );
const types = (basic: boolean, extension: boolean): GroupLicence['licenses'] => [
  { type: 'basic', is_active: basic },
  { type: 'extension', is_active: extension },
];
const until = (days: number, from = 0) => ({ restrict_period: true, period: { from: at + from * day, to: at + days * day } });
const without = (block: 'elevator' | 'amenity'): LicenceInfo => ({ ...allLicensed, [block]: { is_enabled: false } });

describe('a group’s licence beside those around it', () => {
  it.each<[what: string, asked: Asked, found: string[], code: string | null]>([
    ['as it starts', { given: {}, group: 'north' }, [], null],
    ['a count within the parent’s', { given: { town: { info: counted(50) }, north: { info: counted(50) } }, group: 'north' }, [], null],
    [
      'a count above the parent’s',
      { given: { town: { info: counted(50) }, north: { info: counted(51) } }, group: 'north' },
      ['quantity_exceeded, sip, town > north, 51/50, endless'],
      'numbers_over_group',
    ],
    [
      'a count above that of the nearest group that counts',
      { given: { town: { info: counted(null, 10) }, n1: { info: counted(null, 11) } }, group: 'n1' },
      ['quantity_exceeded, mobile_app, town > n1, 11/10, endless'],
      'apps_over_group',
    ],
    [
      'counts that together go beyond the parent’s',
      { given: { town: { info: counted(50) }, south: { info: counted(30) }, north: { info: counted(21) } }, group: 'north' },
      ['children_over_parent, sip, town > north, 51/50'],
      'children_over_parent',
    ],
    [
      'a count below what the groups inside have together',
      { given: { town: { info: counted(50) }, south: { info: counted(30) }, n1: { info: counted(25) } }, group: 'town' },
      ['children_over_parent, sip, town > -, 55/50'],
      'children_over_parent',
    ],
    [
      'a limit given up, so that the groups inside count with the others',
      {
        given: { town: { info: counted(50) }, south: { info: counted(30) }, n1: { info: counted(25) } },
        group: 'north',
        before: { info: counted(25) },
      },
      ['children_over_parent, sip, town > north, 55/50'],
      'children_over_parent',
    ],
    [
      'a count below what its people use',
      { given: { north: { info: counted(null, null, 4) } }, group: 'north', used: { ukey2: 5 } },
      ['used_over_group, ukey2, project > north, 5/4'],
      'used_over_group',
    ],
    [
      'more than the project has, without end',
      { given: { town: { info: counted(101) } }, group: 'town' },
      ['quantity_exceeded, sip, project > town, 101/100, endless'],
      'numbers_over_project',
    ],
    [
      'more than the project has once a licence has ended',
      {
        given: { town: { info: counted(null, null, 150) } },
        group: 'town',
        licences: [bought(), bought({ features: counted(0, 0, 60), period: { from: 0, to: at + 30 * day } })],
      },
      ['quantity_exceeded, ukey2, project > town, 150/100, endless'],
      'ukey2_over_project',
    ],
    [
      'more than the project has for some time',
      {
        given: { town: { info: counted(150) } },
        group: 'town',
        licences: [bought(), bought({ features: counted(60), period: { from: at + 30 * day, to: endless.to } })],
      },
      ['quantity_exceeded, sip, project > town, 150/100, until 30'],
      'numbers_over_project',
    ],
    [
      'any number where the project has no limit',
      { given: { town: { info: counted(9_999) } }, group: 'town', licences: [bought({ features: allLicensed })] },
      [],
      null,
    ],
    ['any number where licences are not asked for', { given: { town: { info: counted(9_999) } }, group: 'town', licences: null }, [], null],
    [
      'a type the parent does not draw on',
      { given: { town: { licenses: types(true, false) } }, group: 'north', before: { licenses: types(true, false) } },
      ['license_type_missing, extension, town > north'],
      'domain_inconsistent',
    ],
    [
      'a type taken away under the groups that draw on it',
      { given: { north: { licenses: types(true, false) } }, group: 'north' },
      ['license_type_missing, extension, north > n1'],
      'domain_inconsistent',
    ],
    [
      'a type taken away at the top: all below are named that draw on it, none that are off or draw on it no more',
      {
        given: { town: { is_device_license_enabled: false }, north: { isEnabled: false }, south: { is_device_license_enabled: false } },
        group: 'town',
      },
      ['license_type_missing, device, town > n1'],
      'domain_inconsistent',
    ],
    [
      'a type that was off before',
      { given: { north: { licenses: types(true, false) } }, group: 'north', before: { licenses: types(true, false) } },
      [],
      null,
    ],
    [
      'a type the project has no licence of',
      { given: {}, group: 'town', before: { is_device_license_enabled: false }, licences: [bought()] },
      ['license_type_missing, device, project > town'],
      'domain_inconsistent',
    ],
    [
      'a flag the parent does not have',
      { given: { town: { info: without('elevator') } }, group: 'north', before: { info: without('elevator') } },
      ['feature_missing, elevator.is_enabled, town > north'],
      'domain_inconsistent',
    ],
    ['a flag the parent lost, left as it was', { given: { town: { info: without('elevator') } }, group: 'north' }, [], null],
    [
      'a flag the project has not',
      { given: {}, group: 'town', before: { info: without('amenity') }, licences: [bought({ features: without('amenity') })] },
      ['feature_missing, amenity.is_enabled, project > town'],
      'domain_inconsistent',
    ],
    [
      'a period beyond the parent’s',
      { given: { town: until(100), north: until(101) }, group: 'north' },
      ['period_conflict, town > north, until 100'],
      'period_conflicts_parent',
    ],
    [
      'a period beyond that of a group further up',
      { given: { town: until(100), n1: until(101) }, group: 'n1' },
      ['period_conflict, town > n1, until 100'],
      'period_conflicts_parent',
    ],
    [
      'a period that leaves one inside uncovered',
      { given: { town: until(100), n1: until(120) }, group: 'town' },
      ['period_conflict, town > n1, until 100'],
      'period_conflicts_child',
    ],
    [
      'a period in which the project has no basic licence',
      { given: { town: until(100) }, group: 'town', licences: [bought({ period: { from: 0, to: at + 40 * day } })] },
      ['period_missing, basic, project > town, until 100'],
      'domain_inconsistent',
    ],
    [
      'a period within the days of grace',
      { given: { town: until(45) }, group: 'town', licences: [bought({ period: { from: 0, to: at + 40 * day }, grace_days: 5 })] },
      [],
      null,
    ],
    [
      'several things at once, each by itself',
      { given: { town: { info: counted(10, 10), ...until(50) }, north: { info: counted(11, 12), ...until(60) } }, group: 'north' },
      [
        'period_conflict, town > north, until 50',
        'quantity_exceeded, sip, town > north, 11/10, until 60',
        'quantity_exceeded, mobile_app, town > north, 12/10, until 60',
      ],
      'period_conflicts_parent',
    ],
    [
      'anything while it is off',
      { given: { town: { info: counted(50) }, north: { info: counted(500), isEnabled: false } }, group: 'north' },
      [],
      null,
    ],
    [
      'what it had, when it is switched on again',
      { given: { town: { info: counted(50) }, north: { info: counted(500) } }, group: 'north', before: { info: counted(500), isEnabled: false } },
      ['quantity_exceeded, sip, town > north, 500/50, endless'],
      'numbers_over_group',
    ],
    [
      'what others left too great, while one changes something else',
      { given: { town: { info: counted(50) }, north: { info: counted(500) } }, group: 'north', before: { info: counted(500) } },
      [],
      null,
    ],
  ])('%s', (_what, asked, found, code) => {
    const items = check(asked);
    expect([short(items), items.length > 0 ? codeOf(items, asked.group) : null]).toEqual([found, code]);
  });

  it('is held against its new parent when it is moved', () => {
    const groups = forest({ town: { info: counted(50) }, north: { info: counted(60) } });
    const limits = { groups, licences: everyType, used: nobody, at };
    const licence = groups[1]?.licence ?? initialGroupLicence;
    expect(short(inconsistencies(limits, 'north', licence, true))).toEqual(['quantity_exceeded, sip, town > north, 60/50, endless']);
  });

  it('the project is told of what its groups count on beyond what it has', () => {
    const limits = { groups: forest({ town: { info: counted(120) } }), at };
    expect(short(overProject({ ...limits, licences: everyType }))).toEqual(['quantity_exceeded, sip, project > -, 120/100, endless']);
    expect(overProject({ ...limits, licences: null })).toEqual([]);
    expect(overProject({ groups: forest({ town: { info: counted(100) } }), at, licences: everyType })).toEqual([]);
  });
});
