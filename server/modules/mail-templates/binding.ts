import { sql } from 'drizzle-orm';
import { defineBinding } from '#server/crud/define-binding.ts';
import { oneGroup } from '#server/crud/group-path.ts';
import { stampsOf } from '#server/crud/json.ts';
import { mailTemplates } from '#server/db/schema/index.ts';
import { prepareTemplate } from './rules.ts';

const { mailTypeId, locale, domainId, subject, body, createdAt, updatedAt, createdBy } = mailTemplates;

/** Mail templates in the database. */
export const mailTemplatesBinding = defineBinding({
  area: 'mail-templates',
  table: mailTemplates,
  compared: {
    mail_type_id: { column: mailTypeId },
    locale: { column: locale },
    domain_id: { column: domainId, area: 'groups' },
    subject: { column: subject },
    created_at: { column: createdAt },
    updated_at: { column: updatedAt },
  },
  shown: (sight) => ({
    ...stampsOf(mailTemplates),
    mail_type_id: sql`${mailTypeId}`,
    locale: sql`${locale}`,
    domain_id: oneGroup(sight, domainId),
    subject: sql`${subject}`,
    body: sql`${body}`,
    created_by: sql`${createdBy}`,
  }),
  dependants: [],
  written: { mail_type_id: 'mailTypeId', locale: 'locale', domain_id: 'domainId', subject: 'subject', body: 'body' },
  prepare: async (change) => {
    await prepareTemplate(change);
    return {};
  },
});
