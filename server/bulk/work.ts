import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { RowOutcome } from '#models/job.ts';
import type { AreaName } from '#models/areas.ts';
import { principalOf } from '../access/principal.ts';
import type { Principal, Services } from '../context.ts';
import { type AreaRepository, isWritable } from '../crud/repository.ts';
import { contentTypes, writeCells } from '../crud/export.ts';
import { transact } from '../crud/write.ts';
import type { Db } from '../db/database.ts';
import { jobRows } from '../db/schema/index.ts';
import { storeFile } from '../files.ts';
import { HttpError } from '../http-error.ts';
import { problemAsData, httpErrorOf } from '../http/errors.ts';
import type { MadeFile, Progress, Work } from '../jobs/jobs.ts';
import type { JobRow } from '../jobs/store.ts';
import { errorText, wordsOf } from '../texts.ts';
import { act, type Bench, type Done, takeBack, type Undone } from './actions.ts';

/** Rows that are settled in one transaction: others wait for no more than these. */
const atOnce = 25;

interface Waiting {
  place: number;
  rowId: string;
  name: string | null;
  was: Record<string, unknown> | null;
  becomes: Record<string, unknown> | null;
}
type Problem = NonNullable<RowOutcome['problem']>;
type Settled = Waiting & ({ outcome: Done } | { problem: Problem });

/** Why a row stays as it is; of what is wrong with a field the rule it breaks, for "invalid data" helps nobody here. */
function problemOf(error: unknown): Problem {
  const issues = (httpErrorOf(error)?.data as { issues?: readonly { rule?: unknown }[] } | undefined)?.issues;
  const rule = issues?.[0]?.rule;
  return { ...problemAsData(error), ...(typeof rule === 'string' && { rule }) };
}

/** One row; what a refusal had written is rolled back to its own savepoint. What is no refusal is thrown: the database then begins the portion anew, or gives it up. */
async function attempt(bench: Bench, row: Waiting): Promise<Settled> {
  const { request } = bench;
  try {
    return { ...row, outcome: await (request.undoes ? takeBack(bench, row.rowId, row as Undone) : act(bench, row.rowId)) };
  } catch (error) {
    if (!httpErrorOf(error)) throw error;
    return { ...row, problem: problemOf(error) };
  }
}

async function store(tx: Db, jobId: string, settled: readonly Settled[]): Promise<void> {
  for (const one of settled) {
    await tx
      .update(jobRows)
      .set('problem' in one ? { state: 'failed', problem: one.problem } : { was: null, becomes: null, ...one.outcome })
      .where(and(eq(jobRows.jobId, jobId), eq(jobRows.place, one.place)));
  }
}

const failureOf = (one: Settled): RowOutcome[] => ('problem' in one ? [{ id: one.rowId, name: one.name, ok: false, problem: one.problem }] : []);

/** Settles a portion: what was done to its rows stands together with the word that it was, so that nothing is done twice whatever ends the process. */
async function settle(bench: Bench, jobId: string, rows: readonly Waiting[], progress: Progress): Promise<void> {
  const stands = await transact(bench.services, async (db, putOff) => {
    const here: Bench = { ...bench, services: { ...bench.services, db, putOff } };
    const settled: Settled[] = [];
    for (const row of rows) settled.push(await attempt(here, row));
    await store(db, jobId, settled);
    return progress.settled(db, rows.length, settled.flatMap(failureOf));
  });
  await stands();
}

/** A portion that the database cannot take as a whole is settled row by row; a row that breaks the program is one that stays as it is. */
async function settleApart(bench: Bench, jobId: string, rows: readonly Waiting[], progress: Progress, cause: unknown): Promise<void> {
  bench.services.log.error({ err: cause, job: jobId }, 'a portion of bulk work is settled row by row');
  for (const row of rows) {
    try {
      await settle(bench, jobId, [row], progress);
    } catch (error) {
      progress.stopIfCancelled();
      const failed: Settled = { ...row, problem: problemOf(error) };
      const stands = await bench.services.db.transaction(async (tx) => {
        await store(tx, jobId, [failed]);
        return progress.settled(tx, 1, failureOf(failed));
      });
      await stands();
    }
  }
}

