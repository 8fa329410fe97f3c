import type { Device } from '#models/devices.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { useText } from '#src/components/text.ts';

type RefusedReason = 'interface.device_is_not_mqtt_cant_remote_control' | 'interface.device_is_offline_cant_remote_control';

/** Remote control needs the mqtt protocol and a device that answers (spec A5): the words for what is missing, or null. */
export function remoteRefusedReason({ protocol, status }: Pick<Device, 'protocol' | 'status'>): RefusedReason | null {
  if (protocol !== 'mqtt') return 'interface.device_is_not_mqtt_cant_remote_control';
  return status === 'online' ? null : 'interface.device_is_offline_cant_remote_control';
}

/** The closable dialog that says which condition fails. */
export function RemoteRefusedDialog({ reason, onClose }: { reason: RefusedReason; onClose: () => void }) {
  const { t } = useText();
  return (
    <Modal
      label={t('areas.devices.remote.title')}
      title={t('areas.devices.remote.title')}
      onDismiss={onClose}
      footer={<Button label={t('areas.devices.remote.close')} onClick={onClose} />}
    >
      <p>{t(reason)}</p>
    </Modal>
  );
}
