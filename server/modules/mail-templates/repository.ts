import { sql } from 'drizzle-orm';
import { defineRepository } from '#server/crud/define-repository.ts';
import { oneGroup } from '#server/crud/group-path.ts';
import { stampsOf } from '#server/crud/json.ts';
import { mailTemplates } from '#server/db/schema/index.ts';
import { prepareTemplate } from './rules.ts';

const { mailTypeId, locale, domainId, subject, body, createdAt, updatedAt, createdBy } = mailTemplates;

/** Mail templates in the database. */
export const mailTemplatesRepository = defineRepository({
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
  shown: (scope) => ({
    ...stampsOf(mailTemplates),
    mail_type_id: sql`${mailTypeId}`,
    locale: sql`${locale}`,
    domain_id: oneGroup(scope, domainId),
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
