import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { AuditVersion } from '#models/audit-calls.ts';
import type { z } from 'zod';
import { describe } from '#models/define-model.ts';
import { type AreaName, isArea } from '#models/areas.ts';
import { idArray } from '#server/access/measures.ts';
import { type ViewScope, scopeOf, visibleIds } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { type AreaRepository, isWritable, type Row } from '#server/crud/repository.ts';
import { readRow } from '#server/crud/rows.ts';
import type { Db } from '#server/db/database.ts';
import { auditEvents } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { auditEventsRepository } from './repository.ts';
import { addNames } from './names.ts';

type Fields = Record<string, unknown>;
interface NamedRow {
  id: string;
  name: string;
}

/** What fields that were changed after the entry had been before: of several changes the first says it. */
async function earlierValues(db: Db, { projectId }: Principal, event: Row, exactly: Date): Promise<Fields> {
  const { area, entityId, action, createdAt, changes } = auditEvents;
  const later = await db
    .select({ changes })
    .from(auditEvents)
    .where(
      and(
        eq(auditEvents.projectId, projectId),
        eq(area, String(event['area'])),
        eq(entityId, String(event['entity_id'])),
        eq(action, 'update'),
        gt(createdAt, exactly),
      ),
    )
    .orderBy(asc(createdAt), asc(auditEvents.id));
  const values: Fields = {};
  for (const one of later) for (const [field, { before }] of Object.entries(one.changes)) if (!(field in values)) values[field] = before;
  return values;
}

/** Of rows that a field named those that are there for the principal to choose. */
async function stillThere(db: Db, scope: ViewScope, area: AreaName, named: readonly NamedRow[]): Promise<Set<string>> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select id::text as id from unnest(${idArray(named.map(({ id }) => id))}) id where id in ${visibleIds(scope, area)}`,
  );
  return new Set(rows.map(({ id }) => id));
}

async function nameToShow(db: Db, scope: ViewScope, row: NamedRow): Promise<string | null> {
  const [shown] = await addNames(db, scope, [{ id: '', version: 1, changes: { row } }]);
  const name = (shown?.['changes'] as { row?: unknown } | undefined)?.row;
  return typeof name === 'string' ? name : null;
}

/** One field as it was, without rows that are gone by now; and those. */
async function fieldThen(
  db: Db,
  scope: ViewScope,
  schema: z.ZodType,
  field: string,
  value: unknown,
): Promise<{ value: unknown; lost: AuditVersion['lost'] }> {
  const { kind, ref } = describe(schema);
  if ((kind !== 'ref' && kind !== 'refs') || !ref || !isArea(ref) || value === null || typeof value !== 'object') return { value, lost: [] };
  const named = (Array.isArray(value) ? value : [value]) as NamedRow[];
  const there = await stillThere(db, scope, ref, named);
  const gone = named.filter(({ id }) => !there.has(id));
  const lost = await Promise.all(gone.map(async (one) => ({ field, name: await nameToShow(db, scope, one) })));
  return { value: Array.isArray(value) ? named.filter(({ id }) => there.has(id)) : gone.length > 0 ? null : value, lost };
}

/** The row of an entry as it was after that entry, as far as it differs from now. @throws HttpError `not_found`, `prohibited` where nothing was changed */
export async function versionOf(
  { db }: Services,
  repositories: Readonly<Record<AreaName, AreaRepository>>,
  principal: Principal,
  eventId: string,
): Promise<AuditVersion> {
  const scope = scopeOf(principal);
  const event = await readRow(db, auditEventsRepository, scope, eventId);
  if (!event) throw new HttpError('not_found');
  const [area, id] = [String(event['area']), event['entity_id']];
  const repository = isArea(area) ? repositories[area] : undefined;
  if (!repository || !isWritable(repository) || typeof id !== 'string' || (event['action'] !== 'update' && event['action'] !== 'create'))
    throw new HttpError('prohibited');
  if (!(await readRow(db, repository, scope, id))) throw new HttpError('not_found');
  const [stored] = await db.select({ at: auditEvents.createdAt }).from(auditEvents).where(eq(auditEvents.id, eventId));
  const values = await earlierValues(db, principal, event, stored?.at ?? new Date(String(event['created_at'])));
  const { fields: schemas, masked, createOnly } = repository.model;
  const then: AuditVersion = { area, id, at: String(event['created_at']), user: event['user'] as AuditVersion['user'], fields: {}, lost: [] };
  for (const [field, value] of Object.entries(values)) {
    const schema = schemas[field] as z.ZodType | undefined;
    if (!schema || createOnly.includes(field)) continue;
    if (masked.includes(field)) {
      then.lost.push({ field, name: null });
      continue;
    }
    const found = await fieldThen(db, scope, schema, field, value);
    then.fields[field] = found.value;
    then.lost.push(...found.lost);
  }
  return then;
}
