import type { EventFromLogic } from 'xstate';
import { describe, expect, it } from 'vitest';
import { featuresEnd, type LicenceFacts, licenceLifeMachine, lifeOf, maySwitch } from '#machines/lifecycles/licence-life.machine.ts';
import { constants } from '#models/constants.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const day = 86_400;
const begin = 1_000 * day;
const facts = (at: number, given: Partial<LicenceFacts> = {}): LicenceFacts => ({
  period: { from: begin, to: begin + 100 * day },
  graceDays: 7,
  notifyBefore: 14,
  isEnabled: true,
  at,
  ...given,
});
const moments = [begin - 1, begin, begin + 90 * day, begin + 103 * day, begin + 200 * day];

const samples = {
  'licence.switchOff': { type: 'licence.switchOff' },
  'licence.switchOn': { type: 'licence.switchOn' },
  'time.passed': moments.map((at) => ({ type: 'time.passed', at }) as const),
} satisfies Samples<EventFromLogic<typeof licenceLifeMachine>>;

describe('the life of a licence', () => {
  mapTests(licenceLifeMachine, {
    inputs: [facts(begin - 1), facts(begin, { isEnabled: false })],
    samples,
    words: ({ context }) => `[on day ${Math.floor(((context as LicenceFacts).at - begin) / day)}]`,
  });

  it.each([
    ['a second before it begins', begin - 1, 'pending', 'disabled'],
    ['the second it begins', begin, 'active', 'active'],
    ['a second before it is reminded of', begin + 86 * day - 1, 'active', 'active'],
    ['from 14 days before its end', begin + 86 * day, 'active', 'ending'],
    ['in its last second', begin + 100 * day - 1, 'active', 'ending'],
    ['in grace', begin + 100 * day, 'expired', 'ending'],
    ['in the last second of grace', begin + 107 * day - 1, 'expired', 'ending'],
    ['after its grace', begin + 107 * day, 'expired', 'disabled'],
  ] as const)('%s', (_when, at, status, state) => expect(lifeOf(facts(at))).toEqual({ status, state }));

  it('is disabled whenever it is switched off', () => {
    for (const at of moments) expect(lifeOf(facts(at, { isEnabled: false }))).toEqual({ status: 'disabled', state: 'disabled' });
  });
  it('without end is never ending, whatever the clock says', () => {
    const endless = { period: constants.unlimitedLicencePeriod };
    for (const at of [0, begin, 32_503_680_000]) expect(lifeOf(facts(at, endless))).toEqual({ status: 'active', state: 'active' });
  });
  it('without grace is over with its period', () => {
    expect(lifeOf(facts(begin + 100 * day, { graceDays: 0 }))).toEqual({ status: 'expired', state: 'disabled' });
    expect(featuresEnd(facts(0, { graceDays: 0 }))).toBe(begin + 100 * day);
  });
  it('may be switched off until it is over, and on again at any time', () => {
    expect(moments.map((at) => maySwitch(facts(at), false))).toEqual([true, true, true, true, false]);
    expect(moments.map((at) => maySwitch(facts(at, { isEnabled: false }), true))).toEqual([true, true, true, true, true]);
    expect(maySwitch(facts(begin), true)).toBe(false);
  });
});
