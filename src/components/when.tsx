import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Locale, timeFormats } from '#models/constants.ts';
import type { Profile } from '#models/profile.ts';
import { agoText, dayText, lengthOf } from '#models/time.ts';
import { clockAt, type Zone, zoneOf } from '#models/zone.ts';
import { useText } from './text.ts';

/** How a person reads time: their zone, the order of day, month and year, and the present moment. */
export interface Clockwork extends Zone {
  timeFormat: (typeof timeFormats)[number];
  /** Milliseconds since 1970. */
  now: () => number;
}

export const ClockworkContext = createContext<Clockwork>({ zoneHours: 0, zoneName: null, timeFormat: 'YYYY-MM-DD', now: () => 0 });

/** How the person of a profile reads time. */
export const clockworkOf = (reading: Profile['profile'], now: () => number): Clockwork => ({
  ...zoneOf(reading),
  timeFormat: reading.time_format,
  now,
});

/** A moment in the person's zone and format, to the second or as `clock` says. */
export const exactTime = (moment: number, reader: Zone & Pick<Clockwork, 'timeFormat'>, clock = 'HH:mm:ss'): string =>
  clockAt(reader, moment).format(`${reader.timeFormat} ${clock}`);

const week = lengthOf(1, 'week');
/** How long ago, in words; after a week the day itself. */
export const relativeTime = (moment: number, now: number, locale: Locale, zone: Zone): string =>
  Math.abs(moment - now) < week ? agoText(moment, now, locale) : dayText(clockAt(zone, moment), clockAt(zone, now), locale);

/** So often the words are looked at anew, in ms: a minute begins at most that late. */
const step = 5_000;
const listeners = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;
/** One clock for all moments that are shown. */
function follow(heard: () => void): () => void {
  listeners.add(heard);
  ticking ??= setInterval(() => {
    for (const each of listeners) each();
  }, step);
  return () => {
    listeners.delete(heard);
    if (listeners.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}
const still = (): (() => void) => () => {};

/** A moment: how long ago in words, which move on by themselves; exactly on hover and for screen readers. */
export function When({ at, exact = false }: { at: string; exact?: boolean }) {
  const clockwork = useContext(ClockworkContext);
  const { locale } = useText();
  const moment = Date.parse(at);
  const words = useSyncExternalStore(exact ? still : follow, () =>
    exact ? exactTime(moment, clockwork) : relativeTime(moment, clockwork.now(), locale, clockwork),
  );
  return (
    <time dateTime={at} title={exactTime(moment, clockwork)}>
      {words}
    </time>
  );
}
