import { type AreaScope, projectWide } from '#server/access/measures.ts';
import { schedules } from '#server/db/schema/index.ts';

/** Hours hang on no group: whoever may see schedules sees those of the project. */
export const schedulesScope: AreaScope = { table: schedules, measures: projectWide };
