import type { RecentCall } from '#machines/phone/ports.ts';
import { midnightOf } from '#models/zone.ts';
import { type Clockwork, exactTime } from '#src/components/when.tsx';

/** Calls by the day they began on, in the person's zone and format, in the order they come in (clause DIAL-18). */
export function byDay(calls: readonly RecentCall[], clockwork: Clockwork): [day: string, calls: RecentCall[]][] {
  const found = new Map<string, RecentCall[]>();
  for (const call of calls) {
    const day = exactTime(call.at, clockwork).slice(0, 10);
    const those = found.get(day);
    if (those) those.push(call);
    else found.set(day, [call]);
  }
  return [...found];
}

/** Today and yesterday have names; other days are called by their date. */
export function dayName(day: string, clockwork: Clockwork): 'today' | 'yesterday' | null {
  const now = clockwork.now();
  if (day === exactTime(now, clockwork).slice(0, 10)) return 'today';
  return day === exactTime(midnightOf(clockwork, now) - 1, clockwork).slice(0, 10) ? 'yesterday' : null;
}
