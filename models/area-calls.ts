import { z } from 'zod';
import { bulkCalls } from './bulk.ts';
import { byId, call } from './define-call.ts';
import { named } from './define-model.ts';
import { personThen } from './hidden-name.ts';
import { importCalls } from './import-calls.ts';
import { exportFormats, job, rowOutcome } from './job.ts';
import { filters } from './query.ts';

const area = z.strictObject({ area: z.string() });

/** Calls of every area besides list, item, create, update and delete, and the jobs they begin. */
export const areaCalls = {
  /** These serve every area; the server checks the area's own rules. */
  bulkDelete: call({
    method: 'POST',
    path: '/{area}/delete',
    access: 'signedIn',
    summary: 'Delete the rows in items, with a result for each; or all that match the filters, as a job',
    params: area,
    body: z.union([z.strictObject({ items: z.array(z.uuid()).min(1).max(500) }), z.strictObject({ filters })]),
    answer: z.union([z.array(rowOutcome), job]),
    success: [200, 202],
  }),
  dependants: call({
    method: 'GET',
    path: '/{area}/{id}/dependants',
    access: 'signedIn',
    summary: 'Items that use this row, by name; it cannot be deleted while there are any',
    params: z.strictObject({ area: z.string(), id: z.uuid() }),
    answer: z.array(z.strictObject({ area: z.string(), rows: z.array(named), total: z.int() })),
  }),
  lastChange: call({
    method: 'GET',
    path: '/{area}/{id}/last-change',
    access: 'signedIn',
    summary: 'Who changed this row last, and when; null if it has not been changed since it was created',
    params: z.strictObject({ area: z.string(), id: z.uuid() }),
    answer: z.strictObject({ user: personThen.nullable(), at: z.iso.datetime() }).nullable(),
  }),
  exportRows: call({
    method: 'POST',
    path: '/{area}/export',
    access: 'signedIn',
    summary: 'Export all matching rows to a file; returns a job',
    params: area,
    body: z.strictObject({
      export_format: z.enum(exportFormats),
      filters: filters.optional(),
      sort: z.array(z.string()).max(5).optional(),
      columns: z.array(z.string()).max(60).optional(),
      /** Headings and values in the language of whoever asks, times by the clocks of their profile; a file for people. Of CSV and XLSX alone. */
      readable: z.boolean().optional(),
    }),
    answer: job,
    success: [202],
  }),
  job: call({ method: 'GET', path: '/jobs/{id}', access: 'signedIn', summary: 'Progress of a background job', params: byId, answer: job }),
  cancelJob: call({ method: 'DELETE', path: '/jobs/{id}', access: 'signedIn', urgent: true, summary: 'Cancel a background job', params: byId }),
  jobFile: call({
    method: 'GET',
    path: '/jobs/{id}/file',
    access: 'signedIn',
    summary: 'The file created by a background job',
    params: byId,
    download: true,
  }),
  ...bulkCalls,
  ...importCalls,
} as const;
