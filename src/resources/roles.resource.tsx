import { lazyPart } from '#src/components/lazy-part.ts';
import { roles } from '#models/roles.ts';
import { defineResource } from './define-resource.ts';
import { changesAccess, membershipEffect } from './membership-effect.tsx';

const ViewAs = lazyPart(() => import('./roles/view-as-action.tsx'));

export default defineResource({
  model: roles,
  icon: 'pi-id-card',
  columns: [
    { key: 'name' },
    { key: 'description', width: '26%' },
    { key: 'permissions', cell: ({ value }) => <span className="cell-bare">{value.length}</span> },
    { key: 'available_roles', extra: true },
    { key: 'requires_second_factor', extra: true },
    'users_count',
    { key: 'created_by_user', givesWay: 'tablet' },
    'updated_at',
    { key: 'created_at', extra: true },
  ],
  filters: ['name', 'description', 'created_by_user', 'created_at'],
  filterAreas: { created_by_user: 'users' },
  form: [
    { section: 'general', fields: ['name', 'description', { key: 'requires_second_factor', wide: true }] },
    { section: 'available', fields: [{ key: 'available_roles', wide: true }] },
    { section: 'permissions', fields: ['permissions'] },
    { section: 'effect', piece: membershipEffect('roles'), show: changesAccess('roles') },
  ],
  facts: ['users_count'],
  actions: [
    { key: 'view_as', icon: 'pi-eye', dialog: ViewAs },
    { key: 'compare', icon: 'pi-arrow-right-arrow-left', to: ({ id }) => `/roles/compare?roles=${id}` },
  ],
  together: { key: 'compare', upTo: 4, to: (ids) => `/roles/compare?roles=${ids.join(',')}` },
  copies: true,
});
