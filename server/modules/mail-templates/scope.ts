import { isNotNull, isNull, sql } from 'drizzle-orm';
import { type AreaScope, idArray } from '#server/access/measures.ts';
import { groups, mailTemplates } from '#server/db/schema/index.ts';

export const mailTemplatesScope: AreaScope = {
  table: mailTemplates,
  measures: {
    project: () => isNull(mailTemplates.domainId),
    grouped: () => isNotNull(mailTemplates.domainId),
    domain: (principal) => sql`${mailTemplates.domainId} = any(${idArray(principal.domains)})`,
    below: (principal) =>
      sql`${mailTemplates.domainId} in (select ${groups.id} from ${groups} where ${groups.path}[:cardinality(${groups.path}) - 1] && ${idArray(principal.domains)})`,
  },
};
