import { groupTypes } from '#models/group-types.ts';
import { defineResource } from './define-resource.ts';

export default defineResource({
  model: groupTypes,
  icon: 'pi-tags',
  columns: ['name', 'description', 'has_logic_address', 'groups_count', { key: 'updated_at' }, { key: 'created_at', extra: true }],
  form: [
    {
      section: 'general',
      fields: [
        { key: 'name', wide: true },
        { key: 'has_logic_address', wide: true },
        { key: 'description', wide: true },
      ],
    },
  ],
  editor: 'dialog',
});
