import { type Interval, intervals, merged } from '#models/schedule-times.ts';
import { lengthOf } from '#models/time.ts';
import { barredUntil, type Case, featuresNeeded, licencesOf } from './case.ts';
import { inBothTimes, withoutTimes } from './interval-sets.ts';
import type { Rule } from './world.ts';

/** When some of the rules holds. */
function timesOf({ world, door }: Case, rules: readonly Rule[], { from, to }: Interval): Interval[] {
  if (rules.some(({ schedules }) => schedules.length === 0)) return [{ from, to }];
  const named = new Set(rules.flatMap(({ schedules }) => schedules));
  return merged(
    [...named].flatMap((id) => {
      const schedule = world.schedules.get(id);
      return schedule ? intervals(schedule, door.zone, door.holidays, from, to) : [];
    }),
  );
}

/** What no time changes, and somebody has to. */
function isBarred({ credential, owner, door, permitting }: Case): boolean {
  if (!credential || permitting.length === 0 || credential.isRevoked || credential.isLost || !credential.isActive) return true;
  if (credential.ownerId !== null && !owner?.isActive) return true;
  if (door.isLift && owner?.isBarredFromLifts) return true;
  return credential.passes !== null && credential.passes.count >= credential.passes.max;
}

/** A time cut to what the period of the identifier, its licences and a restriction leave. */
function leftOf(asked: Case, within: Interval): Interval[] {
  const { credential } = asked;
  if (!credential) return [];
  const earliest = Math.max(within.from, credential.period?.from ?? -Infinity, barredUntil(asked) ?? -Infinity);
  const latest = Math.min(within.to, credential.period?.to ?? Infinity);
  const whole = earliest < latest ? [{ from: earliest, to: latest }] : [];
  return featuresNeeded(credential).reduce<Interval[]>((left, feature) => {
    const spans = licencesOf(asked).filter((one) => one.feature === feature);
    return inBothTimes(left, merged(spans.map(({ from, until }) => ({ from: from ?? -Infinity, to: until ?? Infinity }))));
  }, whole);
}

/** When the identifier opens the device between two moments, if nobody changes anything. */
export function grantedTimes(asked: Case, within: Interval): Interval[] {
  if (isBarred(asked)) return [];
  return leftOf(asked, within).flatMap((span) => withoutTimes(timesOf(asked, asked.permitting, span), timesOf(asked, asked.prohibiting, span)));
}

/** How many days ahead are looked at, one after the other: nearly always the first are enough. */
const looks = [2, 16, 128, 400].map((days) => lengthOf(days, 'day'));

/** The next moment from that of the question on at which it would be granted; null for none within 400 days. */
export function nextGranted(asked: Case): number | null {
  for (const length of looks) {
    const [first] = grantedTimes(asked, { from: asked.at, to: asked.at + length });
    if (first) return first.from;
  }
  return null;
}

/** Until when what is granted stays so; null where that does not end within 400 days. */
export function grantedUntil(asked: Case): number | null {
  for (const length of looks) {
    const [first] = grantedTimes(asked, { from: asked.at, to: asked.at + length });
    if (first && first.to < asked.at + length) return first.to;
  }
  return null;
}
