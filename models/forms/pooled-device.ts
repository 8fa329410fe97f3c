import { defineForm } from '../define-form.ts';
import type { FoundDevice } from '../devices.ts';
import type { Issue } from '../issues.ts';

/** A device out of the pool, with the name and the group it gets. */
export const pooledDeviceForm = defineForm({
  name: 'pooled-device',
  call: 'deviceFromPool',
  start: ({ model, serial }: Pick<FoundDevice, 'model' | 'serial'>): { name: string; group: { id: string; name: string } | null } => ({
    name: `${model} ${serial.slice(-4)}`,
    group: null,
  }),
  read: ({ name, group }, _base, { serial }) => {
    const missing = (field: string): Issue => ({ path: [field], rule: 'required', params: {} });
    if (!group) return { issues: [missing('group')] };
    return name.trim() ? { input: { body: { serial, name: name.trim(), domain: group.id } } } : { issues: [missing('name')] };
  },
});
