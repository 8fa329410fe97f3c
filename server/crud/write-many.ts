import { eq, sql } from 'drizzle-orm';
import { groupsOf } from '../access/belonging.ts';
import { wholeSight } from '../access/scope.ts';
import { tellingDevices } from '../devices/copies.ts';
import type { Change, Row, WritableBinding } from './binding.ts';
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

async function insert({ tx, principal, at }: Round, binding: WritableBinding, made: readonly Prepared[]): Promise<void> {
  if (made.length === 0) return;
  const stamps = { projectId: principal.projectId, createdBy: principal.id, createdAt: at, updatedAt: at };
  await tx
    .insert(binding.table)
    .values(made.map(({ change: { id, fields }, follows }) => ({ ...columnsOf(binding, fields), ...follows, ...stamps, id })));
  for (const [field, link] of linksOf(binding))
    await addLinks(
      tx,
      principal,
      link,
      made.flatMap(({ change: { id, fields } }) => ((fields[field] ?? []) as string[]).map((other) => [id, other] as const)),
    );
}

async function update({ tx, at }: Round, binding: WritableBinding, edited: readonly Prepared[]): Promise<void> {
  for (const { change, follows } of edited) {
    await tx
      .update(binding.table)
      .set({ ...columnsOf(binding, change.fields), ...follows, version: sql`${binding.table.version} + 1`, updatedAt: at })
      .where(eq(binding.table.id, change.id));
    await writeLinks(change, binding);
  }
}

const byId = (rows: readonly Row[]): Map<string, Row> => new Map(rows.map((row) => [row.id, row]));

/**
 * Writes many rows of an area in one transaction: what each needs by itself was looked at before (rules, references, permissions); links, devices and the
 * trail are as for one. Rows that are changed must be held.
 */
export async function writeMany(round: Round, binding: WritableBinding, made: readonly Prepared[], edited: readonly Prepared[]): Promise<void> {
  const { tx, principal } = round;
  const all = [...made, ...edited];
  const idsOf = (some: readonly Prepared[]): string[] => some.map(({ change }) => change.id);
  if (all.length === 0) return;
  const whole = wholeSight(principal.projectId);
  const was = byId(await readRows(tx, binding, whole, idsOf(edited)));
  const belonged = await groupsOf(tx, binding.area, idsOf(edited));
  await tellingDevices(tx, binding.area, idsOf(all), async () => {
    await insert(round, binding, made);
    await update(round, binding, edited);
    for (const { change } of all) await binding.settle?.(change);
  });
  const is = byId(await readRows(tx, binding, whole, idsOf(all)));
  const written = all.map(({ change: { verb, id } }) => ({
    verb,
    id,
    before: was.get(id) ?? null,
    after: is.get(id) ?? null,
    belonged: belonged.get(id) ?? [],
  }));
  await auditWritten(round, binding, written);
}
