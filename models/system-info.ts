import { z } from 'zod';
import { brokerCalls, certificateStates } from './broker.ts';
import { call } from './define-call.ts';
import { areaNames } from './areas.ts';
import type { PermissionCode } from './permission-catalogue.ts';

/** Services of the server that can be begun anew while it runs (SETT-12, SETT-13). */
export const serviceNames = ['broker', 'sip'] as const;
export type ServiceName = (typeof serviceNames)[number];
const service = z.strictObject({
  key: z.enum(serviceNames),
  /** `external`: it is not ours to restart. */
  state: z.enum(['running', 'restarting', 'stopped', 'external']),
  port: z.int().nullable(),
  since: z.iso.datetime().nullable(),
  /** Of SIP: the port that was set and could not be opened; it runs on another meanwhile. */
  refused_port: z.int().nullable(),
  /** Of the broker: the port over TLS, and until when its uploaded certificate counts. */
  secure_port: z.int().nullable(),
  certificate: z.strictObject({ valid_to: z.iso.datetime(), state: z.enum(certificateStates) }).nullable(),
});
export type ServiceStatus = z.infer<typeof service>;

/** How the server fared at a moment: megabytes, percent of a core, milliseconds, requests a second, connections. */
const sample = z.strictObject({
  at: z.iso.datetime(),
  memory: z.number(),
  cpu: z.number(),
  delay: z.number(),
  requests: z.number(),
  connections: z.int(),
});
export type SystemSample = z.infer<typeof sample>;

/** The levels of the log, least important first. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];
const logLine = z.strictObject({ id: z.int(), at: z.iso.datetime(), level: z.enum(logLevels), text: z.string(), more: z.string() });
export type LogLine = z.infer<typeof logLine>;

const systemInfo = z.strictObject({
  version: z.string(),
  migration: z.string(),
  node: z.string(),
  platform: z.string(),
  started_at: z.iso.datetime(),
  database: z.strictObject({ kind: z.enum(['embedded', 'postgresql']), version: z.string(), bytes: z.number(), connections: z.int() }),
  disk: z.strictObject({ free: z.number(), total: z.number() }),
  services: z.array(service),
  /** What the project has under way. */
  work: z.strictObject({ jobs_running: z.int(), jobs_queued: z.int(), tasks_waiting: z.int(), mails_waiting: z.int(), calls: z.int() }),
  devices: z.strictObject({ online: z.int(), total: z.int() }),
  history: z.array(sample),
  /** Is of the project that runs the installation: others are told nothing of its log and of blocked addresses, and restart nothing. */
  is_operator: z.boolean(),
  /** Newest last. */
  logs: z.array(logLine),
});
export type SystemInfo = z.infer<typeof systemInfo>;

const may = (...codes: PermissionCode[]) => ({ codes, about: 'system' });
const byService = z.strictObject({ service: z.enum(serviceNames) });
const changes = may('can_change_project_settings');

/** The health of the server, its log and its services (SETT-04, SETT-12, SETT-13, SETT-18). */
export const systemCalls = {
  ...brokerCalls,
  systemInfo: call({
    method: 'GET',
    path: '/system-info',
    access: may('can_view_system_info'),
    summary: 'Versions, database, services, work under way, figures of the last ten minutes, and the last lines of the log',
    query: z.strictObject({ level: z.enum(logLevels), search: z.string().max(100) }).partial(),
    answer: systemInfo,
  }),
  serviceStatus: call({
    method: 'GET',
    path: '/services/{service}/status',
    access: may('can_view_system_info'),
    summary: 'Whether the SIP service or the broker runs, where, and since when',
    params: byService,
    answer: service,
  }),
  restartService: call({
    method: 'POST',
    path: '/services/{service}/restart',
    access: changes,
    urgent: true,
    summary: 'Restart the SIP service or the broker; with SIP, calls end',
    params: byService,
    answer: service,
  }),
  reinitSip: call({
    method: 'POST',
    path: '/services/sip/reinit',
    access: changes,
    urgent: true,
    summary: 'Read numbers and SIP servers again and check all registrations; calls go on',
  }),
  resourcesMeta: call({
    method: 'GET',
    path: '/resources/meta',
    access: 'signedIn',
    summary: 'The areas of the API: path, fields, filters and sorting of each',
    answer: z.array(
      z.strictObject({
        area: z.enum(areaNames),
        path: z.string(),
        fields: z.array(z.string()),
        filters: z.array(z.string()),
        sorts: z.array(z.string()),
        is_read_only: z.boolean(),
      }),
    ),
  }),
} as const;
