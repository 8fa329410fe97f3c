import type { Device } from '#models/devices.ts';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { TextCopyDialog } from '#src/components/text-copy-dialog.tsx';
import { Modal } from '#src/components/modal.tsx';
import { useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useReading } from '#src/views/area/use-reading.ts';

/** The settings as the device is sent them, to be copied; secrets are left out. */
export default function RawDialog({ row, close }: ActionProps<Device>) {
  const { t } = useText();
  const { answer, problem, reload } = useReading('deviceRaw', { params: { id: row.id } });
  const title = t('areas.devices.actions.raw');
  if (answer) return <TextCopyDialog title={title} text={JSON.stringify(answer, null, 2)} onClose={close} />;
  return (
    <Modal title={title} onDismiss={close}>
      {problem ? <Failure problem={problem} onRetry={reload} /> : <SkeletonLines lines={6} label={t('list.loading')} />}
    </Modal>
  );
}
