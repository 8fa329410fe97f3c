import { z } from 'zod';
import { describe } from '#models/define-model.ts';
import { isArea } from '#models/areas.ts';
import { sql } from 'drizzle-orm';
import { idArray } from '../access/measures.ts';
import { scopeOf, visibleIds } from '../access/scope.ts';
import { unknownRelated } from '../http-error.ts';
import type { Change, WritableRepository } from './repository.ts';

type Named = Map<string, Set<string>>;

/** Every id that a value names, by the area it names it in; looks into lists and objects. */
function collect(schema: z.ZodType, value: unknown, into: Named): Named {
  if (value === null || value === undefined) return into;
  const { kind, ref, inner } = describe(schema);
  if ((kind === 'ref' || kind === 'refs') && ref) {
    const ids = into.get(ref) ?? new Set();
    for (const id of Array.isArray(value) ? value : [value]) ids.add(String(id));
    return into.set(ref, ids);
  }
  if (inner instanceof z.ZodArray && Array.isArray(value)) for (const item of value) collect(inner.element as z.ZodType, item, into);
  if (inner instanceof z.ZodObject && typeof value === 'object')
    for (const [key, part] of Object.entries(inner.shape)) collect(part as z.ZodType, (value as Record<string, unknown>)[key], into);
  return into;
}

const named = (repository: WritableRepository, fields: Record<string, unknown>): Named => {
  const all: Named = new Map();
  for (const [field, value] of Object.entries(fields)) {
    const schema = repository.model.fields[field];
    if (schema) collect(schema as z.ZodType, value, all);
  }
  return all;
};

/**
 * Whatever a change links anew must be there for the principal to see.
 * @throws HttpError `invalid_related` with the ids they sent and nothing besides.
 */
export async function requireRelated(change: Change, repository: WritableRepository): Promise<void> {
  const before = change.before ? named(repository, repository.model.toWire(repository.model.fromRow(change.before))) : new Map<string, Set<string>>();
  const unknown: string[] = [];
  for (const [area, ids] of named(repository, change.fields)) {
    const fresh = [...ids].filter((id) => !before.get(area)?.has(id));
    if (fresh.length === 0) continue;
    const found = isArea(area) ? await visible(change, area, fresh) : new Set<string>();
    unknown.push(...fresh.filter((id) => !found.has(id)));
  }
  if (unknown.length > 0) throw unknownRelated(unknown);
}

async function visible({ tx, principal }: Change, area: Parameters<typeof visibleIds>[1], ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`select id::text as id from unnest(${idArray(ids)}) id where id in ${visibleIds(scopeOf(principal), area)}`,
  );
  return new Set(rows.map(({ id }) => id));
}
