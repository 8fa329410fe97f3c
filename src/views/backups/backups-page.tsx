import { useContext, useState } from 'react';
import { hasPermission } from '#models/permissions.ts';
import { Button } from '#src/components/button.tsx';
import { useFileDialog } from '#src/components/file-dialog.tsx';
import { EmptyState } from '#src/components/empty-state.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { ClockworkContext, exactTime } from '#src/components/when.tsx';
import { NoAccess } from '../area/no-access.tsx';
import { actorOf, useProfile } from '../profile-of.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { BackupLine } from './backup-line.tsx';
import { MakeBackup } from './make-dialog.tsx';
import { ScheduleCard } from './schedule-card.tsx';
import { type Backups, reasonIn, useBackups } from './use-backups.ts';
import './backups.css';

/** A backup that somebody has on their own disk. */
function RestoreFile({ backups }: { backups: Backups }) {
  const { t } = useText();
  const dialog = useFileDialog('.zip,application/zip', t('areas.backups.restore.from_file'), backups.restoreFile);
  return (
    <>
      {dialog.field}
      <Button tone="plain" icon="pi-upload" label={t('areas.backups.restore.from_file')} disabled={backups.busy} onClick={dialog.open} />
    </>
  );
}

/** Why a backup cannot be restored, or that it is being looked at. */
function Standing({ backups: { checking, refused } }: { backups: Backups }) {
  const words = useText();
  const { t } = words;
  const reason = reasonIn(refused);
  if (checking)
    return (
      <p className="notice" role="status">
        <i className="pi pi-spinner" aria-hidden="true" />
        <span>{t('areas.backups.restore.checking')}</span>
      </p>
    );
  if (!refused) return null;
  if (!reason) return <ProblemNote problem={refused} />;
  return (
    <div className="notice notice-warn" role="alert">
      <i className="pi pi-exclamation-triangle" aria-hidden="true" />
      <div>
        <strong>{t('areas.backups.restore.refused')}</strong>
        <p>{sayIssue(words, reason)}</p>
      </div>
    </div>
  );
}

/** Backups of the project: the list, making one, restoring one, and making them by themselves. */
export function BackupsPage() {
  const { t } = useText();
  const actor = actorOf(useProfile());
  const clockwork = useContext(ClockworkContext);
  const [making, make] = useState(false);
  const backups = useBackups();
  const { overview, problem, load } = backups;
  usePageTitle(t('interface.menu.backups'));
  if (problem?.code === 'forbidden') return <NoAccess />;
  if (problem)
    return (
      <div className="card">
        <Failure problem={problem} onRetry={load} />
      </div>
    );
  if (!overview) return <SkeletonLines lines={8} label={t('interface.loading')} />;
  const mayMake = hasPermission(actor, 'can_create_backups');
  const rights = {
    restore: hasPermission(actor, 'can_apply_backups'),
    download: hasPermission(actor, 'can_download_backups'),
    remove: hasPermission(actor, 'can_delete_backups'),
  };
  return (
    <div className="backups-page">
      <section className="card" aria-labelledby="backups-title">
        <header className="card-head">
          <h2 id="backups-title" className="grow">
            {t('areas.backups.title')}
          </h2>
          {hasPermission(actor, 'can_apply_backups_from_file') && <RestoreFile backups={backups} />}
          {mayMake && <Button icon="pi-plus" label={t('areas.backups.make')} onClick={() => make(true)} />}
        </header>
        <Standing backups={backups} />
        {overview.backups.length === 0 ? (
          <EmptyState icon="pi-database" text={t('areas.backups.empty')} />
        ) : (
          <ul className="backup-list">
            {overview.backups.map((backup) => (
              <BackupLine key={backup.id} backup={backup} backups={backups} rights={rights} />
            ))}
          </ul>
        )}
      </section>
      {mayMake && <ScheduleCard overview={overview} adopt={backups.adopt} />}
      {making && (
        <MakeBackup
          name={t('areas.backups.named', { date: exactTime(clockwork.now(), clockwork, 'HH:mm') })}
          onStarted={backups.follow}
          onClose={() => make(false)}
        />
      )}
    </div>
  );
}
