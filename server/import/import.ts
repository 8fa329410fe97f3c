import { eq } from 'drizzle-orm';
import { importColumns } from '#models/import-columns.ts';
import { type ImportAction, type ImportAttempt, importLimits, type ImportPlan, type ImportResult, type SentImportPlan } from '#models/import.ts';
import type { IdentifierFormat } from '#models/identifier-value.ts';
import { audit } from '../audit.ts';
import type { Principal, Services } from '../context.ts';
import { transact } from '../crud/write.ts';
import { type Prepared, writeMany } from '../crud/write-many.ts';
import { users } from '../db/schema/index.ts';
import { readFile, storeFile } from '../files.ts';
import { HttpError, invalidField } from '../http-error.ts';
import { httpErrorOf } from '../http/errors.ts';
import type { Jobs, Progress, Work } from '../jobs/jobs.ts';
import { type BadRow, firstIssues, writeBadRows } from './bad-rows.ts';
import { guessMapping } from './cells.ts';
import type { FileRow } from './file-row.ts';
import type { Habits, Importer } from './importer.ts';
import { judge, type Judging, type Verdict } from './judge.ts';
import { sourcesOf } from './read-rows.ts';
import { readTable, type Table } from './table.ts';

/** Rows that are settled in one transaction. */
const atOnce = 200;

async function habitsOf({ db }: Services, { id, locale }: Principal): Promise<Habits> {
  const { timeZone, timeZoneName, timeFormat, identifierFormat } = users;
  const [user] = await db.select({ timeZone, timeZoneName, timeFormat, identifierFormat }).from(users).where(eq(users.id, id));
  if (!user) throw new HttpError('not_authorized');
  return {
    zone: { zoneHours: user.timeZone, zoneName: user.timeZoneName },
    timeFormat: user.timeFormat,
    identifierFormat: user.identifierFormat as IdentifierFormat,
    locale,
  };
}

