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
    { key: 'elevator_name', cell: HappenedCell, sort: 'elevator_name', tall: true },
    { key: 'occurred_at', cell: MomentCell, width: '16%' },
    { key: 'floor', cell: FloorCell, sort: 'floor', width: '14%' },
    { key: 'user', width: '17%' },
    { key: 'identifier_type', cell: CredentialCell, width: '12%' },
    { key: 'reason', cell: OutcomeCell, width: '19%' },
    { key: 'type', extra: true },
    { key: 'device', extra: true },
    { key: 'apartment', extra: true },
  ],
  filterAreas: { elevator: 'elevators', user: 'users' },
  slots: { item: ElevatorEventItem, toolbar: PauseButton },
});
