import { mailTemplates } from '#models/mail-templates.ts';
import { defineResource } from './define-resource.ts';
import { BodyField } from './mail-templates/body-field.tsx';
import { BuiltInText } from './mail-templates/built-in-text.tsx';

export default defineResource({
  model: mailTemplates,
  icon: 'pi-file-edit',
  columns: ['mail_type_id', 'subject', 'locale', 'domain_id', 'updated_at', { key: 'created_at', extra: true }],
  form: [
    { section: 'general', fields: ['mail_type_id', 'locale', { key: 'domain_id', wide: true }] },
    {
      section: 'text',
      lead: BuiltInText,
      fields: [
        { key: 'subject', wide: true },
        { key: 'body', widget: BodyField, wide: true },
      ],
    },
  ],
  subject: ({ id, created_by, domain_id: group }) => ({ id, created_by, domains: group ? [group.id] : [] }),
});
