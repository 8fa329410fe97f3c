import { and, eq, sql } from 'drizzle-orm';
import { isNumbered, storedNumber, storedValue } from '#models/identifier-value.ts';
import { constants } from '#models/constants.ts';
import { identifiers } from '#server/db/schema/index.ts';
import type { Fields, Habits, Importer, Read } from '#server/import/importer.ts';
import { identifiersRepository } from './repository.ts';

/** A number as the person's profile reads it, in its stored form; what is none is told by the rules of values. */
function readValue(text: string, { type }: Fields, { identifierFormat }: Habits): Read {
  if (!isNumbered(type)) return { value: storedValue(type, text) };
  const number = storedNumber(text, identifierFormat);
  return number === null ? { rule: 'number_or_hex' } : { value: number };
}
const parted = '\u0000';

/** Identifiers from a file: a row is known by type and value. */
export const identifiersImporter: Importer = {
  area: 'identifiers',
  repository: identifiersRepository,
  read: { value: readValue },
  complete: (fields) => ({
    ...fields,
    ...((fields['period_restrict_from'] ?? fields['period_restrict_to']) !== undefined && { period_restrict_active: true }),
    ...(fields['passes_max_count'] !== undefined && { passes_restrict_active: true }),
    ...(fields['guest_type'] !== undefined && fields['owner_type'] === undefined && { owner_type: 'guest' }),
  }),
  // Called after its owner where the file does not call it anything; what ends on a day and begins on none is valid at once.
  fresh: (fields, nameOf, at) => ({
    ...fields,
    ...(fields['period_restrict_to'] !== undefined && { period_restrict_from: fields['period_restrict_from'] ?? at.toISOString() }),
    name: fields['name'] ?? nameOf(String(fields['owner']))?.slice(0, constants.nameLength.max).trim() ?? '',
  }),
  keyOf: ({ type, value }) => (typeof type === 'string' && typeof value === 'string' ? `${type}${parted}${value}` : null),
  keyField: 'value',
  async find(db, projectId, keys) {
    if (keys.length === 0) return new Map();
    const wanted = JSON.stringify(keys.map((key) => key.split(parted)));
    const rows = await db
      .select({ id: identifiers.id, type: identifiers.type, value: identifiers.value })
      .from(identifiers)
      .where(
        and(
          eq(identifiers.projectId, projectId),
          sql`(${identifiers.type}, ${identifiers.value}) in (select one ->> 0, one ->> 1 from json_array_elements(${wanted}::json) one)`,
        ),
      );
    return new Map(rows.map(({ id, type, value }) => [`${type}${parted}${value}`, id]));
  },
};
