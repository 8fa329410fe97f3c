import { utc } from '#models/time.ts';
import { clockAt, momentAt, type Zone } from '#models/zone.ts';
import type { Db } from '#server/db/database.ts';
import { readBlock } from '#server/settings/store.ts';

const written = 'YYYY-MM-DD';

/** The zone whose midnights part a project's days. */
export async function projectZone(db: Db, projectId: string): Promise<Zone> {
  const { value } = await readBlock(db, projectId, 'general');
  return { zoneHours: 0, zoneName: value.time_zone_name };
}
export const dayOf = (zone: Zone, at: Date): string => clockAt(zone, at.getTime()).format(written);
/** The moment a day begins there. */
export const beginning = (zone: Zone, day: string): number => momentAt(zone, utc(day).valueOf());

/** Each day from the first to the last. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = utc(from); day.format(written) <= to; day = day.add(1, 'day')) days.push(day.format(written));
  return days;
}

/** The last day of the week (which begins on Monday) or month that a day lies in. */
export function lastOf(day: string, step: 'day' | 'week' | 'month'): string {
  const at = utc(day);
  if (step === 'day') return day;
  return (step === 'week' ? at.add((7 - at.day()) % 7, 'day') : at.endOf('month')).format(written);
}
