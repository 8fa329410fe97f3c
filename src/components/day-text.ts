import { readText } from '#models/time-text.ts';
import { utc } from '#models/time.ts';
import type { Clockwork } from './when.tsx';

type Order = Clockwork['timeFormat'];
const formatOf = (order: Order, withTime: boolean): string => (withTime ? `${order} HH:mm` : order);

/** A day, and its time where that counts, in the person's order; `local` is what the clock there shows, in ms as if it were UTC. */
export const writeDay = (local: number | null, order: Order, withTime: boolean): string =>
  local === null ? '' : utc(local).format(formatOf(order, withTime));

/**
 * Reads what was typed: the person's order, or that of ISO 8601, with any of the usual marks between the numbers, the time left out
 * or not. Null for what is no date, such as 31 February.
 */
export function readDay(text: string, order: Order, withTime: boolean): number | null {
  const plain = text.trim().replace(/[./]/g, '-').replace('T', ' ');
  const orders = /^\d{4}-/.test(plain) ? (['YYYY-MM-DD'] as const) : [order];
  const formats = orders.flatMap((each) => [each, each.replace('DD', 'D').replace('MM', 'M')]);
  const wanted = withTime ? [...formats, ...formats.flatMap((each) => [`${each} HH:mm`, `${each} H:mm`])] : formats;
  return readText(plain, wanted);
}
