import { integrations } from '#models/integrations.ts';
import { defineResource } from './define-resource.ts';
import { SecretField } from './devices/secret-field.tsx';
import { IntegrationAside } from './integrations/aside.tsx';
import { CamerasField } from './integrations/cameras-field.tsx';
import { CertificateField } from './integrations/certificate-field.tsx';

const is =
  (type: string) =>
  ({ draft }: { draft: { type?: string } }): boolean =>
    draft.type === type;

export default defineResource({
  model: integrations,
  icon: 'pi-link',
  columns: ['name', 'type', 'state', 'domain_id', 'url', 'updated_at'],
  form: [
    {
      section: 'general',
      fields: ['name', 'type', { key: 'domain_id' }, { key: 'domains', wide: true }, { key: 'is_active', wide: true }],
    },
    {
      section: 'server',
      fields: [
        { key: 'url', wide: true },
        { key: 'login', show: is('camera') },
        { key: 'password', widget: SecretField, show: is('camera') },
        { key: 'secret', widget: SecretField, show: is('webhook') },
        { key: 'certificate', widget: CertificateField },
      ],
    },
    {
      section: 'webhook',
      show: is('webhook'),
      fields: [
        { key: 'events.access', wide: true },
        { key: 'events.alarms', wide: true },
        { key: 'events.calls', wide: true },
        { key: 'events.device_events', wide: true },
      ],
    },
    {
      section: 'camera',
      show: is('camera'),
      fields: [
        { key: 'cameras', widget: CamerasField, reads: true, wide: true },
        { key: 'rtsp_url', wide: true },
      ],
    },
  ],
  subject: ({ id, created_by, domain_id: group }) => ({ id, created_by, domains: group ? [group.id] : [] }),
  slots: { aside: IntegrationAside },
});
