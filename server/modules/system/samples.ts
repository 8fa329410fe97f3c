import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import type { SystemSample } from '#models/system-info.ts';
import type { Services } from '#server/context.ts';

const every = 5_000;
/** Ten minutes. */
const most = 120;
const megabyte = 1_048_576;
const rounded = (value: number): number => Math.round(value * 10) / 10;

/** The figure of a gauge or counter that another part of the server registered; all its labels together. */
async function figure({ metrics }: FastifyInstance, name: string, part = name): Promise<number> {
  const values: readonly { value: number; metricName?: string }[] = (await metrics.getSingleMetric(name)?.get())?.values ?? [];
  return values.reduce((sum, { value, metricName = name }) => sum + (metricName === part ? value : 0), 0);
}

/** How this process fares, looked at every five seconds and kept for ten minutes. */
export function storeSamples(app: FastifyInstance, { now }: Pick<Services, 'now'>): () => readonly SystemSample[] {
  const samples: SystemSample[] = [];
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  let [cpu, at, requests] = [process.cpuUsage(), performance.now(), 0];
  const look = async (): Promise<void> => {
    const [used, moment] = [process.cpuUsage(cpu), performance.now()];
    const seconds = (moment - at) / 1_000;
    const answered = await figure(app, 'doorward_http_request_seconds', 'doorward_http_request_seconds_count');
    samples.push({
      at: now().toISOString(),
      memory: rounded(process.memoryUsage.rss() / megabyte),
      cpu: rounded((used.user + used.system) / 10_000 / seconds),
      delay: rounded(Math.max(0, delays.percentile(99) / 1e6 - 20)),
      requests: rounded(Math.max(0, answered - requests) / seconds),
      connections: await figure(app, 'doorward_realtime_connections'),
    });
    if (samples.length > most) samples.shift();
    delays.reset();
    [cpu, at, requests] = [process.cpuUsage(), moment, answered];
  };
  const timer = setInterval(() => void look().catch(() => undefined), every).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    delays.disable();
  });
  return () => samples;
}
