import { auditEvents } from '#models/audit-events.ts';
import { AuditItem } from './audit/audit-item.tsx';
import { AreaCell, ChangesCell, EntityCell, MomentCell } from './audit/cells.tsx';
import { defineResource } from './define-resource.ts';

export default defineResource({
  model: auditEvents,
  icon: 'pi-history',
  columns: [
    { key: 'created_at', cell: MomentCell },
    { key: 'user', sort: 'user' },
    { key: 'action' },
    { key: 'area', cell: AreaCell },
    { key: 'entity_name', cell: EntityCell },
    { key: 'changes', cell: ChangesCell },
    { key: 'ip' },
    { key: 'user_agent', extra: true },
  ],
  filters: ['created_at', 'user', 'action', 'area', 'entity_name', 'entity_id', 'ip'],
  filterAreas: { user: 'users' },
  form: [],
  slots: { item: AuditItem },
});
