import { randomUUID } from 'node:crypto';
import { and, sql } from 'drizzle-orm';
import { toIssues, type Issue } from '#models/issues.ts';
import { may } from '#models/permissions.ts';
import { idArray } from '../access/measures.ts';
import { inVerbScope, scopeOf, viewable } from '../access/scope.ts';
import type { Change, Row } from '../crud/repository.ts';
import { readRows } from '../crud/rows.ts';
import { isSame } from '../crud/same.ts';
import type { Prepared } from '../crud/write-many.ts';
import type { Db } from '../db/database.ts';
import { HttpError } from '../http-error.ts';
import type { FileRow } from './file-row.ts';
import type { Fields, Finding, Importer, ImportRun } from './importer.ts';
import { type ReadRow, readFields, type sourcesOf } from './read-rows.ts';

/** What is to be done with one row of the file. */
export type Verdict =
  | { kind: 'new' | 'changed'; row: number; prepared: Prepared }
  | { kind: 'same'; row: number }
  | { kind: 'bad'; row: number; findings: Finding[] };

/** One run over a file. */
export interface Judging extends ImportRun {
  importer: Importer;
  sources: ReturnType<typeof sourcesOf>;
  /** The row that was the first of its key, through all portions of the file. */
  keys: Map<string, number>;
  /** The same of what no two rows may have besides. */
  uniques: Map<string, number>;
}
interface Stored {
  /** The row as the person sees it; undefined where they do not. */
  row: Row | undefined;
  mayEdit: boolean;
}
interface Portion {
  tx: Db;
  at: Date;
  later: Change['later'];
}

const isBlock = (value: unknown): value is Fields => value !== null && typeof value === 'object' && !Array.isArray(value);
/** By the field, or by the part of a block; of a list it is the list that is wrong. */
const findingOf = ({ path, rule, params }: Issue): Finding => {
  const names = path.slice(0, 2).filter((part) => typeof part === 'string');
  return { field: names.length > 0 ? names.join('.') : null, rule, params };
};
const bad = (row: number, findings: Finding[]): Verdict => ({ kind: 'bad', row, findings });

/** A refusal of the area's rules as findings: by field where it names one, else by its code. */
function findingsOf(error: unknown): Finding[] {
  if (!(error instanceof HttpError)) throw error;
  const issues = (error.data as { issues?: Issue[] } | undefined)?.issues ?? [];
  if (issues.length > 0) return issues.map(findingOf);
  return [{ field: null, rule: error.code === 'licence_restricted' ? 'import_licence' : 'invalid', params: {} }];
}

/** The rows that are there already, by key; held while the portion is written. */
async function storedRows({ importer, principal }: Judging, { tx }: Portion, keys: readonly string[], isHeld: boolean): Promise<Map<string, Stored>> {
  const { repository, find } = importer;
  const ids = await find(tx, principal.projectId, keys);
  if (ids.size === 0) return new Map();
  const scope = scopeOf(principal);
  const lock = isHeld ? sql`order by ${repository.table.id} for update of ${repository.table}` : sql``;
  const { rows } = await tx.execute<{ id: string; allowed: boolean }>(
    sql`select ${repository.table.id} as id, coalesce(${inVerbScope(principal, 'edit', repository.area)}, false) as allowed from ${repository.table}
      where ${and(sql`${repository.table.id} = any(${idArray([...ids.values()])})`, viewable(scope, repository.area))} ${lock}`,
  );
  const allowed = new Map(rows.map(({ id, allowed: one }) => [id, one]));
  const seen = new Map((await readRows(tx, repository, scope, [...allowed.keys()])).map((row) => [row.id, row]));
  return new Map([...ids].map(([key, id]) => [key, { row: seen.get(id), mayEdit: allowed.get(id) === true }]));
}

async function prepare(judging: Judging, portion: Portion, row: number, own: Pick<Change, 'verb' | 'id' | 'before' | 'fields'>): Promise<Verdict> {
  const { services, principal, importer } = judging;
  const { repository } = importer;
  const change: Change = { services, principal, ...portion, ...own };
  const issues = repository.model.refine(change.fields);
  if (issues.length > 0) return bad(row, issues.map(findingOf));
  try {
    const follows = (await repository.prepare?.(change)) ?? {};
    return { kind: own.verb === 'create' ? 'new' : 'changed', row, prepared: { change, follows } };
  } catch (error) {
    return bad(row, findingsOf(error));
  }
}

