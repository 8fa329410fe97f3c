import { HttpError } from '../http-error.ts';

/** One row of a file: its number as a spreadsheet counts, and its cells as text. */
export interface FileRow {
  row: number;
  cells: string[];
}

/** Refuses a whole file, with the reason. */
export const refuseFile = (rule: string, params: Record<string, string | number> = {}): HttpError =>
  new HttpError('invalid_file', { issues: [{ path: ['file'], rule, params }] });
