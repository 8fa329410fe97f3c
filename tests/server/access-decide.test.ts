import { describe, expect, it } from 'vitest';
import { accessSteps } from '#models/access-calls.ts';
import { denialReasons } from '#models/device-events.ts';
import { decide, judge } from '#server/access/decide.ts';
import { changeBetween, copyFor } from '#server/access/device-copy.ts';
import { type Credential, type Door, type Person, type Rule, type Schedule, type WorldData, worldOf } from '#server/access/world.ts';
import { credentialOf } from '#tests/support/credential.ts';

const at = (text: string): number => Date.parse(text);
const berlin = { zoneHours: 0, zoneName: 'Europe/Berlin' };
const everyDay = { mon: true, tue: true, wed: true, thu: true, fri: true, sat: true, sun: true };
/** A Wednesday, noon in Berlin. */
const noon = at('2026-06-17T10:00:00Z');

const office: Schedule = {
  id: 'office',
  days: { ...everyDay, sat: false, sun: false },
  from: 32_400,
  to: 64_800,
  valid_from: null,
  valid_to: null,
  is_all_day: false,
  repeat_mode: 'weekly',
  holiday_mode: 'rests',
  holiday_from: 0,
  holiday_to: 0,
};
const card = credentialOf({ id: 'card', value: '04AB12CD', ownerId: 'anna' });
const anna: Person = { id: 'anna', isActive: true, isBarredFromLifts: false, groups: ['flat'], licences: [] };
const lobby: Door = { id: 'lobby', isLift: false, zone: berlin, holidays: ['2026-06-18'], antiPassback: null };
const nobody = { users: new Set<string>(), identifiers: new Set<string>(), groups: new Set<string>() };
const residents: Rule = {
  id: 'residents',
  isProhibition: false,
  devices: new Set(['lobby']),
  schedules: ['office'],
  ...nobody,
  groups: new Set(['house']),
  floors: null,
};
const barred: Rule = { ...residents, id: 'barred', isProhibition: true, schedules: [], groups: new Set(), users: new Set(['anna']) };

const base: WorldData = {
  credentials: [card],
  people: [anna],
  parents: [
    { id: 'house', parentId: null },
    { id: 'flat', parentId: 'house' },
    { id: 'next door', parentId: 'house' },
  ],
  rules: [residents],
  schedules: [office],
  doors: [lobby],
  passages: [],
  licences: [],
};
const withCard = (change: Partial<Credential>): WorldData => ({ ...base, credentials: [{ ...card, ...change }] });
const withAnna = (change: Partial<Person>): WorldData => ({ ...base, people: [{ ...anna, ...change }] });
const oneLift = { doors: [{ ...lobby, isLift: true }], rules: [{ ...residents, schedules: [], floors: new Set([3]) }] };
const withRules = (...rules: Rule[]): WorldData => ({ ...base, rules });
const inside: WorldData = {
  ...base,
  doors: [{ ...lobby, antiPassback: { area: 'hall', way: 'in', forgivenAfter: 3_600_000 } }],
  passages: [{ credentialId: 'card', area: 'hall', way: 'in', at: noon - 600_000 }],
};
const asked = (data: WorldData, moment = noon) => decide(worldOf(data), { credential: { id: 'card' }, deviceId: 'lobby', at: moment });
const iso = (moment: number | null): string | null => (moment === null ? null : new Date(moment).toISOString());

describe('a granted decision', () => {
  it('names the rule, the schedule and until when', () => {
    const { steps: _steps, until, ...decision } = asked(base);
    expect(decision).toEqual({ isGranted: true, credentialId: 'card', reason: null, ruleId: 'residents', scheduleId: 'office', next: null });
    expect(iso(until)).toBe('2026-06-17T16:00:00.000Z');
  });
  it('has no end where a rule holds always, and that of the identifier where it ends', () => {
    const always = { ...residents, schedules: [] };
    expect(asked(withRules(always))).toMatchObject({ isGranted: true, scheduleId: null, until: null });
    const ending = { ...withRules(always), credentials: [{ ...card, period: { from: null, to: noon + 60_000 } }] };
    expect(asked(ending).until).toBe(noon + 60_000);
  });
  it('names the first of two rules in the order of the world', () => {
    const second = { ...residents, id: 'second', schedules: [] };
    expect([asked(withRules(residents, second)).ruleId, asked(withRules(second, residents)).ruleId]).toEqual(['residents', 'second']);
  });
  it('runs on where another rule takes over', () => {
    const evening: Schedule = { ...office, id: 'evening', from: 64_800, to: 79_200 };
    const data = { ...withRules(residents, { ...residents, id: 'late', schedules: ['evening'] }), schedules: [office, evening] };
    expect(iso(asked(data).until)).toBe('2026-06-17T20:00:00.000Z');
  });
});

