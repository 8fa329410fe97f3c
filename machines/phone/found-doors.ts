import type { ConciergeDoor } from './ports.ts';

/** The doors of which each word typed names something: the door, its number, or a group it is in. */
export function foundDoors(doors: readonly ConciergeDoor[], search: string, locale: string): readonly ConciergeDoor[] {
  const words = search.toLocaleLowerCase(locale).split(/\s+/).filter(Boolean);
  if (words.length === 0) return doors;
  return doors.filter(({ name, number, path }) => {
    const about = [name, number ?? '', ...path].join(' ').toLocaleLowerCase(locale);
    return words.every((word) => about.includes(word));
  });
}
