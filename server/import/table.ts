import { importLimits } from '#models/import.ts';
import { HttpError } from '../http-error.ts';
import { readCsv } from './csv.ts';
import { type FileRow, refuseFile } from './file-row.ts';
import { readWorkbook } from './xlsx.ts';
import { TooLarge } from './zip.ts';

/** What a file holds: the headings of its first row, and the filled rows below. */
export interface Table {
  format: 'csv' | 'xlsx';
  headings: string[];
  rows: FileRow[];
}

/** What our own files put before text that a spreadsheet would run. */
const unescaped = (cell: string): string => (/^'[=+\-@\t\r\n＝＋－＠]/u.test(cell) ? cell.slice(1) : cell);

async function readRows(bytes: Buffer): Promise<Pick<Table, 'format' | 'rows'>> {
  // By what it is, whatever it is called.
  if (bytes.subarray(0, 2).toString('latin1') !== 'PK') return { format: 'csv', rows: await readCsv(bytes) };
  try {
    return { format: 'xlsx', rows: await readWorkbook(bytes) };
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw refuseFile(error instanceof TooLarge ? 'import_too_large' : 'import_damaged');
  }
}

/** Reads a file as a table, CSV or Excel. @throws HttpError `invalid_file` with the reason */
export async function readTable(bytes: Buffer): Promise<Table> {
  const { format, rows } = await readRows(bytes);
  const [head, ...below] = rows;
  if (!head || below.length === 0) throw refuseFile('import_empty');
  const width = Math.min(importLimits.columns, Math.max(head.cells.length, ...below.slice(0, 100).map(({ cells }) => cells.length)));
  const headings = Array.from({ length: width }, (_, at) => (head.cells[at] ?? '').trim().slice(0, 100));
  return { format, headings, rows: below.map(({ row, cells }) => ({ row, cells: cells.map((cell) => unescaped(cell.trim())) })) };
}
