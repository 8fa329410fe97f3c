import { z } from 'zod';
import { call } from './define-call.ts';
import { importAreas, importAttempt, importCheck, importContinue } from './import.ts';
import { job } from './job.ts';
import { longCalls } from './long-calls.ts';

const params = z.strictObject({ area: z.enum(importAreas) });
const ofImport = { method: 'POST', access: 'signedIn', params } as const;

/** Reading rows from a file, in two steps: an attempt with the file, then a continuation with an action and a file path. */
export const importCalls = {
  attemptImport: call({
    ...ofImport,
    timeout: longCalls.attemptImport,
    path: '/{area}/import',
    summary: 'Import, first step: an attempt with a file; answers its columns and the file path to continue with',
    files: ['file'],
    body: z.strictObject({}),
    answer: importAttempt,
  }),
  checkImport: call({
    ...ofImport,
    timeout: longCalls.checkImport,
    path: '/{area}/import/check',
    summary: 'What continuing an import would do, as a job that changes no rows; the file of the job holds the bad ones',
    body: importCheck,
    answer: job,
    success: [202],
  }),
  continueImport: call({
    ...ofImport,
    timeout: longCalls.continueImport,
    path: '/{area}/import/continue',
    summary:
      'Import, second step: continue with the file path and an action; columns are those of the attempt unless a mapping says otherwise; returns a job',
    body: importContinue,
    answer: job,
    success: [202],
  }),
} as const;
