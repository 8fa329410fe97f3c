import { type BulkAction, bulkWordFrom, takesValue } from '../bulk.ts';
import { defineForm } from '../define-form.ts';
import type { Issue } from '../issues.ts';
import type { Filters } from '../query.ts';

/** Which rows bulk work is about: those named, or all that match. */
export type BulkRows = { items: string[] } | { filters: Filters };
interface BulkGiven {
  /** The first part of the area's addresses. */
  area: string;
  action: BulkAction;
  rows: BulkRows;
  /** How many rows there were when it was asked; null until that is known. */
  total: number | null;
  /** What is typed where there are many, in the person's language. */
  word: string;
}

const sameWord = (one: string, other: string): boolean => one.trim().toLocaleLowerCase() === other.toLocaleLowerCase();

/** Doing something to many rows: what they are given, and a word where there are many. */
export const bulkForm = defineForm({
  name: 'bulk',
  call: 'startBulk',
  start: (): { value: string[]; typed: string } => ({ value: [], typed: '' }),
  read: ({ value, typed }, _base, { area, action, rows, total, word }: BulkGiven) => {
    const issues: Issue[] = [
      ...(takesValue(action) && value.length === 0 ? [{ path: ['value'], rule: 'required', params: {} }] : []),
      ...((total ?? 0) >= bulkWordFrom && !sameWord(typed, word) ? [{ path: ['typed'], rule: 'bulk_word', params: { word } }] : []),
      ...(total === null || total === 0 ? [{ path: ['total'], rule: 'required', params: {} }] : []),
    ];
    return issues.length > 0 ? { issues } : { input: { params: { area }, body: { action, value, total: total ?? 0, ...rows } } };
  },
});
