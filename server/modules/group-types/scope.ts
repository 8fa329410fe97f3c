import { type AreaScope, projectWide } from '#server/access/measures.ts';
import { groupTypes } from '#server/db/schema/index.ts';

export const groupTypesScope: AreaScope = { table: groupTypes, measures: projectWide };
