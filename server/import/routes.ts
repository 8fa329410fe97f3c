import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Services } from '../context.ts';
import { importCalls } from '../crud/calls.ts';
import { HttpError } from '../http-error.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { serve } from '../serve.ts';
import { attemptImport, checkImport, continueImport, openImport } from './import.ts';
import type { Importer } from './importer.ts';

/** Registers the steps of reading an area's rows from a file. */
export function serveImport(app: FastifyInstance, services: Services, jobs: Jobs, importer: Importer): void {
  const calls = importCalls(importer.repository.model);
  serve(app, services, { ...calls.attempt, body: z.strictObject({}) }, async ({ principal, files: { file } }) => {
    if (!file) throw new HttpError('invalid_file');
    return attemptImport(services, jobs, principal, importer, { bytes: await readFile(file.path), name: file.name });
  });
  serve(app, services, calls.check, async ({ principal, body }) =>
    jobs.start(principal, 'import_check', checkImport(await openImport(services, jobs, principal, importer, body))),
  );
  serve(app, services, calls.continue, async ({ principal, body: { action, ...plan } }) =>
    jobs.start(principal, 'import', continueImport(await openImport(services, jobs, principal, importer, plan), action)),
  );
}
