import type { DenialReason } from '#models/device-events.ts';
import type { Question } from '#server/access/case.ts';
import type { Credential, Door, Licensed, Person, Rule, Schedule, WorldData } from '#server/access/world.ts';

// What a decision is, read off its description once more, slowly: every rule looked at, every clock time taken from Intl, every date counted day by
// day. It shares nothing with what it checks but the shape of the world.

const DAY = 24 * 60 * 60 * 1_000;

interface WallClock {
  /** YYYY-MM-DD. */
  date: string;
  seconds: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...parts });
  formats.set(timeZone, format);
  return format;
}

/** What a clock shows at a moment is asked for many times, of different rules. */
const shown = new Map<string, WallClock>();
const mostShown = 200_000;

/** What calendar and clock on the wall show at a moment. */
function wallClock(door: Door, at: number): WallClock {
  const key = `${door.zone.zoneName ?? door.zone.zoneHours} ${at}`;
  const known = shown.get(key);
  if (known) return known;
  if (shown.size >= mostShown) shown.clear();
  const read = readClock(door, at);
  shown.set(key, read);
  return read;
}
function readClock({ zone }: Door, at: number): WallClock {
  const format = formatOf(zone.zoneName ?? 'UTC');
  const text = format.format(zone.zoneName === null ? at + zone.zoneHours * 60 * 60 * 1_000 : at);
  const [, month, day, year, hours, minutes, seconds] = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/.exec(text) ?? [];
  return { date: `${year}-${month}-${day}`, seconds: Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) };
}

