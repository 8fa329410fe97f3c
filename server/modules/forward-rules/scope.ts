import { type AreaScope, projectWide } from '#server/access/measures.ts';
import { forwardRules } from '#server/db/schema/index.ts';

export const forwardRulesScope: AreaScope = { table: forwardRules, measures: projectWide };