const waitingRows = ({ db }: Services, jobId: string): Promise<Waiting[]> =>
  db
    .select({ place: jobRows.place, rowId: jobRows.rowId, name: jobRows.name, was: jobRows.was, becomes: jobRows.becomes })
    .from(jobRows)
    .where(and(eq(jobRows.jobId, jobId), eq(jobRows.state, 'waiting')))
    .orderBy(asc(jobRows.place))
    .limit(atOnce);

/** The rows that stayed as they were, each with the reason, in the language of whoever asked. */
async function failuresFile(
  services: Services,
  principal: Principal,
  jobId: string,
  area: string,
  signal: AbortSignal,
): Promise<MadeFile | undefined> {
  const failed = await services.db
    .select({ id: jobRows.rowId, name: jobRows.name, problem: jobRows.problem })
    .from(jobRows)
    .where(and(eq(jobRows.jobId, jobId), inArray(jobRows.state, ['failed'])))
    .orderBy(asc(jobRows.place));
  if (failed.length === 0) return undefined;
  const { locale, projectId } = principal;
  const word = (key: string): string => wordsOf(locale, `list.bulk.file.${key}`) ?? key;
  async function* lines() {
    yield [[word('name'), 'ID', word('reason')]];
    for (let from = 0; from < failed.length; from += 500)
      yield failed.slice(from, from + 500).map(({ id, name, problem }) => [name ?? '', id, problem ? errorText(locale, problem) : '']);
  }
  const id = await storeFile(services, { projectId, kind: 'export', contentType: contentTypes.csv, bytes: writeCells('csv', lines(), signal) });
  return { id, name: `${area} - ${word('failed')}.csv` };
}

/** Bulk work, from where it stands to its end; another process may go on with it. Whoever asked for it is read anew with each portion. */
export const bulkWork =
  (services: Services, repositories: Readonly<Record<AreaName, AreaRepository>>, { id: jobId, userId, area, bulk: request }: JobRow): Work =>
  async (progress) => {
    const repository = repositories[area as AreaName];
    if (!request || !repository || !isWritable(repository)) throw new HttpError('internal');
    for (;;) {
      progress.stopIfCancelled();
      const principal = await principalOf(services, userId, request.origin);
      if (!principal) throw new HttpError('not_authorized');
      const rows = await waitingRows(services, jobId);
      if (rows.length === 0) return failuresFile(services, principal, jobId, repository.model.path, progress.signal);
      const bench: Bench = { services, repositories, repository, principal, request };
      await settle(bench, jobId, rows, progress).catch((error: unknown) => {
        progress.stopIfCancelled();
        return settleApart(bench, jobId, rows, progress, error);
      });
    }
  };

/** Fixes which rows the work is about, in their order, by the name they have now as far as it may be seen. */
export async function fixRows(tx: Db, jobId: string, ids: readonly string[], named: ReadonlyMap<string, string>): Promise<void> {
  for (let from = 0; from < ids.length; from += 1_000)
    await tx
      .insert(jobRows)
      .values(ids.slice(from, from + 1_000).map((rowId, at) => ({ jobId, place: from + at, rowId, name: named.get(rowId) ?? null })));
}

/** Fixes the rows that a job has changed as those that another one changes back. */
export const fixChanged = async (tx: Db, jobId: string, undoes: string): Promise<number> => {
  const { rows } = await tx.execute<{ total: number }>(sql`
    with taken as (
      insert into job_rows (job_id, place, row_id, name, was, becomes)
      select ${jobId}::uuid, row_number() over (order by place) - 1, row_id, name, was, becomes from job_rows where job_id = ${undoes}::uuid and state = 'done' and was is not null
      returning 1)
    select count(*)::int as total from taken`);
  return rows[0]?.total ?? 0;
};
