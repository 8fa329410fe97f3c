import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import type { AreaName } from '#models/areas.ts';
import type { Services } from '#server/context.ts';
import type { AreaRepository } from '#server/crud/repository.ts';
import { serve } from '#server/serve.ts';
import { versionOf } from './version.ts';

/** What people ask of the audit trail besides its entries. */
export function serveAudit(app: FastifyInstance, services: Services, repositories: Readonly<Record<AreaName, AreaRepository>>): void {
  serve(app, services, calls.auditVersion, ({ principal, params }) => versionOf(services, repositories, principal, params.id));
}
