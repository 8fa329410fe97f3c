import { importLimits, type ImportIssue, type ImportPlan } from '#models/import.ts';
import { type Locale, locales } from '#models/constants.ts';
import type { Principal, Services } from '../context.ts';
import { contentTypes, writeCells } from '../crud/export.ts';
import { storeFile } from '../files.ts';
import type { MadeFile } from '../jobs/jobs.ts';
import { wordsOf } from '../texts.ts';
import type { FileRow } from './file-row.ts';
import type { Finding } from './importer.ts';
import type { Table } from './table.ts';

/** A row that was not taken, and why. */
export interface BadRow {
  row: FileRow;
  findings: Finding[];
}

/** What is wrong with a row, by the heading that the file itself has for the field. */
export const issuesOf = ({ headings }: Table, { mapping }: ImportPlan, { row, findings }: BadRow): ImportIssue[] =>
  findings.map(({ field, rule, params }) => {
    const at = field === null ? undefined : mapping[field];
    return { row: row.row, field, column: at === undefined ? null : headings[at] || String(at + 1), rule, params };
  });

/** One thing that is wrong, in somebody's language, with the column before it. */
function sentence(locale: Locale, area: string, { column, field, rule, params }: ImportIssue): string {
  const text = wordsOf(locale, `validation.${rule}`, params) ?? wordsOf(locale, 'validation.invalid') ?? rule;
  const where = column ?? (field === null ? null : wordsOf(locale, `areas.${area}.fields.${field}`));
  return where === null ? text : `${where}: ${text}`;
}

const reasonHeading = (locale: Locale): string => wordsOf(locale, 'list.import.reason') ?? '';
/** Whether a column is the reasons of an earlier file of bad rows: they do not go into the next one. */
const isReason = (heading: string): boolean => locales.some((locale) => reasonHeading(locale) === heading);
const atOnce = 500;

/** Writes the rows that were not taken to a file like the one they came from, with the reason beside each: mended, it can be imported again. */
export async function writeBadRows(
  services: Services,
  principal: Principal,
  area: string,
  { table, plan, name, bad }: { table: Table; plan: ImportPlan; name: string; bad: readonly BadRow[] },
  signal: AbortSignal,
): Promise<MadeFile> {
  const { format, headings } = table;
  const { locale, projectId } = principal;
  const columns = headings.flatMap((heading, at) => (isReason(heading) ? [] : [at]));
  const lineOf = (one: BadRow): string[] => [
    ...columns.map((at) => one.row.cells[at] ?? ''),
    issuesOf(table, plan, one)
      .map((issue) => sentence(locale, area, issue))
      .join(' · '),
  ];
  async function* lines() {
    yield [[...columns.map((at) => headings[at] ?? ''), reasonHeading(locale)]];
    for (let from = 0; from < bad.length; from += atOnce) yield bad.slice(from, from + atOnce).map(lineOf);
  }
  const bytes = writeCells(format, lines(), signal);
  const id = await storeFile(services, { projectId, kind: 'import', contentType: contentTypes[format], bytes });
  const base = name.replace(/\.[^.]*$/, '').slice(0, 100);
  return { id, name: `${base} - ${wordsOf(locale, 'list.import.bad_rows_file') ?? 'errors'}.${format}` };
}

/** The first things that are wrong, as many as are told one by one. */
export const firstIssues = (table: Table, plan: ImportPlan, bad: readonly BadRow[]): ImportIssue[] =>
  bad
    .slice(0, importLimits.issues)
    .flatMap((one) => issuesOf(table, plan, one))
    .slice(0, importLimits.issues);
