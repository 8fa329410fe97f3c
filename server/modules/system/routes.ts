import { statfs } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { areaNames } from '#models/areas.ts';
import { modelOf } from '#models/index.ts';
import { topics } from '#models/realtime.ts';
import { type ServiceName, serviceNames, type ServiceStatus, type SystemInfo, type SystemSample } from '#models/system-info.ts';
import { requireOperator, isOperator } from '#server/access/operator.ts';
import { audit } from '#server/audit.ts';
import { lastMigration, productVersion } from '#server/backups/manifest.ts';
import type { Principal, Services } from '#server/context.ts';
import { HttpError } from '#server/http-error.ts';
import { publish } from '#server/realtime/publish.ts';
import { serve } from '#server/serve.ts';
import { certificateState, readCertificate } from '#server/settings/broker.ts';
import { storeSamples } from './samples.ts';

async function readDatabase({ db, config }: Services): Promise<SystemInfo['database']> {
  const { rows } = await db.execute<{ version: string; bytes: number; connections: number }>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections`);
  const { version = '', bytes = 0, connections = 1 } = rows[0] ?? {};
  return { kind: config.databaseUrl ? 'postgresql' : 'embedded', version, bytes: Number(bytes), connections: config.databaseUrl ? connections : 1 };
}

type Under = Omit<SystemInfo['work'], 'calls'> & SystemInfo['devices'];
async function readWork({ db }: Services, { projectId }: Principal): Promise<Under> {
  const mine = sql`select id from users where project_id = ${projectId}`;
  const { rows } = await db.execute<{ [Key in keyof Under]: number }>(sql`select
    (select count(*)::int from jobs where state = 'running' and user_id in (${mine})) as jobs_running,
    (select count(*)::int from jobs where state = 'queued' and user_id in (${mine})) as jobs_queued,
    (select count(*)::int from device_tasks where project_id = ${projectId} and status in ('new', 'queued', 'waiting')) as tasks_waiting,
    (select count(*)::int from mails where project_id = ${projectId} and sent_at is null) as mails_waiting,
    (select count(*)::int from devices where project_id = ${projectId} and online) as online,
    (select count(*)::int from devices where project_id = ${projectId}) as total`);
  if (!rows[0]) throw new HttpError('internal');
  return rows[0];
}

async function statusOf({ parts, config, db, deviceBroker, now, sipPortRefused = null }: Services, key: ServiceName): Promise<ServiceStatus> {
  const status = parts?.[key].status() ?? { state: 'stopped' as const, port: null, since: null };
  const none = { refused_port: null, secure_port: null, certificate: null };
  if (key !== 'broker') return { key, ...status, ...none, refused_port: sipPortRefused };
  if (config.mqttUrl) return { key, ...status, ...none, state: 'external' };
  const certificate = await readCertificate(db);
  return {
    key,
    ...status,
    refused_port: null,
    secure_port: deviceBroker?.securePort ?? null,
    certificate: certificate && { valid_to: certificate.valid_to, state: certificateState(certificate, now().getTime()) },
  };
}

async function readSystem(
  services: Services,
  principal: Principal,
  { level, search }: Record<string, string>,
  history: readonly SystemSample[],
): Promise<SystemInfo> {
  const [database, { online, total, ...work }, disk, runs, ...states] = await Promise.all([
    readDatabase(services),
    readWork(services, principal),
    statfs(services.config.data),
    isOperator(services, principal),
    ...serviceNames.map((key) => statusOf(services, key)),
  ]);
  return {
    version: productVersion(),
    migration: lastMigration().name,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    started_at: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
    database,
    disk: { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize },
    services: states,
    work: { ...work, calls: services.telephony?.live.length ?? 0 },
    devices: { online, total },
    history: [...history],
    is_operator: runs,
    logs: (runs && services.logRing?.read((level ?? 'info') as 'info', search ?? '')) || [],
  };
}

/** The server as whoever runs it sees it, and what can be begun anew (SETT-12, SETT-13, SETT-18). */
export function serveSystem(app: FastifyInstance, services: Services): void {
  const history = storeSamples(app, services);
  const { db, now } = services;
  serve(app, services, calls.systemInfo, ({ principal, query }) => readSystem(services, principal, query, history()));
  serve(app, services, calls.serviceStatus, ({ params }) => statusOf(services, params.service));
  serve(app, services, calls.restartService, async ({ principal, params: { service } }) => {
    await requireOperator(services, principal);
    const part = services.parts?.[service];
    if (!part || (service === 'broker' && services.config.mqttUrl)) throw new HttpError('unavailable');
    await audit(db, principal, { area: 'system', action: 'restart', entityName: service }, now());
    await part.restart();
    return statusOf(services, service);
  });
  serve(app, services, calls.reinitSip, async ({ principal }) => {
    await requireOperator(services, principal);
    // Every process reads its numbers anew when any of them may have changed.
    await publish(db, principal.projectId, topics.area('sip-numbers'), 'RowsChanged', { area: 'sip-numbers', ids: [] });
    await audit(db, principal, { area: 'system', action: 'reinit', entityName: 'sip' }, now());
  });
  serve(app, services, calls.resourcesMeta, () =>
    areaNames.map((area) => {
      const { path, fields, filters, sorts, readOnly } = modelOf(area);
      return { area, path: `/${path}`, fields: Object.keys(fields), filters: Object.keys(filters), sorts: [...sorts], is_read_only: readOnly };
    }),
  );
}
