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

const [hour, day] = [3_600_000, 86_400_000];
/** No zone changes its offset but on a quarter of an hour. */
const quarter = 900_000;

function formatOf(name: string): Intl.DateTimeFormat | null {
  const number = 'numeric';
  const fields = { year: number, month: number, day: number, hour: number, minute: number, second: number } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name, calendar: 'iso8601', hourCycle: 'h23', ...fields });
  } catch {
    return null;
  }
}

/** Letters first: an offset such as +05:30 is a zone to some runtimes and has no summer time. */
const spelled = /^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/;
/** Whether this runtime knows a zone by the name. */
export const isZoneName = (name: string): boolean => name.length <= 64 && spelled.test(name) && formatOf(name) !== null;

const formats = new Map<string, Intl.DateTimeFormat | null>();
const offsets = new Map<string, number>();
/** So many are remembered; asking Intl costs more than all else about a date. */
const most = 10_000;

/** The format of a zone by its name, null where this runtime has no such zone. */
function knownFormat(name: string): Intl.DateTimeFormat | null {
  const known = formats.get(name);
  if (known !== undefined) return known;
  if (formats.size >= most) formats.clear();
  const made = formatOf(name);
  formats.set(name, made);
  return made;
}

function readOffset(format: Intl.DateTimeFormat, moment: number): number {
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day: date = 1, hour: hours = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, date, hours, minute, second) - moment;
}

/** How far the clocks there are ahead of UTC at a moment (both in ms); by the hours where the runtime does not know the name. */
export function offsetAt({ zoneHours, zoneName }: Zone, moment: number): number {
  const format = zoneName === null ? null : knownFormat(zoneName);
  if (!format || !Number.isFinite(moment)) return zoneHours * hour;
  const begun = Math.floor(moment / quarter) * quarter;
  const key = `${zoneName} ${begun}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  if (offsets.size >= most) offsets.clear();
  const read = readOffset(format, begun);
  offsets.set(key, read);
  return read;
}

/** What calendar and clock say there at a moment, as if it were UTC: the getUTC… methods of a Date read it. */
export const localTime = (zone: Zone, moment: number): number => moment + offsetAt(zone, moment);

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
export const midnightOf = (zone: Zone, moment: number): number => momentAt(zone, Math.floor(localTime(zone, moment) / day) * day);

/** The zone's offset at a moment in whole hours, the nearest there are, for those who know no names. */
export const wholeHours = (zoneName: string, moment: number): number =>
  Math.min(14, Math.max(-12, Math.round(offsetAt({ zoneHours: 0, zoneName }, moment) / hour)));
