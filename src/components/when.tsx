import { createContext, useContext, useSyncExternalStore } from 'react';
import type { timeFormats } from '#models/constants.ts';
import type { Profile } from '#models/profile.ts';
import { localTime, type Zone, zoneOf } from '#models/zone.ts';
import { useSharedText } from './shared-text.ts';

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

const two = (value: number): string => String(value).padStart(2, '0');

/** A moment in the person's zone and format, to the second. */
export function exactTime(moment: number, reader: Zone & Pick<Clockwork, 'timeFormat'>): string {
  const there = new Date(localTime(reader, moment));
  const day = reader.timeFormat
    .replace('DD', two(there.getUTCDate()))
    .replace('MM', two(there.getUTCMonth() + 1))
    .replace('YYYY', String(there.getUTCFullYear()));
  return `${day} ${two(there.getUTCHours())}:${two(there.getUTCMinutes())}:${two(there.getUTCSeconds())}`;
}

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const WEEK = 7 * 86_400;

const days = new Map<string, Intl.DateTimeFormat>();
const agos = new Map<string, Intl.RelativeTimeFormat>();
/** Making a format costs more than using it a hundred times. */
function dayFormat(locale: string, withYear: boolean): Intl.DateTimeFormat {
  const key = `${locale} ${withYear}`;
  const made =
    days.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short', ...(withYear && { year: 'numeric' }) });
  days.set(key, made);
  return made;
}
function agoFormat(locale: string): Intl.RelativeTimeFormat {
  const made = agos.get(locale) ?? new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  agos.set(locale, made);
  return made;
}

/** How long ago, in words; after a week the day itself. */
export function relativeTime(moment: number, now: number, locale: string, zone: Zone): string {
  const seconds = Math.round((moment - now) / 1_000);
  if (Math.abs(seconds) >= WEEK) {
    const there = new Date(localTime(zone, moment));
    const sameYear = there.getUTCFullYear() === new Date(localTime(zone, now)).getUTCFullYear();
    return dayFormat(locale, !sameYear).format(there);
  }
  const words = agoFormat(locale);
  const step = steps.find(([, size]) => Math.abs(seconds) >= size);
  return step ? words.format(Math.trunc(seconds / step[1]), step[0]) : words.format(0, 'second');
}

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
  const { locale } = useSharedText();
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
