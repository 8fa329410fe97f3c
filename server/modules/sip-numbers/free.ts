import { and, eq, sql } from 'drizzle-orm';
import { idArray } from '#server/access/measures.ts';
import type { Db } from '#server/db/database.ts';
import { sipNumbers } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { hasOwner, isPicked } from './columns.ts';

/** Somebody has the number that was picked; said at the field that picked it. */
export const notFree = (path: (string | number)[]): HttpError =>
  new HttpError('number_not_free', { issues: [{ path, rule: 'number_not_free', params: {} }] });

/**
 * Takes hold of numbers that are to be given out: nobody else gives them out until the transaction ends.
 * @throws HttpError `number_not_free`, said at `path`
 */
export async function lockFree(tx: Db, projectId: string, ids: readonly string[], path: (string | number)[]): Promise<void> {
  if (ids.length === 0) return;
  const mine = and(sql`${sipNumbers.id} = any(${idArray(ids)})`, eq(sipNumbers.projectId, projectId));
  await tx.execute(sql`select ${sipNumbers.id} from ${sipNumbers} where ${mine} order by ${sipNumbers.id} for update`);
  const free = await tx
    .select({ id: sipNumbers.id })
    .from(sipNumbers)
    .where(and(mine, sql`not ${hasOwner}`, sql`not ${isPicked}`));
  if (free.length < new Set(ids).size) throw notFree(path);
}