const shifted = (date: string, days: number): string => new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);
const dayName = (date: string) => (['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const)[new Date(date).getUTCDay()] ?? 'sun';
/** The Monday of a date's week. */
function mondayOf(date: string): string {
  let monday = date;
  while (dayName(monday) !== 'mon') monday = shifted(monday, -1);
  return monday;
}
const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY);

/** Whether a schedule means a date, leaving holidays aside. */
function means(schedule: Schedule, date: string): boolean {
  const { valid_from: start, valid_to: end, repeat_mode: mode } = schedule;
  if (start !== null && date < start) return false;
  if (end !== null && date > end) return false;
  const isChosenDay = schedule.days[dayName(date)];
  if (mode === 'daily') return true;
  if (mode === 'weekly') return isChosenDay;
  if (mode === 'never') {
    if (start !== null && end !== null) return isChosenDay;
    if (start !== null) return isChosenDay && date < shifted(start, 7);
    return end !== null && isChosenDay && date > shifted(end, -7);
  }
  if (start === null) return false;
  if (mode === 'every_two_weeks') return isChosenDay && daysBetween(mondayOf(start), mondayOf(date)) % 14 === 0;
  if (mode === 'monthly') return date.slice(8) === start.slice(8);
  return date.slice(5) === start.slice(5);
}

/** The hours (seconds after midnight) that a schedule has from a date on; they may end on the next day. */
function hoursOf(schedule: Schedule, holidays: readonly string[], date: string): [from: number, to: number] | null {
  if (!means(schedule, date)) return null;
  let hours: [number, number] = [schedule.from, schedule.to];
  if (holidays.includes(date) && schedule.holiday_mode === 'rests') return null;
  if (holidays.includes(date) && schedule.holiday_mode === 'own_hours') hours = [schedule.holiday_from, schedule.holiday_to];
  else if (schedule.is_all_day) return [0, 86_400];
  const [from, to] = hours;
  return from < to ? hours : [from, to + 86_400];
}

/** Whether a schedule holds at a moment. */
export function naivelyHolds(schedule: Schedule, door: Door, at: number): boolean {
  const { date, seconds } = wallClock(door, at);
  for (const daysAgo of [0, 1, 2]) {
    const hours = hoursOf(schedule, door.holidays, shifted(date, -daysAgo));
    const since = seconds + daysAgo * 86_400;
    if (hours && hours[0] <= since && since < hours[1]) return true;
  }
  return false;
}

/** Whether a rule is in force at a moment. */
function inForce(data: WorldData, rule: Rule, door: Door, at: number): boolean {
  if (rule.schedules.length === 0) return true;
  return data.schedules.some((schedule) => rule.schedules.includes(schedule.id) && naivelyHolds(schedule, door, at));
}

/** The group and all above it. */
function upwards(data: WorldData, id: string | null): string[] {
  if (id === null) return [];
  return [id, ...upwards(data, data.parents.find((group) => group.id === id)?.parentId ?? null)];
}

function covers(data: WorldData, rule: Rule, credential: Credential, owner: Person | undefined): boolean {
  if (rule.identifiers.has(credential.id)) return true;
  if (!owner) return false;
  if (rule.users.has(owner.id)) return true;
  return owner.groups.flatMap((group) => upwards(data, group)).some((group) => rule.groups.has(group));
}

function opensHere(rule: Rule, door: Door, { floor, lock }: Question, credential: Credential): boolean {
  if (rule.isProhibition || !rule.devices.has(door.id)) return false;
  if (lock !== undefined && credential.locks.length > 0 && !credential.locks.includes(lock)) return false;
  if (!door.isLift) return rule.floors === null;
  return rule.floors !== null && rule.floors.size > 0 && (floor === undefined || rule.floors.has(floor));
}

function bars(rule: Rule, door: Door, { floor }: Question): boolean {
  if (!rule.isProhibition || !rule.devices.has(door.id)) return false;
  if (rule.floors === null) return true;
  return door.isLift && rule.floors.size > 0 && (floor === undefined || rule.floors.has(floor));
}

function hasFeature(licences: readonly Licensed[], feature: string, at: number): boolean {
  return licences.some((licence) => licence.feature === feature && at >= (licence.from ?? -Infinity) && at < (licence.until ?? Infinity));
}

function lacksLicence({ type, isGuest }: Credential, licences: readonly Licensed[], at: number): boolean {
  if (type === 'license_plate' && !hasFeature(licences, 'licensePlate', at)) return true;
  if (type === 'ukey2' && !hasFeature(licences, 'ukey2', at)) return true;
  if (isGuest && !hasFeature(licences, 'guests', at)) return true;
  return isGuest && type === 'face' && !hasFeature(licences, 'guestFaces', at);
}

function isInside(data: WorldData, credential: Credential, door: Door, at: number): boolean {
  const { antiPassback } = door;
  if (antiPassback === null || antiPassback.way === 'out') return false;
  const passages = data.passages.filter((passage) => passage.credentialId === credential.id && passage.area === antiPassback.area);
  const last = passages.toSorted((one, other) => other.at - one.at)[0];
  if (!last || last.at > at || last.way === 'out') return false;
  return antiPassback.forgivenAfter === null || at < last.at + antiPassback.forgivenAfter;
}

function stateDenial({ isRevoked, isLost, isActive, ownerId }: Credential, owner: Person | undefined): DenialReason | null {
  if (isRevoked) return 'revoked';
  if (isLost || !isActive) return 'blocked';
  return ownerId !== null && (!owner || !owner.isActive) ? 'blocked' : null;
}

function limitDenial({ period, passes }: Credential, at: number): DenialReason | null {
  if (period !== null && period.from !== null && at < period.from) return 'not_yet_valid';
  if (period !== null && period.to !== null && at >= period.to) return 'expired';
  return passes !== null && passes.count >= passes.max ? 'passes_used' : null;
}

function ruleDenial(data: WorldData, question: Question, credential: Credential, owner: Person | undefined, door: Door): DenialReason | null {
  const covering = data.rules.filter((rule) => covers(data, rule, credential, owner));
  if (door.isLift && owner?.isBarredFromLifts) return 'prohibited';
  if (covering.some((rule) => bars(rule, door, question) && inForce(data, rule, door, question.at))) return 'prohibited';
  const opening = covering.filter((rule) => opensHere(rule, door, question, credential));
  if (opening.length === 0) return 'no_rule';
  return opening.some((rule) => inForce(data, rule, door, question.at)) ? null : 'outside_schedule';
}

/** Why an identifier does not open; null when it does. */
export function naiveDenial(data: WorldData, question: Question): DenialReason | null {
  const { credential: asked, at } = question;
  const credential = data.credentials.find((one) => ('id' in asked ? one.id === asked.id : one.type === asked.type && one.value === asked.value));
  const door = data.doors.find((one) => one.id === question.deviceId);
  if (!credential) return 'unknown_identifier';
  if (!door) throw new Error('no such door');
  const owner = data.people.find((person) => person.id === credential.ownerId);
  const licences = owner ? owner.licences : data.licences;
  return (
    stateDenial(credential, owner) ??
    (lacksLicence(credential, licences, at) ? 'not_licensed' : null) ??
    limitDenial(credential, at) ??
    ruleDenial(data, question, credential, owner, door) ??
    (isInside(data, credential, door, at) ? 'anti_passback' : null)
  );
}