describe('a refusal', () => {
  const unlicensed = { ...card, type: 'license_plate' } as const;
  const cases: readonly [reason: string, data: WorldData, next: string | null][] = [
    ['unknown_identifier', { ...base, credentials: [] }, null],
    ['revoked', withCard({ isRevoked: true }), null],
    ['blocked', withCard({ isActive: false }), null],
    ['blocked', withCard({ isLost: true }), null],
    ['blocked', withAnna({ isActive: false }), null],
    ['not_licensed', { ...base, credentials: [unlicensed] }, null],
    ['not_yet_valid', withCard({ period: { from: at('2026-06-17T12:34:00Z'), to: null } }), '2026-06-17T12:34:00.000Z'],
    ['expired', withCard({ period: { from: null, to: noon } }), null],
    ['passes_used', withCard({ passes: { count: 1, max: 1 } }), null],
    ['prohibited', withRules(residents, barred), null],
    ['prohibited', { ...withAnna({ isBarredFromLifts: true }), ...oneLift }, null],
    ['no_rule', withRules(), null],
    ['no_rule', withAnna({ groups: [] }), null],
    ['outside_schedule', { ...base, schedules: [{ ...office, from: 46_800 }] }, '2026-06-17T11:00:00.000Z'],
    ['anti_passback', inside, '2026-06-17T10:50:00.000Z'],
  ];
  it.each(cases)('for %s says when it would be granted', (reason, data, next) => {
    const decision = asked(data);
    expect(decision).toMatchObject({ isGranted: false, reason, ruleId: null, scheduleId: null, until: null });
    expect(iso(decision.next)).toBe(next);
  });
  it('has been shown here for every reason there is', () => {
    expect(new Set(cases.map(([reason]) => reason))).toEqual(new Set(denialReasons));
  });

  it('on Friday evening looks to Monday, before a holiday beyond it, and before the only day of four years to that', () => {
    expect(iso(asked(base, at('2026-06-19T20:00:00Z')).next)).toBe('2026-06-22T07:00:00.000Z');
    expect(iso(asked(base, at('2026-06-17T20:00:00Z')).next)).toBe('2026-06-19T07:00:00.000Z');
    const leap = { ...base, schedules: [{ ...office, repeat_mode: 'yearly', valid_from: '2024-02-29' } as const] };
    expect(asked(leap).next).toBeNull();
    expect(iso(asked(leap, at('2027-06-17T10:00:00Z')).next)).toBe('2028-02-29T08:00:00.000Z');
  });
  it('by a prohibition with hours ends with them', () => {
    const lunch: Schedule = { ...office, id: 'lunch', from: 43_200, to: 46_800 };
    const data = { ...withRules(residents, { ...barred, schedules: ['lunch'] }), schedules: [office, lunch] };
    expect(asked(data)).toMatchObject({ reason: 'prohibited', next: at('2026-06-17T11:00:00Z') });
    expect(asked(data).steps.find(({ name }) => name === 'prohibition')).toMatchObject({ rules: ['barred'], schedules: ['lunch'] });
  });
});

describe('the chain', () => {
  it('always has all steps in their order, and the first that fails is the reason', () => {
    const everything: WorldData = {
      ...inside,
      credentials: [{ ...card, type: 'license_plate', isRevoked: true, period: { from: null, to: noon }, passes: { count: 3, max: 2 } }],
      people: [{ ...anna, isActive: false }],
      rules: [residents, barred],
      schedules: [{ ...office, from: 0, to: 60 }],
    };
    const { steps, reason } = asked(everything);
    expect(steps.map(({ name }) => name)).toEqual([...accessSteps]);
    expect(reason).toBe('revoked');
    expect(steps.filter(({ outcome }) => outcome === 'failed').map((step) => [step.name, step.reason])).toEqual([
      ['usable', 'revoked'],
      ['owner', 'blocked'],
      ['licence', 'not_licensed'],
      ['period', 'expired'],
      ['passes', 'passes_used'],
      ['prohibition', 'prohibited'],
      ['schedule', 'outside_schedule'],
      ['restriction', 'anti_passback'],
    ]);
  });
  it('skips what does not apply', () => {
    const outcomes = (data: WorldData) => asked(data).steps.flatMap(({ name, outcome }) => (outcome === 'skipped' ? [name] : []));
    expect(outcomes(base)).toEqual(['licence', 'period', 'passes', 'restriction']);
    expect(outcomes({ ...base, credentials: [] })).toEqual(accessSteps.slice(1));
    expect(outcomes(withRules())).toContain('schedule');
    expect(outcomes({ ...withCard({ ownerId: null }), rules: [{ ...residents, identifiers: new Set(['card']) }] })).toContain('owner');
  });
  it('names the rules that reach and the schedules that do not hold', () => {
    const { steps } = asked({ ...base, schedules: [{ ...office, from: 0, to: 60 }] });
    expect(steps.find(({ name }) => name === 'rule')).toMatchObject({ outcome: 'passed', rules: ['residents'] });
    expect(steps.find(({ name }) => name === 'schedule')).toMatchObject({ outcome: 'failed', rules: ['residents'], schedules: ['office'] });
  });
  it('names the feature that is not licensed: of the person, or of the project for what is nobody’s', () => {
    const guest = withCard({ isGuest: true, type: 'face' });
    const guests = { feature: 'guests', from: null, until: null } as const;
    const feature = (data: WorldData) => asked(data).steps.find(({ name }) => name === 'licence')?.feature;
    expect(feature(guest)).toBe('guests');
    expect(feature({ ...guest, people: [{ ...anna, licences: [guests] }] })).toBe('guestFaces');
    expect(feature({ ...withCard({ isGuest: true, ownerId: null }), licences: [guests] })).toBeNull();
  });
});

