import { accessControlEvents } from '#models/access-control-events.ts';
import { CredentialCell, DecisionCell, PassageCell, WhoCell } from './access-control-events/cells.tsx';
import { PassageItem } from './access-control-events/passage-item.tsx';
import { defineResource } from './define-resource.ts';
import { MomentCell } from './device-events/cells.tsx';
import { PauseButton } from './device-events/pause-button.tsx';

export default defineResource({
  model: accessControlEvents,
  icon: 'pi-shield',
  columns: [
    { key: 'device_name', cell: PassageCell, shows: ['type', 'path'], sort: 'device_name', tall: true, width: '26%' },
    { key: 'occurred_at', cell: MomentCell, width: '17%' },
    { key: 'user', cell: WhoCell, shows: ['guest'], width: '16%' },
    { key: 'identifier_type', cell: CredentialCell, shows: ['identifier_mask'], width: '16%' },
    { key: 'reason', cell: DecisionCell, shows: ['rule', 'schedule'] },
    { key: 'type', extra: true },
    { key: 'device', extra: true },
  ],
  actions: [{ key: 'add_card', icon: 'pi-id-card', show: (row) => row.has_card, to: (row) => `/identifiers/add?type=card&event=${row.id}` }],
  filterAreas: { device: 'devices', user: 'users' },
  slots: { item: PassageItem, toolbar: PauseButton },
});
