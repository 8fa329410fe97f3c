import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { Locale } from '#models/constants.ts';
import type { MailTypeId } from '#models/mail-templates.ts';
import type { SettingBlock } from '#models/project-settings.ts';
import { stamps } from './columns.ts';
import { groups, projects } from './people.ts';

/** What was set for a project, a row a block; gaps are filled with what every project starts with. */
export const projectSettings = pgTable(
  'project_settings',
  {
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    block: text('block').$type<SettingBlock>().notNull(),
    value: jsonb('value').$type<Record<string, unknown>>().notNull(),
    /** The secret of the block, sealed under the installation's own. */
    secretCipher: text('secret_cipher'),
    /** The picture of the block. */
    logoFile: uuid('logo_file'),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.block] })],
);

/** The words of mails, for the project or one of its groups: one for a type, a language and a place. */
export const mailTemplates = pgTable(
  'mail_templates',
  {
    ...stamps,
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    mailTypeId: text('mail_type_id').$type<MailTypeId>().notNull(),
    locale: text('locale').$type<Locale>().notNull(),
    /** The group it belongs to; null for the project itself. */
    domainId: uuid('domain_id').references(() => groups.id, { onDelete: 'cascade' }),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
  },
  (table) => [
    uniqueIndex('mail_templates_type').on(table.projectId, sql`coalesce(${table.domainId}, ${table.projectId})`, table.mailTypeId, table.locale),
    index('mail_templates_domain').on(table.domainId),
  ],
);
