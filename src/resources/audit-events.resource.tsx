import { auditEvents } from '#models/audit-events.ts';
import { areaNames } from '#models/areas.ts';
import type { Filters } from '#models/query.ts';
import { AuditItem } from './audit/audit-item.tsx';
import { AgentCell, AreaCell, ChangesCell, EntityCell, MomentCell } from './audit/cells.tsx';
import { defineResource } from './define-resource.ts';

/** The row named by an id belongs to the area that another filter names. */
const areaAsked = ({ items }: Filters): string | undefined => {
  const value = items.find(({ field, rule }) => field === 'area' && rule === 'equals')?.value;
  return typeof value === 'string' ? value : undefined;
};

export default defineResource({
  model: auditEvents,
  icon: 'pi-history',
  columns: [
    { key: 'created_at', cell: MomentCell, width: '16.5%', tall: true },
    { key: 'user', sort: 'user', width: '12%' },
    { key: 'action', width: '15%' },
    { key: 'area', cell: AreaCell, width: '13.5%', givesWay: 'tablet' },
    { key: 'entity_name', cell: EntityCell, width: '12.5%' },
    { key: 'changes', cell: ChangesCell },
    { key: 'ip', width: '11%', givesWay: 'tablet' },
    { key: 'user_agent', cell: AgentCell, extra: true },
  ],
  filters: ['created_at', 'user', 'action', 'area', 'entity_name', 'entity_id', 'ip'],
  filterAreas: { user: 'users', entity_id: areaAsked },
  filterPresets: {
    area: areaNames.filter((area) => area !== 'audit-events').map((area) => ({ words: `areas.${area}.title`, rule: 'equals', value: area })),
  },
  form: [],
  slots: { item: AuditItem },
});
