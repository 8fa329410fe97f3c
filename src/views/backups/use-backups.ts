import { useEffect, useState } from 'react';
import type { Backup, BackupOverview } from '#models/backups.ts';
import type { Issue } from '#models/issues.ts';
import type { Job } from '#models/job.ts';
import type { Problem } from '#models/problem.ts';
import { useReading } from '../area/use-reading.ts';
import { useRequest } from '../area/use-request.ts';
import { useConfirm } from '../confirm.ts';
import { useAlerts, useWorkspace } from '../system.ts';

/** The backups of the project, read anew whenever one has been made, and what can be done with them. */
export interface Backups {
  overview: BackupOverview | null;
  problem: Problem | null;
  load: () => void;
  /** Why the last restore was refused. */
  refused: Problem | null;
  checking: boolean;
  busy: boolean;
  follow: (job: Job) => void;
  adopt: (overview: BackupOverview) => void;
  download: (backup: Backup) => void;
  remove: (backup: Backup) => void;
  restore: (backup: Backup) => void;
  restoreFile: (file: File) => void;
}

/** What the server found wrong with a backup, where it says so. */
export const reasonIn = (problem: Problem | null): Issue | undefined =>
  (problem?.data as { issues?: readonly Issue[] } | null | undefined)?.issues?.find(({ rule }) => rule.startsWith('backup_'));

/** What is done with backups, each after a question where it cannot be taken back. */
function useActs(load: () => void, follow: (job: Job) => void) {
  const confirm = useConfirm();
  const alerts = useAlerts();
  const failed = (problem: Problem): void => alerts.send({ type: 'alert.show', alert: { kind: 'error', problem } });
  const removal = useRequest('deleteBackup', { done: load, failed });
  const file = useRequest('downloadBackup', { failed });
  const stored = useRequest('applyBackup', { done: follow });
  const uploaded = useRequest('applyBackupFile', { done: follow });
  const ask = (key: 'remove' | 'restore' | 'download', name: string) =>
    confirm({
      title: { key: `areas.backups.${key}.title`, params: { name } },
      text: { key: `areas.backups.${key}.about` },
      approve: { key: `areas.backups.${key}.approve` },
      danger: key !== 'download',
    });
  const forget = (): void => {
    stored.reset();
    uploaded.reset();
  };
  return {
    refused: stored.problem ?? uploaded.problem,
    checking: stored.running || uploaded.running,
    busy: removal.running || file.running || stored.running || uploaded.running,
    download: ({ id, name }: Backup) => void ask('download', name).then((yes) => yes && file.run({ params: { id } })),
    remove: ({ id, name }: Backup) => void ask('remove', name).then((yes) => yes && removal.run({ params: { id } })),
    restore: ({ id, name }: Backup) => {
      forget();
      void ask('restore', name).then((yes) => yes && stored.run({ params: { id } }));
    },
    restoreFile: (backup: File) => {
      forget();
      void ask('restore', backup.name).then((yes) => yes && uploaded.run({ files: { backup } }));
    },
  };
}

export function useBackups(): Backups {
  const workspace = useWorkspace();
  const [overview, adopt] = useState<BackupOverview | null>(null);
  const { problem, reload: load } = useReading('backups', {}, { done: adopt });
  // Work that is over is told as a change of the trail, which has its entry.
  useEffect(() => {
    const heard = workspace.on('rows.changed', ({ area }) => area === 'audit-events' && load());
    return () => heard.unsubscribe();
  }, [workspace, load]);
  const follow = (job: Job): void => workspace.send({ type: 'job.start', request: { kind: 'adopt', area: 'audit-events', job } });
  return { overview, problem: overview ? null : problem, load, follow, adopt, ...useActs(load, follow) };
}
