import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { personThen } from './hidden-name.ts';

/** A version of a row out of the audit trail, as far as it differs from the row now. */
export const auditVersion = z.strictObject({
  area: z.string(),
  id: z.uuid(),
  /** When it came about, and by whom. */
  at: z.iso.datetime(),
  user: personThen.nullable(),
  /** The fields that had other values then, in the shape of a row. */
  fields: z.record(z.string(), z.unknown()),
  /** What of it can no longer hold: rows that are gone or out of sight, by the name they had, and fields that the trail does not keep. */
  lost: z.array(z.strictObject({ field: z.string(), name: z.string().nullable() })),
});
export type AuditVersion = z.infer<typeof auditVersion>;

/** Questions about the audit trail. */
export const auditCalls = {
  auditVersion: call({
    method: 'GET',
    path: '/audit-events/{id}/version',
    access: { area: 'audit-events', verb: 'view' },
    summary: 'The row of an entry as it was after that entry, as far as it differs from the row now; nothing is written',
    params: byId,
    answer: auditVersion,
  }),
} as const;
