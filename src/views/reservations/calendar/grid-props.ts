import type { Board } from './board.ts';
import type { useCarry } from './use-carry.ts';

/** What every way to draw the calendar is given. */
export interface GridProps {
  board: Board;
  dates: readonly string[];
  /** The date the calendar stands at. */
  date: string;
  today: string;
  label: string;
  mayBook: boolean;
  carry: ReturnType<typeof useCarry>['props'];
}
