import { type CalendarTime, lengthOf, readOffset, utc } from './time.ts';

/** Where a person reads time: a zone by its IANA name, with its half hours and summer time, else whole hours from UTC all year. */
export interface Zone {
  zoneHours: number;
  zoneName: string | null;
}

/** The zone a profile asks for. */
export const zoneOf = ({ time_zone, time_zone_name }: { time_zone: number; time_zone_name: string | null }): Zone => ({
  zoneHours: time_zone,
  zoneName: time_zone_name,
});

const [quarter, hour, day] = [lengthOf(15, 'minute'), lengthOf(1, 'hour'), lengthOf(1, 'day')];

/** Letters first: an offset such as +05:30 is a zone to some runtimes and has no summer time. */
const spelled = /^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/;
/** Whether this runtime knows a zone by the name. */
export const isZoneName = (name: string): boolean => name.length <= 64 && spelled.test(name) && readOffset(name, 0) !== null;

const offsets = new Map<string, number | null>();
/** So many are remembered; reading one costs more than all else about a date. */
const most = 10_000;

function rememberedOffset(zoneName: string, moment: number): number | null {
  const key = `${zoneName} ${moment}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  if (offsets.size >= most) offsets.clear();
  const read = readOffset(zoneName, moment);
  offsets.set(key, read);
  return read;
}

/** A day at whose ends the clocks are the same has not moved them: no zone does so twice a day, and none but on a quarter of an hour. */
function namedOffset(zoneName: string, moment: number): number | null {
  const begin = Math.floor(moment / day) * day;
  const [first, last] = [rememberedOffset(zoneName, begin), rememberedOffset(zoneName, begin + day)];
  return first === last ? first : rememberedOffset(zoneName, Math.floor(moment / quarter) * quarter);
}

/** How far the clocks there are ahead of UTC at a moment (both in ms); by the hours where the runtime does not know the name. */
export function offsetAt({ zoneHours, zoneName }: Zone, moment: number): number {
  const offset = zoneName === null || !Number.isFinite(moment) ? null : namedOffset(zoneName, moment);
  return offset ?? zoneHours * hour;
}

/** What calendar and clock say there at a moment, as if it were UTC. */
export const localTime = (zone: Zone, moment: number): number => moment + offsetAt(zone, moment);
/** Calendar and clock there at a moment, to be read and reckoned with; `momentAt` makes a moment of them again. */
export const clockAt = (zone: Zone, moment: number): CalendarTime => utc(localTime(zone, moment));

/**
 * The moment at which calendar and clock there say so (`local` as `localTime` gives it). Of an hour that comes twice the
 * first; one that is skipped is told as if the clocks had not yet moved.
 */
export function momentAt(zone: Zone, local: number): number {
  const [before, after] = [offsetAt(zone, local - day), offsetAt(zone, local + day)];
  const found = [before, after].map((offset) => local - offset).find((moment) => localTime(zone, moment) === local);
  return found ?? local - before;
}

/** The beginning of the day there that holds a moment. */
export const midnightOf = (zone: Zone, moment: number): number => momentAt(zone, clockAt(zone, moment).startOf('day').valueOf());

/** The zone's offset at a moment in whole hours, the nearest there are, for those who know no names. */
export const wholeHours = (zoneName: string, moment: number): number =>
  Math.min(14, Math.max(-12, Math.round(offsetAt({ zoneHours: 0, zoneName }, moment) / hour)));
