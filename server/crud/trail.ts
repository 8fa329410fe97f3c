import type { AuditEvent } from '#models/audit-events.ts';
import type { AreaName } from '#models/areas.ts';
import type { Verb } from '#models/area-rules.ts';
import { audit, type AuditEntry, changesBetween } from '../audit.ts';
import type { Principal, Services } from '../context.ts';
import { HttpError } from '../http-error.ts';
import type { AreaRepository, Change, Row } from './repository.ts';

/** Fields that say nothing about what somebody did. */
const leftOut = ['id', 'version', 'created_at', 'updated_at', 'created_by', 'last_seen_at', 'mobile_clients', 'path', 'children'];
const isCount = (field: string): boolean => field.endsWith('_count');

/** Rows of other areas by name, for they may be gone by then, and by id: readers are told only of those they may see. */
function byName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(byName);
  if (value === null || typeof value !== 'object') return value;
  const object = value as Record<string, unknown>;
  if (typeof object['id'] === 'string' && typeof object['name'] === 'string') return { id: object['id'], name: object['name'] };
  return Object.fromEntries(Object.entries(object).map(([key, part]) => [key, byName(part)]));
}
const readable = (row: Row | null): Record<string, unknown> => (row ? (byName({ ...row, id: undefined }) as Record<string, unknown>) : {});
const shownEnd = 4;
/** The end of a value that not everybody who reads the trail may know; of a short one nothing. */
const masked = (value: unknown): unknown => (typeof value === 'string' ? `…${value.length > 2 * shownEnd - 1 ? value.slice(-shownEnd) : ''}` : value);
const isEmpty = (value: unknown): boolean => value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Each field that differs between two rows, refs by name; of a row made or deleted only what it held. */
function differences(repository: AreaRepository, before: Row | null, after: Row | null): AuditEvent['changes'] {
  const skipped = [...leftOut, ...repository.model.secrets, ...Object.keys(repository.model.row.shape).filter(isCount)];
  const changes = changesBetween(readable(before), readable(after), skipped);
  const meaningful = Object.entries(changes).filter(([, { before: was, after: is }]) => !(isEmpty(was) && isEmpty(is)));
  return Object.fromEntries(
    meaningful.map(([field, { before: was, after: is }]) => [
      field,
      repository.model.masked.includes(field) ? { before: masked(was), after: masked(is) } : { before: was, after: is },
    ]),
  );
}

const actions = { create: 'create', edit: 'update', delete: 'delete' } as const;

/** A write with the row before and after it. `belonged`: the groups of the row before, where the write may take it out of them. */
export interface Written {
  verb: Change['verb'];
  id: string;
  before: Row | null;
  after: Row | null;
  belonged?: readonly string[];
}

function entryOf(repository: AreaRepository, { verb, id, before, after, belonged = [] }: Written): AuditEntry {
  const name = (after ?? before)?.[repository.model.label];
  const entityName = typeof name === 'string' ? name : null;
  return { area: repository.area, action: actions[verb], entityId: id, entityName, belonged, changes: differences(repository, before, after) };
}

/** Puts many writes into the audit trail, in their own transaction. */
export const auditWritten = (
  { tx, principal, at }: Pick<Change, 'tx' | 'principal' | 'at'>,
  repository: AreaRepository,
  written: readonly Written[],
): Promise<void> =>
  audit(
    tx,
    principal,
    written.map((one) => entryOf(repository, one)),
    at,
  );

/** Puts a write into the audit trail, in its own transaction. */
export const auditChange = (
  change: Change,
  repository: AreaRepository,
  before: Row | null,
  after: Row | null,
  belonged: readonly string[] = [],
): Promise<void> => auditWritten(change, repository, [{ verb: change.verb, id: change.id, before, after, belonged }]);

/** What was tried on which row, for the trail of refusals. */
export interface Attempt {
  area: AreaName;
  verb: Verb;
  id?: string;
}

const privileged = new Set(['forbidden', 'deleting_prohibited', 'editing_prohibited', 'licence_restricted']);

/** Runs a piece of work; when it is refused for want of rights, the trail says so, whatever was rolled back. */
export async function auditRefused<T>(services: Services, principal: Principal, { area, verb, id }: Attempt, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HttpError && privileged.has(error.code))
      await audit(
        services.db,
        principal,
        { area, action: 'refused', entityId: id ?? null, changes: { verb: { before: null, after: verb } } },
        services.now(),
      );
    throw error;
  }
}
