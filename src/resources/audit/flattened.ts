import type { AuditEvent } from '#models/audit-events.ts';

/** One value before and after, at its dotted path. */
interface Changed {
  path: string;
  before: unknown;
  after: unknown;
}
type Block = Record<string, unknown>;

const isBlock = (value: unknown): value is Block => value !== null && typeof value === 'object' && !Array.isArray(value) && !('id' in value);
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function within(path: string, before: unknown, after: unknown): Changed[] {
  if (!isBlock(before) && !isBlock(after)) return [{ path, before, after }];
  const [was, is] = [isBlock(before) ? before : {}, isBlock(after) ? after : {}];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((key) =>
    same(was[key], is[key]) ? [] : within(`${path}.${key}`, was[key], is[key]),
  );
}

/** The changes of an entry value by value; of a block only the values in it that differ. */
export const flattened = (changes: AuditEvent['changes']): Changed[] =>
  Object.entries(changes).flatMap(([field, { before, after }]) => within(field, before, after));
