import type { z } from 'zod';
import type { AuditEvent } from '#models/audit-events.ts';
import { describe } from '#models/define-model.ts';
import { type AreaName, areaNames, isArea } from '#models/areas.ts';
import { modelOf } from '#models/index.ts';

/** Areas whose rows say by groups where something is, though no field of theirs is a group: logs, and what hangs on an elevator, an amenity or a person. */
const placed: readonly AreaName[] = [
  'elevator-access-rules',
  'amenity-reservations',
  'guest-identifiers',
  'sip-trunks',
  'device-events',
  'device-alarms',
  'alarm-calls',
  'elevator-events',
  'access-control-events',
  'call-history',
];

/** Areas whose rows show what rows of another area are called. */
const namers: ReadonlyMap<AreaName, ReadonlySet<AreaName>> = (() => {
  const found = new Map<AreaName, Set<AreaName>>([['groups', new Set(placed)]]);
  for (const area of areaNames)
    for (const schema of Object.values(modelOf(area).fields)) {
      const { kind, ref } = describe(schema as z.ZodType);
      if ((kind === 'ref' || kind === 'refs') && ref && isArea(ref) && ref !== area) found.set(ref, (found.get(ref) ?? new Set()).add(area));
    }
  return found;
})();

/** Is the row called something else now? Groups are called by the way down to them too. */
const isRenamed = (area: AreaName, { action, changes = {} }: { action: AuditEvent['action']; changes?: AuditEvent['changes'] }): boolean =>
  action === 'update' && (modelOf(area).label in changes || (area === 'groups' && 'parent_id' in changes));

/** Areas whose rows look different since rows of others were renamed. */
export function namingAnew(entries: readonly { area: string; action: AuditEvent['action']; changes?: AuditEvent['changes'] }[]): AreaName[] {
  const renamed = new Set(entries.flatMap((entry) => (isArea(entry.area) && isRenamed(entry.area, entry) ? [entry.area] : [])));
  return [...new Set([...renamed].flatMap((area) => [...(namers.get(area) ?? [])]))];
}
