import { describe, expect, it } from 'vitest';
import { sentChange, sentCopy, terseChange, terseCopy } from '#server/access/copy-wire.ts';
import { changeBetween, type CopiedCredential, copyFor, type DeviceCopy } from '#server/access/device-copy.ts';
import { type Rule, type Schedule, type WorldData, worldOf } from '#server/access/world.ts';
import { credentialOf } from '#tests/support/credential.ts';

const days = { mon: true, tue: true, wed: true, thu: true, fri: true, sat: true, sun: true };
const hours: Schedule = {
  id: 'hours',
  days,
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
const residents: Rule = {
  id: 'residents',
  isProhibition: false,
  devices: new Set(['lift']),
  schedules: ['hours'],
  users: new Set(['anna']),
  identifiers: new Set(['another', 'card']),
  groups: new Set(),
  floors: new Set([10, 2]),
};
const base: WorldData = {
  credentials: [{ ...card, id: 'another', value: 'FF' }, card],
  people: [{ id: 'anna', isActive: true, isBarredFromLifts: false, groups: [], licences: [] }],
  parents: [],
  rules: [residents],
  schedules: [{ ...hours, id: 'early' }, hours],
  doors: [{ id: 'lift', isLift: true, zone: { zoneHours: 0, zoneName: 'Europe/Berlin' }, holidays: [], antiPassback: null }],
  passages: [],
  licences: [],
};
const copyOf = (data: WorldData): DeviceCopy => copyFor(worldOf(data), 'lift');
const copied = (change: Partial<CopiedCredential>): CopiedCredential => {
  const { ownerId: _owner, ...own } = card;
  return { ...own, ownerIsActive: true, isBarredFromLifts: false, licences: [], rules: ['residents'], ...change };
};
const holding = (credential: CopiedCredential): DeviceCopy => ({ ...copyOf(base), credentials: [credential] });
/** What is sent of an identifier in a whole copy and in a difference. */
function sent(credential: CopiedCredential): unknown[] {
  const [without, copy] = [{ ...copyOf(base), credentials: [] }, holding(credential)];
  return [terseCopy(copy)['credentials'], (terseChange(changeBetween(without, copy))['put'] as DeviceCopy).credentials];
}

describe('an identifier on its way to a device', () => {
  const plain = { id: 'card', type: 'card', value: '04AB12CD', rules: ['residents'] };
  const unusual: readonly Partial<CopiedCredential>[] = [
    {},
    { isGuest: true },
    { isActive: false },
    { isRevoked: true },
    { isLost: true },
    { isBarredFromLifts: true },
    { ownerIsActive: false },
    { ownerIsActive: null },
    { period: { from: null, to: 1 } },
    { passes: { count: 1, max: 2 } },
    { locks: [2] },
    { licences: [{ feature: 'ukey2', from: null, until: 1 }] },
    { rules: [] },
  ];
  it.each(unusual)('is sent with no more than what is unusual: %o', (change) => {
    expect(sent(copied(change))).toEqual([[{ ...plain, ...change }], [{ ...plain, ...change }]]);
  });
  it.each(unusual)('is read as it was: %o', (change) => {
    const text = JSON.stringify({ ...copyOf(base), credentials: [{ ...plain, ...change }] });
    expect(sentCopy.parse(JSON.parse(text)).credentials).toEqual([copied(change)]);
    const difference = changeBetween(copyOf(base), holding(copied(change)));
    expect(sentChange.parse(JSON.parse(JSON.stringify(terseChange(difference))))).toEqual(difference);
  });
  it.each(unusual)('is not sent again to a device that has it: %o', (change) => {
    const is = holding(copied(change));
    const held = sentCopy.parse(JSON.parse(JSON.stringify(terseCopy(is))));
    expect(changeBetween(held, is).put).toEqual({ credentials: [], rules: [], schedules: [] });
  });
});

describe('the version of a copy', () => {
  it('is a short text', () => {
    expect(copyOf(base).version).toMatch(/^[\w-]{22}$/);
  });
  it('is the same in whatever order identifiers, schedules, floors and fields were read', () => {
    const backwards = <Row extends object>(row: Row): Row => Object.fromEntries(Object.entries(row).toReversed()) as Row;
    const both = { ...residents, schedules: ['hours', 'early'] };
    const [one, other] = [
      copyOf({ ...base, rules: [both] }),
      copyOf({
        ...base,
        credentials: base.credentials.toReversed().map(backwards),
        schedules: base.schedules.toReversed().map(backwards),
        rules: [{ ...both, floors: new Set([2, 10]) }],
      }),
    ];
    expect(other).toEqual(one);
    expect([one.credentials, one.schedules].map((list) => list.map(({ id }) => id))).toEqual([
      ['another', 'card'],
      ['early', 'hours'],
    ]);
    expect(one.rules[0]?.floors).toEqual([2, 10]);
  });
  it('is another where rules stand in another order, for the first is named', () => {
    const second = { ...residents, id: 'second' };
    expect(copyOf({ ...base, rules: [residents, second] }).version).not.toBe(copyOf({ ...base, rules: [second, residents] }).version);
  });
});

describe('the copy of a device', () => {
  it('holds of what is licensed that alone which the identifier needs', () => {
    const licences = (['licensePlate', 'ukey2'] as const).map((feature) => ({ feature, from: null, until: null }));
    const people = base.people.map((person) => ({ ...person, licences }));
    const credentials = [card, { ...card, id: 'plate', type: 'license_plate' } as const];
    expect(copyOf({ ...base, people, credentials }).credentials.map((one) => [one.id, one.licences.map(({ feature }) => feature)])).toEqual([
      ['card', []],
      ['plate', ['licensePlate']],
    ]);
  });
  it('holds no schedule and no rule of others', () => {
    const theirs = { ...residents, id: 'theirs', schedules: ['early'], users: new Set(['bob']), identifiers: new Set<string>() };
    const copy = copyOf({ ...base, rules: [residents, theirs] });
    expect([copy.rules, copy.schedules].map((list) => list.map(({ id }) => id))).toEqual([['residents'], ['hours']]);
  });
});
