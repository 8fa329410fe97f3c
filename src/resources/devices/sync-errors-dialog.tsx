import type { SyncErrors } from '#models/devices.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useReading } from '#src/views/area/use-reading.ts';
import { useDeviceReason } from '#src/views/devices/use-device-reason.ts';

function Part({ kind, errors }: { kind: keyof SyncErrors; errors: SyncErrors[keyof SyncErrors] }) {
  const { t } = useText();
  const reasonOf = useDeviceReason();
  if (errors.length === 0) return null;
  return (
    <section>
      <h3>{t(`areas.devices.sync.${kind}`)}</h3>
      <ul className="lines">
        {errors.map(({ id, name, error }) => (
          <li key={`${id} ${name}`} className="line sync-line">
            <strong>{name}</strong>
            <span className="quiet">{reasonOf(error)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What could not be brought to the device, and why; synchronising tries it all again. */
export function SyncErrorsDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useText();
  const { answer, problem, reload } = useReading('deviceSyncErrors', { params: { id } });
  return (
    <Modal title={t('areas.devices.sync.title')} onDismiss={onClose} footer={<Button tone="plain" label={t('list.close')} onClick={onClose} />}>
      <p className="quiet">{t('areas.devices.sync.lead')}</p>
      {problem && <Failure problem={problem} onRetry={reload} />}
      {!answer && !problem && <SkeletonLines lines={4} label={t('list.loading')} />}
      {answer && (
        <>
          <Part kind="identifiers" errors={answer.identifiers} />
          <Part kind="schedules" errors={answer.schedules} />
        </>
      )}
    </Modal>
  );
}
