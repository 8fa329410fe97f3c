import { type SQL, sql } from 'drizzle-orm';
import { hiddenName } from '#models/hidden-name.ts';
import { type AreaName, areaNames } from '#models/areas.ts';
import { idArray } from '#server/access/measures.ts';
import { known, seesAll, type ViewScope, visibleIds } from '#server/access/scope.ts';
import type { Principal } from '#server/context.ts';
import type { Row } from '#server/crud/repository.ts';
import type { Db } from '#server/db/database.ts';
import { auditEvents } from '#server/db/schema/index.ts';

/** A row of some area as the trail keeps it. */
interface NamedRow {
  id: string;
  name: string;
}
const isNamedRow = (value: object): value is NamedRow => typeof (value as NamedRow).id === 'string' && typeof (value as NamedRow).name === 'string';

function collect(value: unknown, into: Set<string>): Set<string> {
  if (value === null || typeof value !== 'object') return into;
  if (isNamedRow(value)) return into.add(value.id);
  for (const part of Object.values(value)) collect(part, into);
  return into;
}

function spoken(value: unknown, wordFor: (named: NamedRow) => string): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => spoken(item, wordFor));
  if (isNamedRow(value)) return wordFor(value);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, spoken(part, wordFor)]));
}

/** Areas whose rows other rows name. */
const namedAreas: readonly AreaName[] = areaNames.filter(
  (area) => !['audit-events', 'device-events', 'access-control-events', 'device-tasks', 'call-history'].includes(area),
);
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Rows that were deleted out of the principal's own tree: their names were theirs to read. */
const deletedHere = (principal: Principal): SQL => sql`exists (select from ${auditEvents}
  where ${auditEvents.entityId} = asked.id and ${auditEvents.action} = 'delete' and ${auditEvents.groups} && ${idArray(principal.domains)})`;

/** Those of these ids that the sight takes in, whatever area they are of; null is all of them, for readers of the whole trail. */
async function seenOf(db: Db, scope: ViewScope, ids: readonly string[]): Promise<ReadonlySet<string> | null> {
  const { principal } = scope;
  if (!principal || seesAll(scope, 'audit-events')) return null;
  const asked = ids.filter((id) => uuid.test(id));
  if (asked.length === 0) return new Set();
  const each = namedAreas.map((area) => (area === 'users' && known(scope, sql`asked.id`)) || sql`asked.id in ${visibleIds(scope, area)}`);
  const { rows } = await db.execute<{ id: string }>(
    sql`select asked.id::text as id from unnest(${idArray(asked)}) asked(id) where ${sql.join([...each, deletedHere(principal)], sql` or `)}`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** The changes of entries with rows of other areas by name, those the sight takes in; of all others it says that there is a name. */
export async function addNames(db: Db, scope: ViewScope, rows: Row[]): Promise<Row[]> {
  const ids = collect(
    rows.map((row) => row['changes']),
    new Set(),
  );
  if (ids.size === 0) return rows;
  const seen = await seenOf(db, scope, [...ids]);
  const hidden = hiddenName[scope.principal?.locale ?? 'en'];
  return rows.map((row) => ({ ...row, changes: spoken(row['changes'], ({ id, name }) => (!seen || seen.has(id) ? name : hidden)) }));
}
