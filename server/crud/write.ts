import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { Verb } from '#models/area-rules.ts';
import { groupsOf } from '../access/belonging.ts';
import { inVerbScope, scopeOf, viewable, projectScope } from '../access/scope.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { concernsDevices, devicesConcerned, queueSynchronise, notifyingDevices } from '../devices/copies.ts';
import { HttpError } from '../http-error.ts';
import { isSame } from './same.ts';
import type { AreaRepository, Change, Row, WritableRepository } from './repository.ts';
import { writeLinks } from './links.ts';
import { requireRelated } from './related.ts';
import { readRow } from './rows.ts';
import { auditChange, auditRefused } from './trail.ts';
import { columnsOf } from './written.ts';

type Fields = Record<string, unknown>;

const tries = 4;
/** Two writers that wait for each other, or saw different pasts: the database lets one go, who then simply begins anew. */
function mayTryAgain(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if ('code' in at && (at.code === '40P01' || at.code === '40001')) return true;
  return false;
}

/** Runs a change in a transaction, and what was put off until it stands. */
export async function transact<T>(services: Services, work: (tx: Db, later: Change['later']) => Promise<T>): Promise<T> {
  for (let round = 1; ; round += 1) {
    const put: (() => Promise<void>)[] = [];
    try {
      const result = await services.db.transaction((tx) => work(tx, (task) => void put.push(task)));
      if (services.putOff) put.splice(0).forEach(services.putOff);
      for (const task of put) await task().catch((error: unknown) => services.log.error({ err: error }, 'work after a change failed'));
      return result;
    } catch (error) {
      if (round === tries || !mayTryAgain(error)) throw error;
    }
  }
}

/** The version a sender insists on, from If-Match; null when they do not. */
export function expectedVersion(header: string | undefined): number | null {
  if (header === undefined || header === '*') return null;
  const match = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header.trim());
  if (!match) throw new HttpError('wrong_parameters', { parameter: 'If-Match', value: header.slice(0, 64) });
  return Number(match[1]);
}

/**
 * Takes hold of a row for a change: nobody else changes it until the transaction ends.
 * @throws HttpError `not_found` when the principal cannot see it, `forbidden` when they may not, `conflict` with the current
 * row when it is not the version they insist on.
 */
export async function holdRow(
  tx: Db,
  repository: AreaRepository,
  principal: Principal,
  verb: Verb,
  id: string,
  version: number | null = null,
): Promise<Row> {
  const { table, area } = repository;
  const scope = scopeOf(principal);
  const { rows } = await tx.execute<{ allowed: boolean }>(
    sql`select coalesce(${inVerbScope(principal, verb, area)}, false) as allowed from ${table} where ${and(eq(table.id, id), viewable(scope, area))} for update of ${table}`,
  );
  const row = rows[0] && (await readRow(tx, repository, scope, id));
  if (!rows[0] || !row) throw new HttpError('not_found');
  if (!rows[0].allowed) throw new HttpError('forbidden');
  if (version !== null && row.version !== version) throw new HttpError('conflict', row);
  return row;
}

/** Rules that see several fields. */
function requireRefined(repository: WritableRepository, fields: Fields): void {
  const issues = repository.model.refine(fields);
  if (issues.length > 0) throw new HttpError('invalid_data', { issues });
}

/** Makes a row of checked fields and answers its id. */
export async function createRow(services: Services, repository: WritableRepository, principal: Principal, fields: Fields): Promise<string> {
  const id = randomUUID();
  requireRefined(repository, fields);
  await auditRefused(services, principal, { area: repository.area, verb: 'create' }, () =>
    transact(services, async (tx, later) => {
      const at = services.now();
      const change: Change = { services, tx, principal, at, verb: 'create', id, before: null, fields, later };
      await repository.hold?.(tx, principal, 'create', fields);
      await requireRelated(change, repository);
      const follows = await repository.prepare?.(change);
      const stamps = { id, projectId: principal.projectId, createdBy: principal.id, createdAt: at, updatedAt: at };
      await tx.insert(repository.table).values({ ...columnsOf(repository, fields), ...follows, ...stamps });
      await writeLinks(change, repository);
      await repository.settle?.(change);
      if (concernsDevices(repository.area, Object.keys(fields))) await queueSynchronise(tx, await devicesConcerned(tx, repository.area, [id]));
      await auditChange(change, repository, null, await readRow(tx, repository, projectScope(principal.projectId), id));
    }),
  );
  return id;
}

/** The fields of a patch that would change anything, compared with the row as the principal sees it. */
function changed(repository: WritableRepository, before: Row, patch: Fields): Fields {
  const now = repository.model.toWire(repository.model.fromRow(before));
  return Object.fromEntries(Object.entries(patch).filter(([field, value]) => value !== undefined && !isSame(value, now[field])));
}

function requireNotCreateOnly(repository: WritableRepository, patch: Fields): void {
  const fields = repository.model.createOnly.filter((field) => patch[field] !== undefined);
  if (fields.length > 0)
    throw new HttpError('invalid_data', { issues: [{ path: fields, rule: 'unknown_field', params: { fields: fields.join(', ') } }] });
}

/** Changes the fields of a patch and answers the row as it is then. A patch that changes nothing leaves no trace. */
export async function updateRow(
  services: Services,
  repository: WritableRepository,
  principal: Principal,
  id: string,
  patch: Fields,
  version: number | null,
): Promise<Row> {
  requireNotCreateOnly(repository, patch);
  return auditRefused(services, principal, { area: repository.area, verb: 'edit', id }, () =>
    transact(services, async (tx, later) => {
      await repository.hold?.(tx, principal, 'edit', patch);
      const before = await holdRow(tx, repository, principal, 'edit', id, version);
      const fields = changed(repository, before, patch);
      if (Object.keys(fields).length === 0) return before;
      requireRefined(repository, fields);
      return applyChange({ services, tx, principal, at: services.now(), verb: 'edit', id, before, fields, later }, repository);
    }),
  );
}

/** The groups of a row before a write, with all above them: its entry in the trail concerns them too. */
export const belongedTo = async (tx: Db, { area }: AreaRepository, id: string): Promise<string[]> => (await groupsOf(tx, area, [id])).get(id) ?? [];

async function applyChange(change: Change, repository: WritableRepository): Promise<Row> {
  const { tx, principal, id, at, fields } = change;
  const whole = projectScope(principal.projectId);
  const was = await readRow(tx, repository, whole, id);
  const belonged = await belongedTo(tx, repository, id);
  await requireRelated(change, repository);
  const follows = await repository.prepare?.(change);
  await notifyingDevices(tx, repository.area, concernsDevices(repository.area, Object.keys(fields)) ? [id] : [], async () => {
    await tx
      .update(repository.table)
      .set({ ...columnsOf(repository, fields), ...follows, version: sql`${repository.table.version} + 1`, updatedAt: at })
      .where(eq(repository.table.id, id));
    await writeLinks(change, repository);
    await repository.settle?.(change);
  });
  await auditChange(change, repository, was, await readRow(tx, repository, whole, id), belonged);
  // A change may take the row out of one's own sight; then what one saw and sent is all there is to answer.
  return (await readRow(tx, repository, scopeOf(principal), id)) ?? { ...change.before, id, version: (change.before?.version ?? 0) + 1 };
}
