import { sipTrunks } from '#models/sip-trunks.ts';
import { defineResource } from './define-resource.ts';
import { SecretField } from './devices/secret-field.tsx';

export default defineResource({
  model: sipTrunks,
  icon: 'pi-share-alt',
  columns: [
    'name',
    { key: 'termination_uri', width: '27%' },
    'outgoing_number',
    'groups',
    'updated_at',
    { key: 'login', extra: true },
    { key: 'incoming_authentication', extra: true },
    { key: 'allow_panel_calls', extra: true },
    { key: 'allow_panel_keys', extra: true },
    { key: 'created_at', extra: true },
  ],
  form: [
    { section: 'general', fields: ['name', 'outgoing_number', { key: 'groups', wide: true }] },
    { section: 'server', fields: [{ key: 'termination_uri', wide: true }, 'login', { key: 'password', widget: SecretField }] },
    { section: 'incoming', fields: [{ key: 'incoming_authentication', wide: true }] },
    {
      section: 'panels',
      fields: [
        { key: 'allow_panel_calls', wide: true },
        { key: 'allow_panel_keys', wide: true },
      ],
    },
  ],
  subject: ({ id, created_by, groups }) => ({ id, created_by, domains: groups.map((group) => group.id) }),
});
