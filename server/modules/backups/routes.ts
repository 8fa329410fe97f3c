import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { calls } from '#models/api.ts';
import type { Job } from '#models/job.ts';
import { audit } from '#server/audit.ts';
import { openBackup } from '#server/backups/check.ts';
import { restoreBackup } from '#server/backups/restore.ts';
import { changeSchedule, makeScheduled } from '#server/backups/schedule.ts';
import { archivePath, forgetUnfinished, makeBackup, readBackups, readyBackup, removeBackup } from '#server/backups/store.ts';
import { dropStages } from '#server/backups/stage.ts';
import type { Principal, Services } from '#server/context.ts';
import { HttpError } from '#server/http-error.ts';
import type { Jobs, Work } from '#server/jobs/jobs.ts';
import { Semaphore } from '#server/semaphore.ts';
import { serve } from '#server/serve.ts';

const minute = 60_000;

/** Restores an archive as long work, once it is known that it can be; `after` is told when it is over, however. */
async function startRestore(
  { services, jobs, semaphore }: { services: Services; jobs: Jobs; semaphore: Semaphore },
  principal: Principal,
  path: string,
  after: () => Promise<void>,
): Promise<Job> {
  const { projectId } = principal;
  try {
    const { zip } = await openBackup(path, { config: services.config, projectId });
    await zip.close();
    const work: Work = async (progress) => {
      try {
        await semaphore.run(() => restoreBackup(services, path, { actor: principal, projectId }, progress));
      } finally {
        await after();
      }
    };
    return await jobs.start(principal, 'restore', work);
  } catch (error) {
    await after();
    throw error;
  }
}

/** Backups of a project: making, keeping and restoring them (SETT-08 to 11). One at a time is made or restored. */
export function serveBackups(app: FastifyInstance, services: Services, jobs: Jobs): void {
  const semaphore = new Semaphore(1);
  const deps = { services, jobs, semaphore };
  serve(app, services, calls.backups, ({ principal }) => readBackups(services, principal));
  serve(app, services, calls.makeBackup, ({ principal, body }) =>
    jobs.start(principal, 'backup', (progress) => semaphore.run(() => makeBackup(services, principal, { ...body, isScheduled: false }, progress))),
  );
  serve(app, services, calls.scheduleBackups, ({ principal, body }) => changeSchedule(services, principal, body));
  serve(app, services, calls.deleteBackup, ({ principal, params }) => removeBackup(services, principal, params.id));
  serve(app, services, calls.applyBackup, async ({ principal, params }) => {
    const { id } = await readyBackup(services, principal, params.id);
    return startRestore(deps, principal, archivePath(services, id), () => Promise.resolve());
  });
  serve(app, services, { ...calls.applyBackupFile, body: z.strictObject({}) }, async ({ principal, files: { backup } }) => {
    if (!backup) throw new HttpError('invalid_file');
    // Uploads go with the answer; long work needs it a while longer.
    const path = archivePath(services, `upload-${randomUUID()}`);
    await mkdir(dirname(path), { recursive: true });
    await rename(backup.path, path);
    return startRestore(deps, principal, path, () => rm(path, { force: true }));
  });
  serveFile(app, services);
  runSchedule(app, services, semaphore);
}

/** What is downloaded holds password hashes: the trail names who has it. */
function serveFile(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.downloadBackup, async ({ principal, params, reply }) => {
    const { id, name, checksum } = await readyBackup(services, principal, params.id);
    const path = archivePath(services, id);
    const found = await stat(path).catch(() => null);
    if (!found) throw new HttpError('file_not_found');
    const changes = { checksum: { before: null, after: checksum } };
    await audit(services.db, principal, { area: 'backups', action: 'download', entityId: id, entityName: name, changes }, services.now());
    const fileName = `${name}.zip`;
    await reply
      .header(
        'content-disposition',
        `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
      )
      .header('content-length', found.size)
      .header('cache-control', 'no-store')
      .type('application/zip')
      .send(createReadStream(path));
    return null;
  });
}

/** Makes backups when their hour has come, and tidies away what a process left that died. */
function runSchedule(app: FastifyInstance, services: Services, semaphore: Semaphore): void {
  const complain = (error: unknown): void => services.log.error({ err: error }, 'backups could not be looked after');
  let stopped = false;
  let working: Promise<unknown> = Promise.resolve();
  const timer = services.timers.every(minute, () => {
    if (!stopped) working = semaphore.run(() => makeScheduled(services)).catch(complain);
  });
  app.addHook('onReady', async () => {
    await forgetUnfinished(services, true).catch(complain);
    if (!services.config.databaseUrl) await dropStages(services.db).catch(complain);
  });
  app.addHook('preClose', async () => {
    stopped = true;
    timer.cancel();
    await Promise.race([working, new Promise((done) => setTimeout(done, 1_000).unref())]);
  });
}
