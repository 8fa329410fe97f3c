import { type BackupKind, backupKinds, backupRequest, type BackupSchedule, backupSchedule } from '../backups.ts';
import { defineForm } from '../define-form.ts';
import { toIssues } from '../issues.ts';
import { countTyped } from './typed.ts';

/** The kinds in the order in which they are told, whatever the order of choosing. */
const inOrder = (kinds: readonly BackupKind[]): BackupKind[] => backupKinds.filter((kind) => kinds.includes(kind));

/** A backup to be made: its name, and what it holds. */
export const backupForm = defineForm({
  name: 'backup',
  call: 'makeBackup',
  start: (name: string): { name: string; entities: readonly BackupKind[] } => ({ name, entities: backupKinds }),
  read: ({ name, entities }) => {
    const read = backupRequest.safeParse({ name, entities: inOrder(entities) });
    return read.success ? { input: { body: read.data } } : { issues: toIssues(read.error) };
  },
});

interface ScheduleDraft {
  is_active: boolean;
  hour: string;
  keep: string;
  entities: readonly BackupKind[];
}

/** When backups are made by themselves. */
export const backupScheduleForm = defineForm({
  name: 'backup-schedule',
  call: 'scheduleBackups',
  start: (schedule: BackupSchedule): ScheduleDraft => ({ ...schedule, hour: String(schedule.hour), keep: String(schedule.keep) }),
  read: ({ is_active, hour, keep, entities }) => {
    const read = backupSchedule.safeParse({ is_active, hour: countTyped(hour), keep: countTyped(keep), entities: inOrder(entities) });
    return read.success ? { input: { body: read.data } } : { issues: toIssues(read.error) };
  },
  saved: 'areas.backups.schedule.saved',
});