async function judgeNew(judging: Judging, portion: Portion, { row, fields, names }: ReadRow): Promise<Verdict> {
  const { principal, importer } = judging;
  const { repository, fresh } = importer;
  if (!may(principal, 'create', repository.area)) return bad(row, [{ field: null, rule: 'import_may_not_create', params: {} }]);
  const read = repository.model.create.safeParse(fresh(fields, (id) => names.get(id), portion.at));
  if (!read.success) return bad(row, toIssues(read.error).map(findingOf));
  return prepare(judging, portion, row, { verb: 'create', id: randomUUID(), before: null, fields: read.data });
}

async function judgeStored(judging: Judging, portion: Portion, { row, fields }: ReadRow, { row: before, mayEdit }: Stored): Promise<Verdict> {
  const { keyField, repository } = judging.importer;
  const { model } = repository;
  if (!before) return bad(row, [{ field: keyField, rule: 'import_out_of_reach', params: {} }]);
  const now = model.toWire(model.fromRow(before));
  const said = Object.entries(fields).filter(([field]) => field !== keyField && !model.createOnly.includes(field));
  const read = model.patch.safeParse(
    Object.fromEntries(said.map(([field, value]) => [field, isBlock(value) ? { ...(now[field] as Fields), ...value } : value])),
  );
  if (!read.success) return bad(row, toIssues(read.error).map(findingOf));
  const changed: Fields = Object.fromEntries(Object.entries(read.data).filter(([field, value]) => !isSame(value, now[field])));
  if (Object.keys(changed).length === 0) return { kind: 'same', row };
  if (!mayEdit) return bad(row, [{ field: null, rule: 'import_may_not_edit', params: {} }]);
  return prepare(judging, portion, row, { verb: 'edit', id: before.id, before, fields: changed });
}

/** Whether another row, of the file or of the project, has what no two may have. */
async function takenBy({ importer: { unique }, principal, uniques }: Judging, { tx }: Portion, rows: readonly ReadRow[]) {
  if (!unique) return () => false;
  const valueOf = ({ fields }: ReadRow): string | null => {
    const value = fields[unique.field];
    return typeof value === 'string' && value !== '' ? value.toLowerCase() : null;
  };
  const owners = await unique.find(
    tx,
    principal.projectId,
    rows.flatMap((row) => valueOf(row) ?? []),
  );
  return (row: ReadRow, key: string | null): boolean => {
    const value = valueOf(row);
    if (value === null) return false;
    const owner = owners.get(value);
    const first = uniques.get(value);
    if (first === undefined) uniques.set(value, row.row);
    return (owner !== undefined && owner !== key) || (first !== undefined && first !== row.row);
  };
}

/** Looks at a portion of the file's rows, one after the other. `isHeld`: rows that are there already are held for the change. */
export async function judge(judging: Judging, portion: Portion, rows: readonly FileRow[], isHeld: boolean): Promise<Verdict[]> {
  const { importer, sources, keys } = judging;
  const read = await readFields(portion.tx, judging, importer, sources, rows);
  const keyed = read.map((one) => ({ one, key: one.findings.length === 0 ? importer.keyOf(one.fields) : null }));
  const wanted = keyed.flatMap(({ key }) => key ?? []);
  const stored = await storedRows(judging, portion, [...new Set(wanted)], isHeld);
  const taken = await takenBy(judging, portion, read);
  const verdicts: Verdict[] = [];
  for (const { one, key } of keyed) {
    const first = key === null ? undefined : keys.get(key);
    const there = key === null ? undefined : stored.get(key);
    if (one.findings.length > 0) verdicts.push(bad(one.row, one.findings));
    else if (first !== undefined && first !== one.row)
      verdicts.push(bad(one.row, [{ field: importer.keyField, rule: 'import_repeated', params: { row: first } }]));
    else if (taken(one, key)) verdicts.push(bad(one.row, [{ field: importer.unique?.field ?? null, rule: 'import_taken', params: {} }]));
    else verdicts.push(there ? await judgeStored(judging, portion, one, there) : await judgeNew(judging, portion, one));
    if (key !== null && first === undefined && verdicts.at(-1)?.kind !== 'bad') keys.set(key, one.row);
  }
  return verdicts;
}
