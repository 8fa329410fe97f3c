import type { AuditEvent } from '#models/audit-events.ts';
import { groupsOf } from './access/belonging.ts';
import type { Principal } from './context.ts';
import type { Db } from './db/database.ts';
import { auditEvents } from './db/schema/index.ts';
import { announce } from './realtime/publish.ts';
import { messagesOf } from './realtime/messages.ts';

/** Who stands behind an audit entry; a whole Principal will do. */
export type AuditActor = Pick<Principal, 'projectId' | 'id' | 'name' | 'ip' | 'userAgent'>;

/** What happened, to which row, and each field before and after. */
export interface AuditEntry {
  area: string;
  action: AuditEvent['action'];
  entityId?: string | null;
  /** What the row was called at the time. */
  entityName?: string | null;
  changes?: AuditEvent['changes'];
  /** Groups it belonged to before, where that may be others than now. */
  belonged?: readonly string[];
}

const longest = 500;
/** A client says what it likes in its headers; the trail keeps a line of it. */
const short = (text: string | null): string | null => (text === null ? null : text.slice(0, longest));

/**
 * Adds entries to the audit trail. Give it the transaction that makes the change, so that neither is without the other.
 * What changed is told on the realtime channel once that transaction stands.
 */
export async function audit(db: Db, actor: AuditActor, entries: AuditEntry | readonly AuditEntry[], at: Date = new Date()): Promise<void> {
  const list = [entries].flat();
  if (list.length === 0) return;
  const written = await write(db, actor, list, at);
  await announce(db, messagesOf(actor.projectId, list, written));
}

/**
 * The groups each entry concerns: those its row belongs to or belonged to, each with all above it. What belongs to no group (a role, an
 * export) concerns those of whoever did it.
 */
async function concerned(db: Db, actor: AuditActor, list: readonly AuditEntry[]): Promise<(entry: AuditEntry) => string[]> {
  const byArea = new Map<string, Map<string, string[]>>();
  for (const area of new Set(list.map((entry) => entry.area)))
    byArea.set(area, await groupsOf(db, area, [...new Set(list.flatMap((entry) => (entry.area === area ? (entry.entityId ?? []) : [])))]));
  const groupsFor = ({ area, entityId, belonged = [] }: AuditEntry): string[] => [
    ...new Set([...(byArea.get(area)?.get(entityId ?? '') ?? []), ...belonged]),
  ];
  if (list.every((entry) => groupsFor(entry).length > 0)) return groupsFor;
  const own = (await groupsOf(db, 'users', [actor.id])).get(actor.id) ?? [];
  return (entry) => (groupsFor(entry).length > 0 ? groupsFor(entry) : own);
}

const rowOf = (
  actor: AuditActor,
  { area, action, entityId = null, entityName = null, changes = {} }: AuditEntry,
  groups: string[],
  at: Date,
): typeof auditEvents.$inferInsert => ({
  projectId: actor.projectId,
  area,
  action,
  entityId,
  entityName: short(entityName),
  userId: actor.id,
  userName: actor.name,
  ip: actor.ip,
  userAgent: short(actor.userAgent),
  changes,
  groups,
  createdAt: at,
});

async function write(db: Db, actor: AuditActor, list: readonly AuditEntry[], at: Date): Promise<string[]> {
  const groupsFor = await concerned(db, actor, list);
  const rows = await db
    .insert(auditEvents)
    .values(list.map((entry) => rowOf(actor, entry, groupsFor(entry), at)))
    .returning({ id: auditEvents.id });
  return rows.map(({ id }) => id);
}

/** The fields that differ between two rows in wire shape, secrets left out; what an `update` entry carries. */
export function changesBetween(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  leaveOut: readonly string[] = [],
): AuditEvent['changes'] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)].filter((name) => !leaveOut.includes(name)));
  return Object.fromEntries(
    [...names]
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => [name, { before: before[name] ?? null, after: after[name] ?? null }]),
  );
}
