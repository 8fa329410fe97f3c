import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { Verb } from '#models/area-rules.ts';
import { groupsOf } from '../access/belonging.ts';
import { reached, sightOf, viewable, wholeSight } from '../access/scope.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { concernsDevices, devicesConcerned, queueSynchronise, tellingDevices } from '../devices/copies.ts';
import { HttpError } from '../http-error.ts';
import { isSame } from './same.ts';
import type { Binding, Change, Row, WritableBinding } from './binding.ts';
import { writeLinks } from './links.ts';
import { demandRelated } from './related.ts';
import { readRow } from './rows.ts';
import { auditChange, auditingRefusals } from './trail.ts';
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
export async function holdRow(tx: Db, binding: Binding, principal: Principal, verb: Verb, id: string, version: number | null = null): Promise<Row> {
  const { table, area } = binding;
  const sight = sightOf(principal);
  const { rows } = await tx.execute<{ allowed: boolean }>(
    sql`select coalesce(${reached(principal, verb, area)}, false) as allowed from ${table} where ${and(eq(table.id, id), viewable(sight, area))} for update of ${table}`,
  );
  const row = rows[0] && (await readRow(tx, binding, sight, id));
  if (!rows[0] || !row) throw new HttpError('not_found');
  if (!rows[0].allowed) throw new HttpError('forbidden');
  if (version !== null && row.version !== version) throw new HttpError('conflict', row);
  return row;
}

/** Rules that see several fields. */
function demandRefined(binding: WritableBinding, fields: Fields): void {
  const issues = binding.model.refine(fields);
  if (issues.length > 0) throw new HttpError('invalid_data', { issues });
}

/** Makes a row of checked fields and answers its id. */
export async function createRow(services: Services, binding: WritableBinding, principal: Principal, fields: Fields): Promise<string> {
  const id = randomUUID();
  demandRefined(binding, fields);
  await auditingRefusals(services, principal, { area: binding.area, verb: 'create' }, () =>
    transact(services, async (tx, later) => {
      const at = services.now();
      const change: Change = { services, tx, principal, at, verb: 'create', id, before: null, fields, later };
      await binding.hold?.(tx, principal, 'create', fields);
      await demandRelated(change, binding);
      const follows = await binding.prepare?.(change);
      const stamps = { id, projectId: principal.projectId, createdBy: principal.id, createdAt: at, updatedAt: at };
      await tx.insert(binding.table).values({ ...columnsOf(binding, fields), ...follows, ...stamps });
      await writeLinks(change, binding);
      await binding.settle?.(change);
      if (concernsDevices(binding.area, Object.keys(fields))) await queueSynchronise(tx, await devicesConcerned(tx, binding.area, [id]));
      await auditChange(change, binding, null, await readRow(tx, binding, wholeSight(principal.projectId), id));
    }),
  );
  return id;
}

/** The fields of a patch that would change anything, compared with the row as the principal sees it. */
function changed(binding: WritableBinding, before: Row, patch: Fields): Fields {
  const now = binding.model.toWire(binding.model.fromRow(before));
  return Object.fromEntries(Object.entries(patch).filter(([field, value]) => value !== undefined && !isSame(value, now[field])));
}

function demandNotCreateOnly(binding: WritableBinding, patch: Fields): void {
  const fields = binding.model.createOnly.filter((field) => patch[field] !== undefined);
  if (fields.length > 0)
    throw new HttpError('invalid_data', { issues: [{ path: fields, rule: 'unknown_field', params: { fields: fields.join(', ') } }] });
}

/** Changes the fields of a patch and answers the row as it is then. A patch that changes nothing leaves no trace. */
export async function updateRow(
  services: Services,
  binding: WritableBinding,
  principal: Principal,
  id: string,
  patch: Fields,
  version: number | null,
): Promise<Row> {
  demandNotCreateOnly(binding, patch);
  return auditingRefusals(services, principal, { area: binding.area, verb: 'edit', id }, () =>
    transact(services, async (tx, later) => {
      await binding.hold?.(tx, principal, 'edit', patch);
      const before = await holdRow(tx, binding, principal, 'edit', id, version);
      const fields = changed(binding, before, patch);
      if (Object.keys(fields).length === 0) return before;
      demandRefined(binding, fields);
      return applyChange({ services, tx, principal, at: services.now(), verb: 'edit', id, before, fields, later }, binding);
    }),
  );
}

/** The groups of a row before a write, with all above them: its entry in the trail concerns them too. */
export const belongedTo = async (tx: Db, { area }: Binding, id: string): Promise<string[]> => (await groupsOf(tx, area, [id])).get(id) ?? [];

async function applyChange(change: Change, binding: WritableBinding): Promise<Row> {
  const { tx, principal, id, at, fields } = change;
  const whole = wholeSight(principal.projectId);
  const was = await readRow(tx, binding, whole, id);
  const belonged = await belongedTo(tx, binding, id);
  await demandRelated(change, binding);
  const follows = await binding.prepare?.(change);
  await tellingDevices(tx, binding.area, concernsDevices(binding.area, Object.keys(fields)) ? [id] : [], async () => {
    await tx
      .update(binding.table)
      .set({ ...columnsOf(binding, fields), ...follows, version: sql`${binding.table.version} + 1`, updatedAt: at })
      .where(eq(binding.table.id, id));
    await writeLinks(change, binding);
    await binding.settle?.(change);
  });
  await auditChange(change, binding, was, await readRow(tx, binding, whole, id), belonged);
  // A change may take the row out of one's own sight; then what one saw and sent is all there is to answer.
  return (await readRow(tx, binding, sightOf(principal), id)) ?? { ...change.before, id, version: (change.before?.version ?? 0) + 1 };
}
