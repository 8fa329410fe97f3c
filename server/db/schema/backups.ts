import { bigint, boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { BackupKind } from '#models/backups.ts';
import { moment } from './columns.ts';
import { projects } from './people.ts';

/** Backups in the data folder; restoring one leaves this list as it is. */
export const backups = pgTable(
  'backups',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    entities: text('entities').array().$type<BackupKind[]>().notNull(),
    /** `making`, then `ready` or `failed`. */
    state: text('state').notNull().default('making'),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    /** SHA-256 of the file. */
    checksum: text('checksum'),
    productVersion: text('product_version').notNull(),
    isScheduled: boolean('is_scheduled').notNull().default(false),
    createdBy: uuid('created_by'),
    createdByName: text('created_by_name'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('backups_project').on(table.projectId, table.createdAt)],
);

/** When backups of a project are made by themselves. */
export const backupSchedules = pgTable('backup_schedules', {
  projectId: uuid('project_id')
    .primaryKey()
    .references(() => projects.id, { onDelete: 'cascade' }),
  isActive: boolean('is_active').notNull(),
  hour: integer('hour').notNull(),
  keep: integer('keep').notNull(),
  entities: text('entities').array().$type<BackupKind[]>().notNull(),
  /** Where it is that hour. */
  zoneHours: integer('zone_hours').notNull(),
  zoneName: text('zone_name'),
  /** The day that one was begun for last, in that zone. */
  doneFor: text('done_for'),
});
