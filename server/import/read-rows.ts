import { describe } from '#models/define-model.ts';
import { type ImportColumn, importColumns } from '#models/import-columns.ts';
import type { ImportPlan } from '#models/import.ts';
import { scopeOf } from '../access/scope.ts';
import type { Db } from '../db/database.ts';
import { plain, readerOf, type ReadCell, roundedIssue, schemaOf } from './cells.ts';
import type { FileRow } from './file-row.ts';
import type { Fields, Finding, Importer, ImportRun } from './importer.ts';
import { type Found, lookUp } from './lookups.ts';

/** A row of the file as fields of the area, and what could not be read. */
export interface ReadRow {
  row: number;
  fields: Fields;
  findings: Finding[];
  /** The rows of other areas that it names, by id. */
  names: Map<string, string>;
}
interface Source {
  column: ImportColumn;
  /** Its column in the file; null where it is the same in all rows. */
  at: number | null;
  constant: string;
  read: ReadCell | null;
  /** The area that it names rows of, and whether several. */
  ref: { area: string; isMany: boolean } | null;
}

/** Where each field comes from, in the order of the area's columns. */
export function sourcesOf(importer: Importer, { mapping, constants }: ImportPlan): Source[] {
  const { model } = importer.repository;
  return importColumns[importer.area].flatMap((column) => {
    const at = mapping[column.field];
    const constant = constants[column.field] ?? '';
    if (at === undefined && (!column.constant || constant === '')) return [];
    const { kind, ref } = describe(schemaOf(model, column.field));
    const named = (kind === 'ref' || kind === 'refs') && ref ? { area: ref, isMany: kind === 'refs' } : null;
    return [{ column, at: at ?? null, constant, read: readerOf(model, column), ref: named }];
  });
}

const textOf = ({ at, constant }: Source, { cells }: FileRow): string => (at === null ? constant : (cells[at] ?? '') || constant);
const partsOf = (text: string, isMany: boolean): string[] => (isMany ? text.split(/[;\n]/) : [text]).map((part) => part.trim()).filter(Boolean);

/** What each area is asked for by some rows of the file. */
async function findNamed(
  db: Db,
  { principal }: ImportRun,
  sources: readonly Source[],
  rows: readonly FileRow[],
): Promise<Map<string, Map<string, Found>>> {
  const wanted = new Map<string, Set<string>>();
  for (const source of sources)
    if (source.ref) {
      const words = wanted.get(source.ref.area) ?? new Set<string>();
      for (const row of rows) for (const part of partsOf(textOf(source, row), source.ref.isMany)) words.add(part);
      wanted.set(source.ref.area, words);
    }
  const found = new Map<string, Map<string, Found>>();
  for (const [area, words] of wanted) found.set(area, await lookUp(db, scopeOf(principal), area, words));
  return found;
}

function readReference({ column, ref }: Source, text: string, known: Map<string, Found> | undefined, into: ReadRow): void {
  if (!ref) return;
  const ids: string[] = [];
  for (const part of partsOf(text, ref.isMany)) {
    const found = known?.get(plain(part));
    const params = { value: part.slice(0, 60) };
    if (!found) into.findings.push({ field: column.field, rule: 'import_not_found', params });
    else if (found === 'several') into.findings.push({ field: column.field, rule: 'import_several', params });
    else {
      ids.push(found.id);
      into.names.set(found.id, found.name);
    }
  }
  into.fields[column.field] = ref.isMany ? ids : (ids[0] ?? null);
}

/** Fields by their dotted paths as the blocks they are parts of. */
function inBlocks(fields: Fields): Fields {
  const all: Fields = {};
  for (const [path, value] of Object.entries(fields)) {
    const [field = path, part] = path.split('.');
    all[field] = part === undefined ? value : { ...(all[field] as Fields | undefined), [part]: value };
  }
  return all;
}

/** Reads rows of a file: each filled cell as its field says; an empty one says nothing. */
export async function readFields(
  db: Db,
  run: ImportRun,
  importer: Importer,
  sources: readonly Source[],
  rows: readonly FileRow[],
): Promise<ReadRow[]> {
  const known = await findNamed(db, run, sources, rows);
  const columns = importColumns[importer.area];
  return rows.map((row) => {
    const into: ReadRow = { row: row.row, fields: {}, findings: [], names: new Map() };
    for (const source of sources) {
      const text = textOf(source, row);
      const { field } = source.column;
      if (text === '') continue;
      if (source.ref) {
        readReference(source, text, known.get(source.ref.area), into);
        continue;
      }
      const read = importer.read?.[field]?.(text, into.fields, run.habits) ?? source.read?.(text, run.habits);
      const wrong = read && 'rule' in read ? (roundedIssue(text) ?? read) : null;
      if (wrong && 'rule' in wrong) into.findings.push({ field, rule: wrong.rule, params: wrong.params ?? {} });
      else if (read && 'value' in read) into.fields[field] = read.value;
    }
    for (const { field, required } of columns)
      if (required && !(field in into.fields) && !into.findings.some((one) => one.field === field))
        into.findings.push({ field, rule: 'required', params: {} });
    into.fields = importer.complete(inBlocks(into.fields));
    return into;
  });
}
