import { accessRules } from '#models/access-rules.ts';
import { DevicesCell, EffectCell, GroupsCell, SchedulesCell } from './access-rules/cells.tsx';
import { RuleEffect } from './access-rules/effect-piece.tsx';
import { defineResource } from './define-resource.ts';
import { notUkey2 } from './identifiers/unowned.ts';

export default defineResource({
  model: accessRules,
  icon: 'pi-lock-open',
  columns: [
    { key: 'name', width: '18%' },
    { key: 'prohibition', cell: EffectCell, width: '11%' },
    { key: 'domains', cell: GroupsCell, tall: true, width: '19%' },
    { key: 'users_count', width: '7%', givesWay: 'tablet' },
    { key: 'devices', cell: DevicesCell, width: '23%', tall: true },
    { key: 'time_rules', cell: SchedulesCell, width: '13%' },
    { key: 'identifiers_count', extra: true },
    { key: 'description', extra: true },
    { key: 'is_shareable', extra: true },
    { key: 'updated_at', extra: true },
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
        { key: 'identifiers', wide: true, only: notUkey2 },
      ],
    },
    { section: 'when', fields: [{ key: 'time_rules', wide: true }] },
    { section: 'effect', piece: RuleEffect, show: ({ mode }) => mode !== 'view' },
  ],
});
