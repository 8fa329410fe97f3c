import Papa from 'papaparse';
import type { ExportFormat } from '#models/job.ts';
import type { Filters } from '#models/query.ts';
import { scopeOf } from '../access/scope.ts';
import { audit } from '../audit.ts';
import type { Principal, Services } from '../context.ts';
import { storeFile } from '../files.ts';
import type { Progress, Work } from '../jobs/jobs.ts';
import type { AreaRepository, Row } from './repository.ts';
import { cellOf } from './export-columns.ts';
import { type Look, readableLook } from './readable.ts';
import { matchingIds, readRows } from './rows.ts';
import { type Cell, workbook } from './workbook.ts';

/** What is to be written: which rows, in which order, which of their columns, in which format. */
export interface ExportRequest {
  format: ExportFormat;
  filters: Filters;
  sort: readonly string[];
  columns: readonly string[];
  /** For people: in their language, by their clocks. */
  readable: boolean;
}
type Rows = AsyncIterable<Row[]>;
type Table = (columns: readonly string[], rows: Rows, look: Look, signal: AbortSignal) => AsyncIterable<string | Uint8Array>;

/** Spreadsheets run what begins like this as a formula, the full-width signs included. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/u;

async function* json(columns: readonly string[], rows: Rows): AsyncIterable<string> {
  const fields = [...new Set(columns.map((column) => column.split('.')[0] ?? column))];
  const line = (row: Row): string => JSON.stringify(Object.fromEntries(fields.map((field) => [field, row[field]])));
  let separator = '[\n';
  for await (const part of rows) {
    if (part.length === 0) continue;
    yield separator + part.map(line).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** Rows of plain cells as a file, the first row its heads: text stays text in every spreadsheet. */
async function* csvOf(rows: AsyncIterable<Cell[][]>): AsyncIterable<string> {
  yield '\ufeff';
  for await (const part of rows) if (part.length > 0) yield `${Papa.unparse(part, { escapeFormulae: formula })}\r\n`;
}
export const writeCells = (format: 'csv' | 'xlsx', rows: AsyncIterable<Cell[][]>, signal: AbortSignal): AsyncIterable<string | Uint8Array> =>
  format === 'csv' ? csvOf(rows) : workbook(rows, signal);

/** As the wire has them: for programs, and to be imported again. */
const plainLook: Look = { head: (column) => column, cell: cellOf };

async function* cells(columns: readonly string[], rows: Rows, { head, cell }: Look): AsyncIterable<Cell[][]> {
  yield [columns.map(head)];
  for await (const part of rows) yield part.map((row) => columns.map((column) => cell(row, column)));
}

export const contentTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
const tables: Record<ExportFormat, Table> = {
  csv: (columns, rows, look, signal) => writeCells('csv', cells(columns, rows, look), signal),
  json,
  xlsx: (columns, rows, look, signal) => writeCells('xlsx', cells(columns, rows, look), signal),
};
const atOnce = 500;

async function* pages({ db }: Services, repository: AreaRepository, principal: Principal, ids: readonly string[], progress: Progress): Rows {
  for (let from = 0; from < ids.length; from += atOnce) {
    const part = ids.slice(from, from + atOnce);
    yield await readRows(db, repository, scopeOf(principal), part);
    await progress.done(part.length);
  }
}

/** Writes all rows that match and that the principal may see to a file, as long work; its name says what and when. */
export const exportRows =
  (services: Services, repository: AreaRepository, principal: Principal, { format, filters, sort, columns, readable }: ExportRequest): Work =>
  async (progress) => {
    const ids = await matchingIds(services.db, repository, scopeOf(principal), filters, sort);
    progress.total(ids.length);
    progress.stopIfCancelled();
    const look = readable && format !== 'json' ? await readableLook(services, principal, repository.model, { format, columns }) : plainLook;
    const bytes = tables[format](columns, pages(services, repository, principal, ids, progress), look, progress.signal);
    const id = await storeFile(services, { projectId: principal.projectId, kind: 'export', contentType: contentTypes[format], bytes });
    const name = `${repository.area}-${services.now().toISOString().slice(0, 10)}.${format}`;
    const changes = { file: { before: null, after: name }, rows: { before: null, after: ids.length } };
    await audit(services.db, principal, { area: repository.area, action: 'export', entityName: name, changes }, services.now());
    return { id, name };
  };
