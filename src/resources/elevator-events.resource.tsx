import { elevatorEvents } from '#models/elevator-events.ts';
import { defineResource } from './define-resource.ts';
import { MomentCell } from './device-events/cells.tsx';
import { PauseButton } from './device-events/pause-button.tsx';
import { CredentialCell, FloorCell, HappenedCell, OutcomeCell } from './elevator-events/cells.tsx';
import { ElevatorEventItem } from './elevator-events/event-item.tsx';

export default defineResource({
  model: elevatorEvents,
  icon: 'pi-list',
  columns: [
    { key: 'elevator_name', cell: HappenedCell, shows: ['type'], sort: 'elevator_name', tall: true, width: '21%' },
    { key: 'occurred_at', cell: MomentCell, width: '17%' },
    { key: 'floor', cell: FloorCell, shows: ['direction'], sort: 'floor', width: '10%' },
    { key: 'user', width: '15%' },
    { key: 'identifier_type', cell: CredentialCell, shows: ['identifier_mask'], width: '16%' },
    { key: 'reason', cell: OutcomeCell, shows: ['rule'], givesWay: 'tablet' },
    { key: 'type', extra: true },
    { key: 'device', extra: true },
    { key: 'apartment', extra: true },
  ],
  filterAreas: { elevator: 'elevators', user: 'users' },
  slots: { item: ElevatorEventItem, toolbar: PauseButton },
});
