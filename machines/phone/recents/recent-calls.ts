import type { RecentCall } from '../ports.ts';

/** The other side of a call in the history. */
export const farSide = ({ direction, from, to }: RecentCall): { number: string; name: string | null } => (direction === 'incoming' ? from : to);

/**
 * Calls that nobody took, neither I nor a colleague nor by opening the door, and nobody has called back since, newest first, one for each number: the work list
 * (experience 9 and 10). `calls` are newest first.
 */
export function missedCalls(calls: readonly RecentCall[]): readonly RecentCall[] {
  const settled = new Set<string>();
  return calls.filter((call) => {
    const { number } = farSide(call);
    if (settled.has(number)) return false;
    settled.add(number);
    return call.direction === 'incoming' && call.status !== 'answered' && call.answeredBy === null && !call.doorOpened;
  });
}

/** Calls with one number besides the one that is going on, newest first. */
export const callsWith = (calls: readonly RecentCall[], number: string, present: string): readonly RecentCall[] =>
  calls.filter((call) => call.id !== present && farSide(call).number === number);

/** The next page behind what is there; a call that moved from one page to the next is not doubled. */
export function withPage(calls: readonly RecentCall[], next: readonly RecentCall[]): readonly RecentCall[] {
  const known = new Set(calls.map(({ id }) => id));
  return [...calls, ...next.filter(({ id }) => !known.has(id))];
}
