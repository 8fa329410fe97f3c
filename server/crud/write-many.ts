import { eq, sql } from 'drizzle-orm';
import { groupsOf } from '../access/belonging.ts';
import { projectScope } from '../access/scope.ts';
import { notifyingDevices } from '../devices/copies.ts';
import type { Change, Row, WritableRepository } from './repository.ts';
import { addLinks, writeLinks } from './links.ts';
import { readRows } from './rows.ts';
import { auditWritten } from './trail.ts';
import { columnsOf, linksOf } from './written.ts';

/** A change that was found to be right, and the columns that follow from it. */
export interface Prepared {
  change: Change;
  follows: Record<string, unknown>;
}
type Round = Pick<Change, 'tx' | 'principal' | 'at'>;

async function insert({ tx, principal, at }: Round, repository: WritableRepository, made: readonly Prepared[]): Promise<void> {
  if (made.length === 0) return;
  const stamps = { projectId: principal.projectId, createdBy: principal.id, createdAt: at, updatedAt: at };
  await tx
    .insert(repository.table)
    .values(made.map(({ change: { id, fields }, follows }) => ({ ...columnsOf(repository, fields), ...follows, ...stamps, id })));
  for (const [field, link] of linksOf(repository))
    await addLinks(
      tx,
      principal,
      link,
      made.flatMap(({ change: { id, fields } }) => ((fields[field] ?? []) as string[]).map((other) => [id, other] as const)),
    );
}

async function update({ tx, at }: Round, repository: WritableRepository, edited: readonly Prepared[]): Promise<void> {
  for (const { change, follows } of edited) {
    await tx
      .update(repository.table)
      .set({ ...columnsOf(repository, change.fields), ...follows, version: sql`${repository.table.version} + 1`, updatedAt: at })
      .where(eq(repository.table.id, change.id));
    await writeLinks(change, repository);
  }
}

const byId = (rows: readonly Row[]): Map<string, Row> => new Map(rows.map((row) => [row.id, row]));

/**
 * Writes many rows of an area in one transaction: what each needs by itself was looked at before (rules, references, permissions); links, devices and the
 * trail are as for one. Rows that are changed must be held.
 */
export async function writeMany(round: Round, repository: WritableRepository, made: readonly Prepared[], edited: readonly Prepared[]): Promise<void> {
  const { tx, principal } = round;
  const all = [...made, ...edited];
  const idsOf = (some: readonly Prepared[]): string[] => some.map(({ change }) => change.id);
  if (all.length === 0) return;
  const whole = projectScope(principal.projectId);
  const was = byId(await readRows(tx, repository, whole, idsOf(edited)));
  const belonged = await groupsOf(tx, repository.area, idsOf(edited));
  await notifyingDevices(tx, repository.area, idsOf(all), async () => {
    await insert(round, repository, made);
    await update(round, repository, edited);
    for (const { change } of all) await repository.settle?.(change);
  });
  const is = byId(await readRows(tx, repository, whole, idsOf(all)));
  const written = all.map(({ change: { verb, id } }) => ({
    verb,
    id,
    before: was.get(id) ?? null,
    after: is.get(id) ?? null,
    belonged: belonged.get(id) ?? [],
  }));
  await auditWritten(round, repository, written);
}
