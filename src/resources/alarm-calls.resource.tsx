import { alarmCalls } from '#models/alarm-calls.ts';
import { AlarmCallItem } from './alarm-calls/alarm-call-item.tsx';
import { MomentCell } from './audit/cells.tsx';
import { defineResource } from './define-resource.ts';
import { PlaceCell } from './device-alarms/cells.tsx';

export default defineResource({
  model: alarmCalls,
  icon: 'pi-phone',
  columns: [
    { key: 'called_at', cell: MomentCell, width: '20%', tall: true },
    'device_name',
    { key: 'path', cell: PlaceCell, width: '40%' },
    { key: 'device', extra: true },
    { key: 'group', extra: true },
  ],
  filterAreas: { device: 'devices', group: 'groups' },
  slots: { item: AlarmCallItem },
});
