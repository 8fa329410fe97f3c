import { defineForm } from '../define-form.ts';
import type { Device } from '../devices.ts';

/** How a device is spoken to. */
export const deviceProtocolForm = defineForm({
  name: 'device-protocol',
  call: 'setDeviceProtocol',
  start: ({ protocol }: Pick<Device, 'id' | 'protocol'>) => ({ protocol }),
  read: ({ protocol }, _base, { id }) => ({ input: { params: { id }, body: { protocol } } }),
});
