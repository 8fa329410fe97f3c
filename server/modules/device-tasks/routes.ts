import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { auditRefused } from '#server/crud/trail.ts';
import { holdRow } from '#server/crud/write.ts';
import { type StoredTask, retryTask, stopTask } from '#server/devices/tasks.ts';
import { serve } from '#server/serve.ts';
import { deviceTasksRepository } from './repository.ts';

/** Moves a task on that the principal may; what its life refuses is refused, what was done is on record with its device. */
async function moved(
  services: Services,
  principal: Principal,
  id: string,
  action: 'stop_task' | 'retry_task',
  move: (services: Services, id: string) => Promise<StoredTask>,
): Promise<void> {
  await auditRefused(services, principal, { area: 'device-tasks', verb: 'edit', id }, async () => {
    const row = await holdRow(services.db, deviceTasksRepository, principal, 'edit', id);
    const { kind } = await move(services, id);
    const device = row['device'] as { id: string; name: string } | null;
    const changes = { kind: { before: null, after: kind } };
    await audit(
      services.db,
      principal,
      { area: 'devices', action, entityId: device?.id ?? null, entityName: device?.name ?? null, changes },
      services.now(),
    );
  });
}

/** Stopping tasks and trying them again. */
export function serveDeviceTasks(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.stopDeviceTask, ({ principal, params }) => moved(services, principal, params.id, 'stop_task', stopTask));
  serve(app, services, calls.retryDeviceTask, ({ principal, params }) => moved(services, principal, params.id, 'retry_task', retryTask));
}
