import { elevators } from '#models/elevators.ts';
import type { FilterItem } from '#models/query.ts';
import { defineResource } from './define-resource.ts';
import { CallAction } from './elevators/call-action.tsx';
import { AccessCell, ControllersCell, FloorsCell } from './elevators/cells.tsx';
import { ControllersField } from './elevators/controllers-field.tsx';
import { FloorsField } from './elevators/floors-field.tsx';

/** Only such devices control elevators. */
const liftControllers: readonly FilterItem[] = [{ field: 'type', rule: 'equals', value: ['lift_controller'] }];

export default defineResource({
  model: elevators,
  icon: 'pi-sort-alt',
  columns: [
    { key: 'name', width: '22%' },
    { key: 'domain', sort: 'domain', width: '15%' },
    { key: 'controllers', cell: ControllersCell, tall: true },
    { key: 'floors_count', cell: FloorsCell, sort: 'floors_count', width: '12%' },
    { key: 'hasAccessModeController', cell: AccessCell, sort: 'hasAccessModeController', width: '19%' },
    { key: 'description', extra: true },
    { key: 'updated_at', extra: true },
    { key: 'created_at', extra: true },
  ],
  filterAreas: { domain_id: 'groups', controllers: 'devices' },
  form: [
    { section: 'general', fields: ['name', 'domain_id', { key: 'description', wide: true }] },
    { section: 'controllers', fields: [{ key: 'controllers', widget: ControllersField, only: liftControllers, wide: true, reads: true }] },
    { section: 'floors', fields: [{ key: 'floors', widget: FloorsField, wide: true, reads: true }] },
  ],
  actions: [{ key: 'call', icon: 'pi-sort-alt', dialog: CallAction }],
});
