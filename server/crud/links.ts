import { and, sql } from 'drizzle-orm';
import { topics } from '#models/realtime.ts';
import { idArray } from '../access/measures.ts';
import { areaScopes } from '../modules/scopes.ts';
import { type ViewScope, scopeOf } from '../access/scope.ts';
import type { Principal } from '../context.ts';
import type { Db } from '../db/database.ts';
import { publish } from '../realtime/publish.ts';
import type { Change, Link, WritableRepository } from './repository.ts';
import { onlySeen } from './json.ts';
import { linksOf } from './written.ts';

/** What a change of a link did, for rules that look at it afterwards. */
export interface LinkChange {
  added: string[];
  removed: string[];
}

const linked = async (tx: Db, link: Link, id: string, scope: ViewScope): Promise<string[]> => {
  const { rows } = await tx.execute<{ ids: string[] }>(
    sql`select coalesce(json_agg(${link.other}), '[]'::json) as ids from ${link.table} where ${and(sql`${link.own} = ${id}`, onlySeen(scope, link.area, link.other))}`,
  );
  return rows[0]?.ids ?? [];
};

/**
 * Makes a link hold exactly the rows named, as far as the principal can see: what is linked beyond their sight stays, for
 * nobody unlinks what they were not shown.
 */
async function setLinks(tx: Db, principal: Principal, link: Link, id: string, wanted: readonly string[]): Promise<LinkChange> {
  const before = await linked(tx, link, id, scopeOf(principal));
  const added = wanted.filter((other) => !before.includes(other));
  const removed = before.filter((other) => !wanted.includes(other));
  if (removed.length > 0) await tx.execute(sql`delete from ${link.table} where ${link.own} = ${id} and ${link.other} = any(${idArray(removed)})`);
  if (added.length > 0)
    await tx.execute(
      sql`insert into ${link.table} (${sql.identifier(link.own.name)}, ${sql.identifier(link.other.name)})
        select ${id}::uuid, other from unnest(${idArray(added)}) other on conflict do nothing`,
    );
  if (link.both) await touch(tx, principal, link, [...added, ...removed]);
  return { added, removed };
}

/** The other side shows the link too: whoever has it open learns by its version that it changed. */
async function touch(tx: Db, { projectId }: Principal, { area }: Link, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const { table } = areaScopes[area];
  const ordered = ids.toSorted();
  await tx.execute(sql`select ${table.id} from ${table} where ${table.id} = any(${idArray(ordered)}) order by ${table.id} for update`);
  await tx.execute(sql`update ${table} set version = version + 1 where ${table.id} = any(${idArray(ordered)})`);
  await publish(tx, projectId, topics.area(area), 'RowsChanged', { area, ids: ordered });
}

/** Links new rows, many at once; each pair is a new row and what it is linked with. */
export async function addLinks(tx: Db, principal: Principal, link: Link, pairs: readonly (readonly [own: string, other: string])[]): Promise<void> {
  if (pairs.length === 0) return;
  const [owns, others] = [pairs.map(([own]) => own), pairs.map(([, other]) => other)];
  await tx.execute(
    sql`insert into ${link.table} (${sql.identifier(link.own.name)}, ${sql.identifier(link.other.name)})
      select * from unnest(${idArray(owns)}, ${idArray(others)}) on conflict do nothing`,
  );
  if (link.both) await touch(tx, principal, link, [...new Set(others)]);
}

/** Writes every link field of a change. */
export async function writeLinks(change: Change, repository: WritableRepository): Promise<Record<string, LinkChange>> {
  const done: Record<string, LinkChange> = {};
  for (const [field, link] of linksOf(repository))
    if (field in change.fields) done[field] = await setLinks(change.tx, change.principal, link, change.id, change.fields[field] as string[]);
  return done;
}
