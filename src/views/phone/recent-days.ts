import type { RecentCall } from '#machines/phone/ports.ts';
import { clockAt } from '#models/zone.ts';
import type { Clockwork } from '#src/components/when.tsx';

/** Calls by the day they began on, in the person's zone and format, in the order they come in (clause DIAL-18). */
export function byDay(calls: readonly RecentCall[], clockwork: Clockwork): [day: string, calls: RecentCall[]][] {
  const found = new Map<string, RecentCall[]>();
  for (const call of calls) {
    const day = clockAt(clockwork, call.at).format(clockwork.timeFormat);
    const those = found.get(day);
    if (those) those.push(call);
    else found.set(day, [call]);
  }
  return [...found];
}

/** Today and yesterday have names; other days are called by their date. */
export function dayName(day: string, clockwork: Clockwork): 'today' | 'yesterday' | null {
  const there = clockAt(clockwork, clockwork.now());
  if (day === there.format(clockwork.timeFormat)) return 'today';
  return day === there.subtract(1, 'day').format(clockwork.timeFormat) ? 'yesterday' : null;
}
