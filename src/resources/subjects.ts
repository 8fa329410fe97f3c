import type { Subject } from '#models/permissions.ts';
import type { AnyRow } from '#src/views/area/resource.ts';

const idsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map((item: { id: string }) => item.id) : []);

/** How most rows stand to the catalogue of permissions: their maker, and the groups they belong to. */
export const plainSubject = (row: AnyRow): Subject => ({
  id: row.id,
  created_by: (row['created_by'] as string | null | undefined) ?? (row['created_by_user'] as { id: string } | null | undefined)?.id ?? null,
  domains: idsOf(row['domains']),
});

/** A group belongs to itself. */
export const groupSubject = (row: { id: string; created_by: string | null }): Subject => ({
  id: row.id,
  created_by: row.created_by,
  domains: [row.id],
});