describe('a rule', () => {
  it('reaches the group it names and those below, never above or beside', () => {
    const reach = (named: string, groups: string[]) =>
      asked({ ...withAnna({ groups }), rules: [{ ...residents, groups: new Set([named]) }] }).isGranted;
    expect([reach('house', ['flat']), reach('flat', ['flat'])]).toEqual([true, true]);
    expect([reach('flat', ['house']), reach('flat', ['next door'])]).toEqual([false, false]);
  });
  it('reaches nobody when it names nobody, and no door when it names none', () => {
    expect(asked(withRules({ ...residents, ...nobody })).reason).toBe('no_rule');
    expect(asked(withRules({ ...residents, devices: new Set() })).reason).toBe('no_rule');
  });
  it('opens the lifts by floors alone, and a rule without floors opens none', () => {
    const lift: Door = { ...lobby, isLift: true };
    const up = (floors: number[] | null, floor?: number, person: Partial<Person> = {}) =>
      judge(
        worldOf({
          ...withAnna(person),
          doors: [lift],
          rules: [{ ...residents, schedules: [], floors: floors && new Set(floors) }],
        }),
        { credential: { id: 'card' }, deviceId: 'lobby', at: noon, ...(floor !== undefined && { floor }) },
      ).reason;
    expect([up([3], 3), up([3]), up([3], 4), up([]), up(null)]).toEqual([null, null, 'no_rule', 'no_rule', 'no_rule']);
    expect(up([3], 3, { isBarredFromLifts: true })).toBe('prohibited');
  });
  it('lets an identifier open the locks that it is for', () => {
    const world = worldOf(withCard({ locks: [2] }));
    const ask = { credential: { id: 'card' }, deviceId: 'lobby', at: noon };
    expect([judge(world, ask).reason, judge(world, { ...ask, lock: 2 }).reason, judge(world, { ...ask, lock: 1 }).reason]).toEqual([
      null,
      null,
      'no_rule',
    ]);
  });
  it('does not hold by a schedule that is gone', () => {
    expect(asked({ ...base, schedules: [] }).reason).toBe('outside_schedule');
  });
});

describe('anti-passback', () => {
  it('lets out whoever is in, and in again whoever went out or was forgiven', () => {
    const out = { ...inside, doors: [{ ...lobby, antiPassback: { area: 'hall', way: 'out', forgivenAfter: null } as const }] };
    expect(asked(out).isGranted).toBe(true);
    const left = { ...inside, passages: [...inside.passages, { credentialId: 'card', area: 'hall', way: 'out', at: noon - 60_000 } as const] };
    expect(asked(left).isGranted).toBe(true);
    expect(asked(inside, noon + 3_000_000).isGranted).toBe(true);
    const never = { ...inside, doors: [{ ...lobby, antiPassback: { area: 'hall', way: 'in', forgivenAfter: null } as const }] };
    expect(asked(never)).toMatchObject({ reason: 'anti_passback', next: null });
  });
});

describe('the difference of two copies', () => {
  it('removes before it adds, and says nothing of what stays', () => {
    const more: WorldData = { ...base, credentials: [card, { ...card, id: 'second', value: '2' }], rules: [residents, barred] };
    const [small, large] = [copyFor(worldOf(base), 'lobby'), copyFor(worldOf(more), 'lobby')];
    const change = changeBetween(large, small);
    expect(change.removed).toEqual({ credentials: ['second'], rules: ['barred'], schedules: [] });
    expect(change.put).toEqual({ credentials: small.credentials, rules: [], schedules: [] });
    expect(changeBetween(small, small)).toMatchObject({ removed: { credentials: [] }, put: { credentials: [], rules: [], schedules: [] } });
  });
  it('is none for a pass that was used, and one for the last', () => {
    const used = (count: number) => copyFor(worldOf(withCard({ passes: { count, max: 2 } })), 'lobby').version;
    expect(used(1)).toBe(used(0));
    expect(used(2)).not.toBe(used(1));
  });
  it('leaves out whom no rule lets in there', () => {
    expect(copyFor(worldOf(withRules(barred)), 'lobby').credentials).toEqual([]);
    expect(copyFor(worldOf(withCard({ isRevoked: true })), 'lobby').credentials).toHaveLength(1);
  });
});

it('a device that is not in the world is a mistake of whoever asks', () => {
  expect(() => decide(worldOf(base), { credential: { id: 'card' }, deviceId: 'elsewhere', at: noon })).toThrow('elsewhere');
  expect(() => copyFor(worldOf(base), 'elsewhere')).toThrow('elsewhere');
});
