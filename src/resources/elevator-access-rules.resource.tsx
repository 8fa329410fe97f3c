import { elevatorAccessRules } from '#models/elevator-access-rules.ts';
import type { FilterItem } from '#models/query.ts';
import { defineResource } from './define-resource.ts';
import { OpenedCell } from './elevator-access-rules/cells.tsx';
import { LiftRuleEffect } from './elevator-access-rules/effect-piece.tsx';
import { OpenedField } from './elevator-access-rules/opened-field.tsx';

/** Other elevators free no floors by identifiers. */
const accessModeOnly: readonly FilterItem[] = [{ field: 'hasAccessModeController', rule: 'is', value: true }];

export default defineResource({
  model: elevatorAccessRules,
  icon: 'pi-lock',
  columns: [
    { key: 'name', width: '22%' },
    { key: 'users_count', width: '10%' },
    { key: 'elevators', cell: OpenedCell, tall: true },
    { key: 'updated_at', width: '13%' },
    { key: 'description', extra: true },
    { key: 'created_at', extra: true },
  ],
  filterAreas: { users: 'users', elevators: 'elevators' },
  form: [
    { section: 'general', fields: ['name', { key: 'description', wide: true }] },
    { section: 'who', fields: [{ key: 'users', wide: true }] },
    { section: 'where', fields: [{ key: 'elevators', widget: OpenedField, only: accessModeOnly, wide: true, reads: true }] },
    { section: 'effect', piece: LiftRuleEffect, show: ({ mode }) => mode !== 'view' },
  ],
});
