import { sql } from 'drizzle-orm';
import { type AnyPgColumn, boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { CallType, HistoryStatus, ServerCallStatus } from '#models/call.ts';
import { moment } from './columns.ts';
import { devices } from './devices.ts';
import { groups, projects, users } from './people.ts';

const person = (name: string) => uuid(name).references(() => users.id, { onDelete: 'set null' });
const device = (name: string) => uuid(name).references(() => devices.id, { onDelete: 'set null' });
const group = (name: string) => uuid(name).references(() => groups.id, { onDelete: 'set null' });

/**
 * Calls, one row each: live ones until their status is destroyed, from then on their history. Numbers and names stand as they
 * were at the time; who they belonged to is kept beside them as long as that is there.
 */
export const calls = pgTable(
  'calls',
  {
    /** The speech id. */
    id: uuid('id').primaryKey(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    callerNumber: text('caller_number').notNull(),
    callerName: text('caller_name'),
    callerUserId: person('caller_user_id'),
    callerDeviceId: device('caller_device_id'),
    /** The group of the caller: of the panel, or the person's first. */
    callerDomainId: group('caller_domain_id'),
    calleeNumber: text('callee_number').notNull(),
    calleeName: text('callee_name'),
    calleeUserId: person('callee_user_id'),
    calleeDeviceId: device('callee_device_id'),
    calleeDomainId: group('callee_domain_id'),
    type: text('type').$type<CallType>().notNull(),
    status: text('status').$type<ServerCallStatus>().notNull(),
    sos: boolean('sos').notNull().default(false),
    video: boolean('video').notNull().default(false),
    /** Whether it came or went through a trunk. */
    trunk: text('trunk').$type<'incoming' | 'outgoing'>(),
    /** What the trunk was called by which the call was refused, and code and reason of its server; no code where that did not answer. */
    trunkName: text('trunk_name'),
    trunkStatus: integer('trunk_status'),
    trunkReason: text('trunk_reason'),
    /** The number that has taken the call; changed by one compare-and-set, so that only one ever has it. */
    answeredBy: text('answered_by'),
    answeredByName: text('answered_by_name'),
    answeredByUserId: person('answered_by_user_id'),
    createdAt: moment('created_at').notNull(),
    answeredAt: moment('answered_at'),
    endedAt: moment('ended_at'),
    /** How it ended, for the history; null while it is live. */
    historyStatus: text('history_status').$type<HistoryStatus>(),
    /** Why it is over, in a word. */
    endReason: text('end_reason'),
    /** Whether a door was opened during the call: which one, by whom. */
    doorOpened: boolean('door_opened').notNull().default(false),
    doorDeviceId: device('door_device_id'),
    doorDeviceName: text('door_device_name'),
    doorOpenedBy: text('door_opened_by'),
    /** What somebody wrote about the call. */
    note: text('note'),
    noteBy: text('note_by'),
    /** What the caller's camera showed when somebody kept it. */
    imageFile: uuid('image_file'),
    /** The call that this one came of, by a transfer. */
    parentId: uuid('parent_id').references((): AnyPgColumn => calls.id, { onDelete: 'set null' }),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    /** When the process that holds the call last said that it does; says nothing of one that is over. */
    renewedAt: moment('kept_at').notNull().defaultNow(),
  },
  (table) => [
    index('calls_time').on(table.projectId, table.createdAt, table.id),
    index('calls_caller').on(table.projectId, table.callerNumber, table.createdAt),
    index('calls_callee').on(table.projectId, table.calleeNumber, table.createdAt),
    index('calls_answered').on(table.projectId, table.answeredBy, table.createdAt),
    index('calls_caller_device').on(table.callerDeviceId),
    index('calls_caller_domain').on(table.callerDomainId),
    index('calls_callee_domain').on(table.calleeDomainId),
    // A call that is removed is looked for among those that came of it.
    index('calls_parent')
      .on(table.parentId)
      .where(sql`${table.parentId} is not null`),
    index('calls_live')
      .on(table.projectId, table.createdAt)
      .where(sql`${table.status} <> 'destroyed'`),
  ],
);

/** Who takes the calls of which groups first. The choice of groups stays when the interception is switched off. */
export const callInterceptions = pgTable(
  'call_interceptions',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    isActive: boolean('is_active').notNull(),
    groupIds: uuid('group_ids').array().notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [index('call_interceptions_active').on(table.projectId, table.isActive)],
);
