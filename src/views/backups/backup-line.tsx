import { type Backup, backupKinds } from '#models/backups.ts';
import { Button } from '#src/components/button.tsx';
import { sizeText } from '#src/components/size-text.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import type { Backups } from './use-backups.ts';

/** What somebody may do with backups. */
export interface BackupRights {
  restore: boolean;
  download: boolean;
  remove: boolean;
}

const icons = { ready: 'pi-database', making: 'pi-spinner', failed: 'pi-exclamation-triangle' } as const;

/** One backup: what is in it, when and by whom it was made, and what can be done with it. */
export function BackupLine({ backup, backups, rights }: { backup: Backup; backups: Backups; rights: BackupRights }) {
  const { t, locale } = useText();
  const { name, state, entities, bytes, checksum, version, is_scheduled, created_at, created_by } = backup;
  const held =
    entities.length === backupKinds.length
      ? t('areas.backups.everything')
      : backupKinds
          .filter((kind) => entities.includes(kind))
          .map((kind) => t(`areas.backups.kinds.${kind}.title`))
          .join(', ');
  const ready = state === 'ready';
  return (
    <li className={`backup-line backup-${state}`}>
      <i className={`pi ${icons[state]}`} aria-hidden="true" />
      <div className="backup-about">
        <strong>{name}</strong>
        <span className="small">{held}</span>
        <span className="quiet small">
          <When at={created_at} /> · {is_scheduled ? t('areas.backups.by_schedule') : (created_by?.name ?? t('list.none'))}
          {ready ? ` · ${sizeText(bytes, locale)} · ${t('areas.backups.version', { version })}` : ` · ${t(`areas.backups.states.${state}`)}`}
        </span>
        {checksum && (
          <span className="backup-checksum quiet small" title={checksum}>
            SHA-256 {checksum.slice(0, 16)}…
          </span>
        )}
      </div>
      <div className="backup-acts">
        {ready && rights.restore && (
          <Button
            tone="plain"
            small
            icon="pi-history"
            label={t('areas.backups.restore.act')}
            aria-label={t('areas.backups.restore.of', { name })}
            disabled={backups.busy}
            onClick={() => backups.restore(backup)}
          />
        )}
        {ready && rights.download && (
          <Button
            tone="quiet"
            small
            icon="pi-download"
            label={t('areas.backups.download.act')}
            aria-label={t('areas.backups.download.of', { name })}
            disabled={backups.busy}
            onClick={() => backups.download(backup)}
          />
        )}
        {state !== 'making' && rights.remove && (
          <Button
            tone="quiet"
            small
            icon="pi-trash"
            label={t('areas.backups.remove.act')}
            aria-label={t('areas.backups.remove.of', { name })}
            disabled={backups.busy}
            onClick={() => backups.remove(backup)}
          />
        )}
      </div>
    </li>
  );
}
