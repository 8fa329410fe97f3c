import { callHistory } from '#models/call-history.ts';
import { MomentCell } from './device-events/cells.tsx';
import { CallItem } from './call-history/call-item.tsx';
import { DoorCell, FromCell, TalkCell, ToCell } from './call-history/cells.tsx';
import { defineResource } from './define-resource.ts';

export default defineResource({
  model: callHistory,
  icon: 'pi-history',
  columns: [
    { key: 'from', cell: FromCell, shows: ['direction'], sort: 'from', tall: true, width: '22%' },
    { key: 'to', cell: ToCell, shows: ['answered_by'], sort: 'to', width: '21%' },
    { key: 'created_at', cell: MomentCell, sort: 'created_at', width: '20%' },
    { key: 'duration', cell: TalkCell, shows: ['status'], sort: 'duration' },
    { key: 'door_opened', cell: DoorCell, shows: ['door_name', 'door_opened_by'], width: '17%' },
    { key: 'status', sort: 'status', extra: true },
    { key: 'direction', extra: true },
    { key: 'group', extra: true },
    { key: 'device', extra: true },
    { key: 'note', extra: true },
  ],
  filterAreas: { group: 'groups', device: 'devices' },
  slots: { item: CallItem },
});
