import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { lengthOf } from '#models/time.ts';
import type { Services } from '#server/context.ts';
import { readFile } from '#server/files.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { serve } from '#server/serve.ts';

const retentionInterval = lengthOf(1, 'hour');

/** Long work as its owner sees it: how far it is, stopping it, fetching its file. */
export function serveJobs(app: FastifyInstance, services: Services, jobs: Jobs): void {
  serve(app, services, calls.job, ({ principal, params }) => jobs.read(principal, params.id));
  serve(app, services, calls.cancelJob, ({ principal, params }) => jobs.cancel(principal, params.id));
  serve(app, services, calls.jobFile, async ({ principal, params, reply }) => {
    const { id, name } = await jobs.file(principal, params.id);
    const { stream, contentType, bytes } = await readFile(services, id);
    await reply
      .header('content-disposition', `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`)
      .header('content-length', bytes)
      .header('cache-control', 'no-store')
      .type(contentType)
      .send(stream);
    return null;
  });
  startRetention(app, services, jobs);
}

function startRetention(app: FastifyInstance, services: Services, jobs: Jobs): void {
  const complain = (error: unknown): void => services.log.error({ err: error }, 'old jobs could not be tidied away');
  const timer = services.timers.every(retentionInterval, () => void jobs.removeExpired(false).catch(complain));
  app.addHook('onReady', () => jobs.removeExpired(true).catch(complain));
  // A process that died a moment ago has shown signs of life until then.
  const soon = services.timers.after(lengthOf(2, 'minute'), () => void jobs.removeExpired(false).catch(complain));
  // Before requests are waited for: what takes longest is told first.
  app.addHook('preClose', async () => {
    timer.cancel();
    soon.cancel();
    await jobs.close();
  });
}
