import type { AuditEvent } from '#models/audit-events.ts';
import { type AreaName, isArea } from '#models/areas.ts';
import { topics } from '#models/realtime.ts';
import { namingAnew } from './named-by.ts';
import type { Announced, Message } from './publish.ts';

/** What somebody did to which row, as the audit trail has it. */
interface Done {
  area: string;
  action: AuditEvent['action'];
  entityId?: string | null;
  changes?: AuditEvent['changes'];
}

/** What leaves the rows of its area as they were. */
const changesNothing: ReadonlySet<AuditEvent['action']> = new Set([
  'sign_in',
  'sign_out',
  'session_revoked',
  'refused',
  'export',
  'import',
  'download',
]);
/** What leaves the sessions and rights of a person as they were. */
const endsNothing: ReadonlySet<AuditEvent['action']> = new Set(['create', 'sign_in', 'refused', 'export', 'import']);

/** Areas that show rows of each other: what happened to one changed the other. */
const sameRows: Readonly<Record<string, readonly AreaName[]>> = {
  identifiers: ['guest-identifiers', 'ukey2'],
  'guest-identifiers': ['identifiers'],
  ukey2: ['identifiers'],
};

const idsIn = (entries: readonly Done[]): string[] => entries.flatMap(({ entityId }) => entityId ?? []);

const rowsChanged = (project: string, area: AreaName, ids: string[], fresh: boolean): Announced => ({
  project,
  topic: topics.area(area),
  name: 'RowsChanged',
  payload: { area, ids },
  fresh,
});

/** The rows of one area that entries speak of; those made by the hundred in one step are told as "any row". */
function rowsIn(project: string, area: AreaName, entries: readonly Done[]): Announced[] {
  const made = entries.filter(({ action }) => action === 'create');
  const others = entries.filter(({ action }) => action !== 'create');
  const any = others.some(({ action }) => action === 'generate');
  return [
    ...(made.length > 0 ? [rowsChanged(project, area, idsIn(made), true)] : []),
    ...(others.length > 0 ? [rowsChanged(project, area, any ? [] : idsIn(others), false)] : []),
  ];
}

/** What the realtime channel says about audited changes: rows that changed, rows of others that name them, people to look at again, roles that changed. */
export function messagesOf(project: string, entries: readonly Done[], auditIds: string[]): Message[] {
  const changing = entries.filter(({ action }) => !changesNothing.has(action));
  const areas = [...new Set(changing.flatMap(({ area }) => [area, ...(sameRows[area] ?? [])]))].filter(isArea);
  const users = idsIn(entries.filter(({ area, action }) => area === 'users' && !endsNothing.has(action)));
  const roles = idsIn(changing.filter(({ area, action }) => area === 'roles' && action !== 'create'));
  const inArea = (name: AreaName) => changing.filter(({ area }) => area === name || sameRows[area]?.includes(name));
  return [
    ...areas.flatMap((area) => rowsIn(project, area, inArea(area))),
    ...namingAnew(changing).map((area) => rowsChanged(project, area, [], false)),
    rowsChanged(project, 'audit-events', auditIds, true),
    ...(users.length > 0 ? [{ project, users }] : []),
    ...roles.map((roleId): Announced => ({ project, topic: topics.appChanges, name: 'RoleChanged', payload: { roleId } })),
  ];
}
