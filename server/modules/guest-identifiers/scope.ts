import { eq } from 'drizzle-orm';
import type { AreaScope } from '#server/access/measures.ts';
import { identifiers } from '#server/db/schema/index.ts';
import { identifiersScope } from '../identifiers/scope.ts';

/** The identifiers of guests; own ones are those one made. */
export const guestIdentifiersScope: AreaScope = {
  table: identifiers,
  belonging: eq(identifiers.ownerType, 'guest'),
  measures: { ...identifiersScope.measures, own: (principal) => eq(identifiers.createdBy, principal.id) },
};
