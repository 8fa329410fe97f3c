import type { Device } from '#models/devices.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { RemoteRefusedDialog, remoteRefusal } from '#src/views/devices/remote-refused-dialog.tsx';

/** Explains which condition of remote control fails. */
export function RemoteRefused({ row, close }: ActionProps<Device>) {
  const refusal = remoteRefusal(row);
  return refusal && <RemoteRefusedDialog refusal={refusal} onClose={close} />;
}
