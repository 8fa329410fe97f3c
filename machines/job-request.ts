import type { GeneratedGroup } from '#models/groups.ts';
import type { AreaName } from '#models/areas.ts';
import type { ExportFormat, Job } from '#models/job.ts';
import type { Filters } from '#models/query.ts';

/**
 * Work to be started; `adopt` follows one that the server has started already. `area` is the list that may change by it; of `own` work a view
 * shows itself how far it is and what came of it, and it is given up with that view.
 */
export type JobRequest =
  | {
      kind: 'export';
      area: AreaName;
      format: ExportFormat;
      filters: Filters;
      sort: readonly string[];
      columns?: readonly string[];
      readable?: boolean;
    }
  | { kind: 'generate_groups'; area: AreaName; groupId: string; groups: readonly GeneratedGroup[] }
  | { kind: 'adopt'; area: AreaName; job: Job; own?: true };
/** Whether a view shows this work itself. */
export const isOwn = (request: JobRequest): boolean => request.kind === 'adopt' && request.own === true;
