import { jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { SettingBlock } from '#models/project-settings.ts';
import { projects } from './people.ts';

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
