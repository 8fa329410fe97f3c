import { deviceEvents } from '#models/device-events.ts';
import { defineResource } from './define-resource.ts';
import { EventCell, IdentifierCell, MomentCell, PriorityCell, ReasonCell } from './device-events/cells.tsx';
import { EventItem } from './device-events/event-item.tsx';
import { PauseButton } from './device-events/pause-button.tsx';

export default defineResource({
  model: deviceEvents,
  icon: 'pi-list',
  columns: [
    { key: 'device_name', cell: EventCell, shows: ['type', 'path'], sort: 'device_name', tall: true, width: '22%' },
    { key: 'occurred_at', cell: MomentCell, width: '17%' },
    { key: 'user', width: '12%' },
    { key: 'identifier_type', cell: IdentifierCell, shows: ['identifier_mask'], width: '16%' },
    { key: 'reason', cell: ReasonCell, width: '13%', givesWay: 'tablet' },
    { key: 'priority', cell: PriorityCell, width: '14%' },
    { key: 'type', extra: true },
    { key: 'device', extra: true },
  ],
  filterAreas: { device: 'devices', user: 'users' },
  slots: { item: EventItem, toolbar: PauseButton },
});
