import { isZoneName, offsetAt, wholeHours, type Zone } from '#models/zone.ts';
import { utc, zoneNameIn } from '#models/time.ts';
import type { Candidate } from '#src/components/picker-sheet.tsx';

/** A time zone as it is offered: by its name, or as hours from UTC without one. */
export interface ZoneChoice extends Candidate, Zone {
  /** What a search looks into, in small letters. */
  words: string;
}

/** Names that runtimes still list, and what the cities are called by now. */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** An offset as people write it: UTC+2, UTC−3:30. */
export function offsetText(offset: number): string {
  const size = utc(Math.abs(offset));
  return `UTC${offset < 0 ? '−' : '+'}${size.format(size.minute() === 0 ? 'H' : 'H:mm')}`;
}

const cityOf = (zoneName: string): string => zoneName.split('/').at(-1)?.replaceAll('_', ' ') ?? zoneName;
/** A zone in few words: its offset at a moment and its city. */
export const zoneText = (zone: Zone, now: number): string =>
  [offsetText(offsetAt(zone, now)), ...(zone.zoneName === null ? [] : [cityOf(zone.zoneName)])].join(' · ');

/** What a language calls the time of a zone; empty where it has only the offset. */
function spokenName(locale: string, zoneName: string, timeZoneName: 'shortGeneric' | 'longGeneric', now: number): string {
  const name = zoneNameIn(locale, zoneName, timeZoneName, now);
  return name.startsWith('GMT') || name.startsWith('UTC') ? '' : name;
}

/** What a zone is called by now, as far as this runtime knows. */
function presentName(zoneName: string): string {
  const name = renamed[zoneName];
  return name !== undefined && isZoneName(name) ? name : zoneName;
}

/** Whether a choice is the zone somebody has. */
export const isChosen = (choice: Zone, { zoneHours, zoneName }: Zone): boolean =>
  zoneName === null ? choice.zoneName === null && choice.zoneHours === zoneHours : choice.zoneName === presentName(zoneName);

const searched = (text: string): string => text.toLocaleLowerCase().replaceAll('−', '-').replaceAll('_', ' ');

function byName(locale: string, listed: string, now: number): ZoneChoice {
  const zoneName = presentName(listed);
  const zone = { zoneHours: wholeHours(zoneName, now), zoneName };
  const name = zoneText(zone, now);
  const [short, long] = [spokenName(locale, zoneName, 'shortGeneric', now), spokenName(locale, zoneName, 'longGeneric', now)];
  // Short is the country or city in most zones, letters such as HST in some.
  const second = /^[A-Z]+$/.test(short) ? long : short;
  const words = searched([name, zoneName, listed, short, long].join(' '));
  return { ...zone, id: zoneName, name, words, ...(second && { second }) };
}

const allHours = Array.from({ length: 27 }, (_, at) => at - 12);
const byHours = (zoneHours: number, second: string): ZoneChoice => {
  const zone = { zoneHours, zoneName: null };
  const name = zoneText(zone, 0);
  return { ...zone, id: `${zoneHours}`, name, second, words: searched(`${name} ${second}`) };
};

/** All zones there are to choose: those with a name from west to east, cities by the alphabet, then plain hours (`plain` says what they are). */
export function zoneChoices(locale: string, now: number, plain: string): ZoneChoice[] {
  const collator = new Intl.Collator(locale);
  const named = Intl.supportedValuesOf('timeZone')
    .filter((name) => name.includes('/') && !name.startsWith('Etc/'))
    .map((name) => ({ choice: byName(locale, name, now), offset: offsetAt({ zoneHours: 0, zoneName: name }, now) }))
    .toSorted((one, other) => one.offset - other.offset || collator.compare(one.choice.name, other.choice.name));
  return [...named.map(({ choice }) => choice), ...allHours.map((hours) => byHours(hours, plain))];
}

/** Those in which every word of a search is found. */
export function zonesFound(choices: readonly ZoneChoice[], search: string): readonly ZoneChoice[] {
  const wanted = searched(search).split(/\s+/).filter(Boolean);
  return wanted.length === 0 ? choices : choices.filter(({ words }) => wanted.every((word) => words.includes(word)));
}
