import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { personThen } from './hidden-name.ts';
import { job } from './job.ts';
import { longCalls } from './long-calls.ts';
import type { PermissionCode } from './permission-catalogue.ts';
import { requiredText } from './rules.ts';

/** What a backup may hold (FIELD-53). Rows of the last kind only ever come about: restoring adds those that are missing and takes none away. */
export const backupKinds = ['settings', 'people', 'access', 'devices', 'telephony', 'logs'] as const;
export type BackupKind = (typeof backupKinds)[number];

const entities = z
  .array(z.enum(backupKinds))
  .min(1)
  .max(backupKinds.length)
  .refine((kinds) => new Set(kinds).size === kinds.length, { message: 'not_unique' });

/** What is asked for when one is made. */
export const backupRequest = z.strictObject({ name: requiredText(120), entities });

/** Every day at this hour of the zone of whoever said so last; of those made so, the newest are kept. */
export const backupSchedule = z.strictObject({
  is_active: z.boolean(),
  hour: z.int().min(0).max(23),
  keep: z.int().min(1).max(60),
  entities,
});
export type BackupSchedule = z.infer<typeof backupSchedule>;
/** How backups are made by themselves once somebody wants them to be. */
export const plainSchedule: BackupSchedule = { is_active: false, hour: 3, keep: 7, entities: [...backupKinds] };

export const backup = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  entities: z.array(z.enum(backupKinds)),
  state: z.enum(['making', 'ready', 'failed']),
  bytes: z.int(),
  /** SHA-256 of the file. */
  checksum: z.string().nullable(),
  /** The product's version that made it. */
  version: z.string(),
  is_scheduled: z.boolean(),
  created_at: z.iso.datetime(),
  created_by: personThen.nullable(),
});
export type Backup = z.infer<typeof backup>;

const overview = z.strictObject({
  backups: z.array(backup),
  schedule: backupSchedule,
  /** The zone that the hour of the schedule is of. */
  zone: z.strictObject({ hours: z.int(), name: z.string().nullable() }),
});
export type BackupOverview = z.infer<typeof overview>;

const may = (...codes: PermissionCode[]) => ({ codes, about: 'backups' });
const begun = { answer: job, success: [202] } as const;

/** Backups of the project (SETT-08 to 11, PERM-42). */
export const backupCalls = {
  backups: call({
    method: 'GET',
    path: '/backups',
    access: may('can_view_backups'),
    summary: 'The backups of the project, newest first, and when they are made by themselves',
    answer: overview,
  }),
  makeBackup: call({
    method: 'POST',
    path: '/backups',
    access: may('can_create_backups'),
    summary: 'Make a backup of all entities or some; returns a job',
    body: backupRequest,
    ...begun,
  }),
  scheduleBackups: call({
    method: 'PUT',
    path: '/backups/schedule',
    access: may('can_create_backups'),
    summary: 'Change when backups are made by themselves, and how many of these are kept',
    body: backupSchedule,
    answer: overview,
  }),
  deleteBackup: call({
    method: 'DELETE',
    path: '/backups/{id}',
    access: may('can_delete_backups'),
    summary: 'Delete a backup',
    params: byId,
  }),
  downloadBackup: call({
    method: 'GET',
    path: '/backups/{id}/file',
    access: may('can_download_backups'),
    summary: 'Download a backup as ZIP; it contains password hashes',
    params: byId,
    download: true,
  }),
  applyBackup: call({
    method: 'POST',
    path: '/backups/{id}/apply',
    access: may('can_apply_backups'),
    summary: 'Restore a backup: its contents replace the current data, and all users are signed out; returns a job',
    params: byId,
    timeout: longCalls.applyBackup,
    ...begun,
  }),
  applyBackupFile: call({
    method: 'POST',
    path: '/backups/apply',
    access: may('can_apply_backups_from_file'),
    summary: 'Restore a backup from an uploaded file; returns a job',
    files: ['backup'],
    largeFiles: true,
    timeout: longCalls.applyBackupFile,
    ...begun,
  }),
} as const;
