import { callHistory } from '#models/call-history.ts';
import { MomentCell } from './device-events/cells.tsx';
import { CallItem } from './call-history/call-item.tsx';
import { DoorCell, FromCell, TalkCell, ToCell } from './call-history/cells.tsx';
import { defineResource } from './define-resource.ts';

export default defineResource({
  model: callHistory,
  icon: 'pi-history',
  columns: [
    { key: 'from', cell: FromCell, sort: 'from', tall: true, width: '22%' },
    { key: 'to', cell: ToCell, sort: 'to', width: '21%' },
    { key: 'created_at', cell: MomentCell, sort: 'created_at', width: '20%' },
    { key: 'duration', cell: TalkCell, sort: 'duration' },
    { key: 'door_opened', cell: DoorCell, width: '17%' },
    { key: 'status', sort: 'status', extra: true },
    { key: 'direction', extra: true },
    { key: 'group', extra: true },
    { key: 'device', extra: true },
    { key: 'note', extra: true },
  ],
  filterAreas: { group: 'groups', device: 'devices' },
  slots: { item: CallItem },
});
