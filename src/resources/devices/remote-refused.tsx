import type { Device } from '#models/devices.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { RemoteRefusedDialog, remoteRefusedReason } from '#src/views/devices/remote-refused-dialog.tsx';

/** Explains which condition of remote control fails. */
export function RemoteRefused({ row, close }: ActionProps<Device>) {
  const reason = remoteRefusedReason(row);
  return reason && <RemoteRefusedDialog reason={reason} onClose={close} />;
}
