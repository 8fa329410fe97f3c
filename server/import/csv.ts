import { setImmediate as turn } from 'node:timers/promises';
import Papa from 'papaparse';
import { importLimits } from '#models/import.ts';
import { type FileRow, refuseFile } from './file-row.ts';

const delimiters = [',', ';', '\t'] as const;
const rowsAtOnce = 1_000;
/** Cells in one part of the file: a single line of a million commas is no table. */
const longestLine = 200_000;

/** The delimiter with which most of the first rows have the same number of cells, above one. */
function delimiterOf(text: string): string {
  const head = text.slice(0, 20_000);
  const width = (delimiter: string): number => {
    const { data } = Papa.parse<string[]>(head, { delimiter, preview: 10 });
    const widths = data.filter((cells) => cells.some(Boolean)).map((cells) => cells.length);
    const [first = 1] = widths;
    return first > 1 ? first * widths.filter((one) => one === first).length : 0;
  };
  return (
    delimiters.map((delimiter) => ({ delimiter, score: width(delimiter) })).toSorted((one, other) => other.score - one.score)[0]?.delimiter ?? ','
  );
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuseFile('import_encoding');
  }
}

/** The filled rows of a CSV file: UTF-8 with or without a mark, parted by commas, semicolons or tabs. @throws HttpError `invalid_file` */
export async function readCsv(bytes: Buffer): Promise<FileRow[]> {
  const text = decode(bytes).replaceAll(/\r\n?/g, '\n');
  if (text.includes('\0')) throw refuseFile('import_format');
  const delimiter = delimiterOf(text);
  const rows: FileRow[] = [];
  for (let at = 0, row = 1; at < text.length;) {
    const lineEnd = text.indexOf('\n', at);
    if ((lineEnd < 0 ? text.length : lineEnd) - at > longestLine) throw refuseFile('import_format');
    // The fast mode of the parser splits all that is left, however little is asked for.
    const { data, meta, errors } = Papa.parse<string[]>(text.slice(at), { delimiter, newline: '\n', preview: rowsAtOnce, fastMode: false });
    const open = errors.find(({ code }) => code === 'MissingQuotes');
    if (open) throw refuseFile('import_quotes', { row: row + (open.row ?? 0) });
    for (const cells of data) {
      if (cells.length > importLimits.columns && cells.slice(importLimits.columns).some((cell) => cell !== ''))
        throw refuseFile('import_too_many_columns', { max: importLimits.columns });
      if (cells.some((cell) => cell.trim() !== '')) rows.push({ row, cells });
      row += 1;
    }
    if (rows.length > importLimits.rows + 1) throw refuseFile('import_too_many_rows', { max: importLimits.rows });
    if (meta.cursor <= 0) break;
    at += meta.cursor;
    await turn();
  }
  return rows;
}
