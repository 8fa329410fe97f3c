import { readFile } from 'node:fs/promises';
import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { calls } from '#models/api.ts';
import type { Delivery } from '#models/integration-calls.ts';
import { integrations as model } from '#models/integrations.ts';
import { scopeOf, viewable } from '#server/access/scope.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { seenRow } from '#server/crud/routes.ts';
import { auditRefused } from '#server/crud/trail.ts';
import { createRow, expectedVersion, holdRow, transact, updateRow } from '#server/crud/write.ts';
import { integrationDeliveries as deliveries, integrations } from '#server/db/schema/index.ts';
import type { Upload } from '#server/http/form.ts';
import { readBody } from '#server/http/input.ts';
import { HttpError } from '#server/http-error.ts';
import { stillOf } from '#server/integrations/picture.ts';
import { tryAtOnce } from '#server/integrations/queue.ts';
import { serve } from '#server/serve.ts';
import { integrationsRepository as repository } from './repository.ts';
import { pictureOfDevice } from './devices.ts';
import { settleStopped } from '../notifications/notify.ts';
import { devicesRepository } from '../devices/repository.ts';

type Fields = Record<string, unknown>;
const mostOfLog = 100;
const longestFile = 65_536;

/** The fields of a form: what its JSON says, and the certificate file beside it. */
async function fieldsOf<S extends z.ZodType>(schema: S, data: string | undefined, certificate: Upload | undefined): Promise<Fields> {
  let fields: unknown;
  try {
    fields = JSON.parse(data ?? '{}');
  } catch {
    throw new HttpError('wrong_parameters', { parameter: 'data', value: 'form' });
  }
  if (fields === null || typeof fields !== 'object' || Array.isArray(fields))
    throw new HttpError('wrong_parameters', { parameter: 'data', value: 'form' });
  const bytes = certificate && (await readFile(certificate.path));
  if (bytes && bytes.length > longestFile) throw new HttpError('too_large');
  return readBody(schema, { ...fields, ...(bytes && { certificate: bytes.toString('latin1') }) }) as Fields;
}

function serveForms(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.createIntegration, async ({ principal, body, files }) =>
    createRow(services, repository, principal, await fieldsOf(model.create, body.data, files['certificate'])),
  );
  serve(app, services, calls.updateIntegration, async ({ principal, params, body, files, request }) => {
    const fields = await fieldsOf(model.patch, body.data, files['certificate']);
    const row = await updateRow(services, repository, principal, params.id, fields, expectedVersion(request.headers['if-match']));
    return row as z.infer<typeof model.row>;
  });
}

/** An integration the principal may edit, as the database has it. @throws HttpError `not_found`, `forbidden` */
async function editable(services: Services, principal: Principal, id: string) {
  await auditRefused(services, principal, { area: 'integrations', verb: 'edit', id }, () => holdRow(services.db, repository, principal, 'edit', id));
  const [row] = await services.db.select().from(integrations).where(eq(integrations.id, id));
  if (!row) throw new HttpError('not_found');
  return row;
}

async function readLog({ db }: Services, id: string): Promise<Delivery[]> {
  const rows = await db.select().from(deliveries).where(eq(deliveries.integrationId, id)).orderBy(desc(deliveries.position)).limit(mostOfLog);
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    event: row.event,
    created_at: row.createdAt.toISOString(),
    tried_at: row.triedAt?.toISOString() ?? null,
    delivered_at: row.deliveredAt?.toISOString() ?? null,
    attempts: row.attempts,
    next_at: row.deliveredAt ? null : row.nextAt.toISOString(),
    status: row.status,
    error: row.error,
  }));
}

/** Sends a test behind what waits already, or fetches the first picture. */
async function test(services: Services, principal: Principal, id: string): Promise<{ picture: string | null }> {
  const { type, isActive, stoppedAt, cameras, ...server } = await editable(services, principal, id);
  if (type === 'camera')
    return { picture: await stillOf(services, { type, isActive, stoppedAt, cameras, ...server }, cameras[0]?.access_point ?? '/') };
  if (!isActive || stoppedAt !== null) throw new HttpError('prohibited');
  const at = services.now();
  await services.db.transaction(async (tx) => {
    const payload = { asked_by: { id: principal.id, name: principal.name } };
    await tx.insert(deliveries).values({ integrationId: id, kind: 'test', event: 'test', payload, createdAt: at, nextAt: at });
    await tryAtOnce(tx, id);
  });
  return { picture: null };
}

/** Begins anew: what waits is due now, and nothing is held against the receiver. */
async function resume(services: Services, principal: Principal, id: string) {
  const { name } = await editable(services, principal, id);
  const at = services.now();
  await transact(services, async (tx) => {
    await tx.update(integrations).set({ failingSince: null, stoppedAt: null, lastError: null }).where(eq(integrations.id, id));
    await tx
      .update(deliveries)
      .set({ nextAt: at })
      .where(and(eq(deliveries.integrationId, id), isNull(deliveries.deliveredAt)));
    await audit(tx, principal, { area: 'integrations', action: 'update', entityId: id, entityName: name, changes: {} }, at);
    await settleStopped(tx, principal.projectId, id, at);
    await tryAtOnce(tx, id);
  });
  return (await seenRow(services, repository, principal, id)) as unknown as z.infer<typeof model.row>;
}

/** What people do with integrations besides the plain calls. */
export function serveIntegrations(app: FastifyInstance, services: Services): void {
  const { db } = services;
  serveForms(app, services);
  serve(app, services, calls.availableIntegrations, async ({ principal, query }) => {
    const { id, name, type } = integrations;
    const wanted = query['type'] === undefined ? undefined : sql`${type} = ${query['type']}`;
    return db
      .select({ id, name, type })
      .from(integrations)
      .where(and(viewable(scopeOf(principal), 'integrations'), eq(integrations.isActive, true), wanted))
      .orderBy(sql`lower(${name})`, id);
  });
  serve(app, services, calls.integrationMacros, async ({ principal, params }) => {
    await seenRow(services, repository, principal, params.id);
    return [];
  });
  serve(app, services, calls.integrationCameras, async ({ principal, params }) => {
    const row = await seenRow(services, repository, principal, params.id);
    return row['cameras'] as z.infer<typeof model.row>['cameras'];
  });
  serve(app, services, calls.integrationDeliveries, async ({ principal, params }) => {
    await editable(services, principal, params.id);
    return readLog(services, params.id);
  });
  serve(app, services, calls.testIntegration, ({ principal, params }) => test(services, principal, params.id));
  serve(app, services, calls.resumeIntegration, ({ principal, params }) => resume(services, principal, params.id));
  serve(app, services, calls.devicePicture, async ({ principal, params }) => {
    await seenRow(services, devicesRepository, principal, params.id);
    return pictureOfDevice(services, params.id);
  });
}
