import { accessRules } from '#models/access-rules.ts';
import { DevicesCell, EffectCell, SchedulesCell, WhoCell } from './access-rules/cells.tsx';
import { defineResource } from './define-resource.ts';

export default defineResource({
  model: accessRules,
  icon: 'pi-lock-open',
  columns: [
    'name',
    { key: 'prohibition', cell: EffectCell, width: '9%' },
    { key: 'domains', cell: WhoCell, width: '22%' },
    { key: 'devices', cell: DevicesCell, width: '24%' },
    { key: 'time_rules', cell: SchedulesCell, width: '14%' },
    'updated_at',
    { key: 'description', extra: true },
    { key: 'is_shareable', extra: true },
    { key: 'created_at', extra: true },
  ],
  form: [
    {
      section: 'general',
      fields: ['name', { key: 'description', wide: true }, { key: 'prohibition', wide: true }, { key: 'is_shareable', wide: true }],
    },
    { section: 'doors', fields: [{ key: 'devices', wide: true }] },
    {
      section: 'who',
      fields: [
        { key: 'domains', wide: true },
        { key: 'users', wide: true },
        { key: 'identifiers', wide: true },
      ],
    },
    { section: 'when', fields: [{ key: 'time_rules', wide: true }] },
  ],
});
