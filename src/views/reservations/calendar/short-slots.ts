import type { AmenitySlots, Slot } from '#models/amenity-slots.ts';
import { secondsIn } from '#models/time.ts';

const hour = secondsIn(1, 'hour');

/** Slots of less than an hour are too narrow beside each other to be hit and read: those of an hour stand below each other. */
export const areShort = ({ duration }: Pick<AmenitySlots, 'duration'>): boolean => duration < hour;

/** Too many of them to be listed one by one: an hour has more than four. */
export const areMany = ({ duration }: Pick<AmenitySlots, 'duration'>): boolean => rowsOf(duration) > 4;

/** How many slots may begin within an hour. */
export const rowsOf = (duration: number): number => Math.ceil(hour / duration);

/** What stands in one hour's column: from which row on, and over how many. */
export interface Cell {
  hour: number;
  row: number;
  rows: number;
}

/** Where a part of a day stands among slots of this length, hour by hour: each slot in the hour in which it begins. Seconds. */
export function cellsOf({ from, to }: Slot, duration: number): Cell[] {
  const cells: Cell[] = [];
  for (let at = from; at < to; at += duration) {
    const [within, row] = [Math.floor(at / hour), Math.floor((at % hour) / duration)];
    const last = cells.at(-1);
    if (last?.hour === within) last.rows += 1;
    else cells.push({ hour: within, row, rows: 1 });
  }
  return cells;
}

/** Slots gathered by the hour in which they begin. */
export function byHour(slots: readonly Slot[]): Slot[][] {
  const hours = new Map<number, Slot[]>();
  for (const slot of slots) {
    const at = Math.floor(slot.from / hour);
    hours.set(at, [...(hours.get(at) ?? []), slot]);
  }
  return [...hours.values()];
}