async function bytesOf(services: Services, id: string): Promise<Buffer> {
  const { stream } = await readFile(services, id);
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** The first step: keeps the file for whoever sent it, and says what is in it. @throws HttpError `invalid_file` with the reason */
export async function attemptImport(
  services: Services,
  jobs: Jobs,
  principal: Principal,
  importer: Importer,
  { bytes, name }: { bytes: Buffer; name: string },
): Promise<ImportAttempt> {
  const table = await readTable(bytes);
  const { headings, rows } = table;
  const fileName = name.slice(-120) || 'import';
  const contentType = 'application/octet-stream';
  const id = await storeFile(services, { projectId: principal.projectId, kind: 'import', contentType, bytes });
  const samples = (at: number): string[] => rows.flatMap(({ cells }) => cells[at]?.slice(0, 60) || []).slice(0, importLimits.samples);
  return {
    filepath: await jobs.store(principal, 'import_file', { id, name: fileName }),
    file_name: fileName,
    rows: rows.length,
    columns: headings.map((heading, at) => ({ heading, samples: samples(at) })),
    mapping: guessOf(importer, table),
  };
}

/** What the second step works on. */
interface Opened {
  services: Services;
  principal: Principal;
  importer: Importer;
  plan: ImportPlan;
  table: Table;
  name: string;
  judging: Judging;
}

/** Every field there must be has its column, and no field is named that is not there. */
function requirePlan({ area }: Importer, { mapping, constants }: ImportPlan, { headings }: Table): void {
  const columns = importColumns[area];
  const unknown = [...Object.keys(mapping), ...Object.keys(constants)].find((field) => !columns.some((column) => column.field === field));
  if (unknown !== undefined) throw invalidField(['mapping', unknown.slice(0, 64)], 'unknown_field', { fields: unknown.slice(0, 64) });
  const outside = Object.entries(mapping).find(([, at]) => at >= headings.length);
  if (outside) throw invalidField(['mapping', outside[0]], 'invalid');
  const missing = columns.find(({ field, required, constant }) => required && mapping[field] === undefined && !(constant && constants[field]));
  if (missing) throw invalidField(['mapping', missing.field], 'required');
}

const guessOf = ({ area }: Importer, { headings }: Table): ImportPlan['mapping'] => guessMapping(area, importColumns[area], headings);

/** Opens the file of an attempt again, which only whoever made it can. @throws HttpError `file_not_found`, `invalid_data` */
export async function openImport(services: Services, jobs: Jobs, principal: Principal, importer: Importer, sent: SentImportPlan): Promise<Opened> {
  const job = await jobs.read(principal, sent.filepath).catch(() => null);
  if (job?.kind !== 'import_file') throw new HttpError('file_not_found');
  const { id, name } = await jobs.file(principal, sent.filepath);
  const table = await readTable(await bytesOf(services, id));
  const plan: ImportPlan = { ...sent, mapping: sent.mapping ?? guessOf(importer, table) };
  requirePlan(importer, plan, table);
  const run = { services, principal, habits: await habitsOf(services, principal) };
  return {
    services,
    principal,
    importer,
    plan,
    table,
    name,
    judging: { ...run, importer, sources: sourcesOf(importer, plan), keys: new Map(), uniques: new Map() },
  };
}

const emptyResult = (action: ImportAction | null): ImportResult => ({
  action,
  counts: { new: 0, same: 0, changed: 0, bad: 0 },
  last_row: 0,
  issues: [],
});

/** The tally with a portion more. */
function withVerdicts(
  { table, plan }: Opened,
  result: ImportResult,
  bad: BadRow[],
  rows: readonly FileRow[],
  verdicts: readonly Verdict[],
): ImportResult {
  const counts = { ...result.counts };
  for (const { kind } of verdicts) counts[kind] += 1;
  const fresh = verdicts.flatMap((verdict, at): BadRow[] => {
    const row = rows[at];
    return verdict.kind === 'bad' && row ? [{ row, findings: verdict.findings }] : [];
  });
  bad.push(...fresh);
  const issues = [...result.issues, ...firstIssues(table, plan, fresh)].slice(0, importLimits.issues);
  return { ...result, counts, last_row: rows.at(-1)?.row ?? result.last_row, issues };
}

function* portionsOf({ table: { rows } }: Opened): Generator<FileRow[]> {
  for (let from = 0; from < rows.length; from += atOnce) yield rows.slice(from, from + atOnce);
}
/** The file of the rows that are not taken, where there are any. */
const badRowsFile = async ({ services, principal, importer, ...opened }: Opened, bad: readonly BadRow[], { signal }: Progress) =>
  bad.length > 0 ? writeBadRows(services, principal, importer.area, { ...opened, bad }, signal) : undefined;

/** What continuing would do, row by row, without doing it: long work that changes nothing. */
export const checkImport =
  (opened: Opened): Work =>
  async (progress) => {
    const { services, judging, table } = opened;
    const bad: BadRow[] = [];
    let result = emptyResult(null);
    progress.total(table.rows.length);
    for (const rows of portionsOf(opened)) {
      progress.stopIfCancelled();
      const verdicts = await judge(judging, { tx: services.db, at: services.now(), later: () => undefined }, rows, false);
      result = withVerdicts(opened, result, bad, rows, verdicts);
      const stands = await progress.within(services.db, rows.length, result);
      await stands();
    }
    return badRowsFile(opened, bad, progress);
  };

const tries = 3;
/** Somebody else may make a row of the same key in the very moment: then the portion is looked at anew. */
async function trying<T>(work: () => Promise<T>): Promise<T> {
  for (let round = 1; ; round += 1) {
    try {
      return await work();
    } catch (error) {
      const code = httpErrorOf(error)?.code;
      if (round === tries || (code !== 'identifier_exists' && code !== 'not_unique' && code !== 'invalid_related')) throw error;
    }
  }
}

const preparedOf = (verdicts: readonly Verdict[], kind: 'new' | 'changed'): Prepared[] =>
  verdicts.flatMap((verdict) => (verdict.kind === kind ? verdict.prepared : []));

/** Settles one portion: all of it stands, with the job's word that it does, or none of it. */
async function settle(opened: Opened, progress: Progress, action: ImportAction, rows: readonly FileRow[], before: ImportResult, bad: BadRow[]) {
  const { services, principal, importer, judging } = opened;
  return trying(async () => {
    const found: BadRow[] = [];
    const { result, stands } = await transact(services, async (tx, later) => {
      found.length = 0;
      const at = services.now();
      const verdicts = await judge(judging, { tx, at, later }, rows, true);
      const changed = action === 'overwrite' ? preparedOf(verdicts, 'changed') : [];
      await writeMany({ tx, principal, at }, importer.repository, preparedOf(verdicts, 'new'), changed);
      const after = withVerdicts(opened, before, found, rows, verdicts);
      return { result: after, stands: await progress.within(tx, rows.length, after) };
    });
    bad.push(...found);
    await stands();
    return result;
  });
}

/** The second step, as long work: portion by portion, each whole; the rows that were not taken are its file. */
export const continueImport =
  (opened: Opened, action: ImportAction): Work =>
  async (progress) => {
    const { services, principal, importer, table, name } = opened;
    const bad: BadRow[] = [];
    let result = emptyResult(action);
    progress.total(table.rows.length);
    for (const rows of portionsOf(opened)) {
      progress.stopIfCancelled();
      result = await settle(opened, progress, action, rows, result, bad);
    }
    const { counts } = result;
    const changes = Object.fromEntries(
      [['file', name] as const, ...Object.entries(counts).map(([kind, count]) => [`rows_${kind}`, count] as const)].map(([field, after]) => [
        field,
        { before: null, after },
      ]),
    );
    await audit(services.db, principal, { area: importer.area, action: 'import', entityName: name, changes }, services.now());
    return badRowsFile(opened, bad, progress);
  };
