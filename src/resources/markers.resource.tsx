import { markers } from '#models/markers.ts';
import { Label } from '#src/components/chips.tsx';
import { defineResource } from './define-resource.ts';

export default defineResource({
  model: markers,
  icon: 'pi-bookmark',
  columns: [
    { key: 'name', cell: ({ row }) => <Label name={row.name} color={row.color} /> },
    { key: 'color', cell: ({ value }) => <code>{value}</code> },
    { key: 'updated_at' },
    { key: 'created_at', extra: true },
  ],
  form: [{ section: 'general', fields: ['name', 'color'] }],
  editor: 'dialog',
});
