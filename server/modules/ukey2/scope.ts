import { eq } from 'drizzle-orm';
import type { AreaScope } from '#server/access/measures.ts';
import { identifiers } from '#server/db/schema/index.ts';
import { identifiersScope } from '../identifiers/scope.ts';

/** The identifiers on phones; own ones are those one has. */
export const ukey2Scope: AreaScope = {
  table: identifiers,
  belonging: eq(identifiers.type, 'ukey2'),
  measures: { ...identifiersScope.measures, own: (principal) => eq(identifiers.userId, principal.id) },
};
