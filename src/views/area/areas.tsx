import { createContext, type ReactNode, use, useContext, useMemo } from 'react';
import { isArea } from '#models/areas.ts';
import type { Verb } from '#models/area-rules.ts';
import { hasPermission, may, scopesOf } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';
import { GrantContext } from '#src/components/fields/grant-context.ts';
import { clockworkOf, ClockworkContext } from '#src/components/when.tsx';
import { actorOf, useProfile } from '#src/views/profile-of.ts';
import { useServices } from '#src/views/system.ts';
import { loadedResource, loadResource } from './loaded.ts';
import { MemoryProvider } from './memory.tsx';
import type { AnyResource, AnyRow, AreaEntry } from './resource.ts';

const AreasContext = createContext<readonly AreaEntry[]>([]);

/** Which areas have screens, and how the signed-in person reads time and grants permissions; around all signed-in pages. */
export function AreasProvider({ entries, children }: { entries: readonly AreaEntry[]; children: ReactNode }) {
  const profile = useProfile();
  const { now } = useServices();
  const clockwork = useMemo(() => clockworkOf(profile.profile, now), [profile.profile, now]);
  const grantable = useMemo(() => {
    const codes = new Set(profile.role?.permissions);
    const anything = hasPermission({ permissions: [...codes] }, 'can_grant_more_than_own');
    return (code: string) => anything || codes.has(code);
  }, [profile.role]);
  return (
    <AreasContext value={entries}>
      <ClockworkContext value={clockwork}>
        <GrantContext value={grantable}>
          <MemoryProvider>{children}</MemoryProvider>
        </GrantContext>
      </ClockworkContext>
    </AreasContext>
  );
}

/** The areas that have screens. */
export const useAreas = (): readonly AreaEntry[] => useContext(AreasContext);

/** What is known of an area without loading it; none where it has no screens yet. */
export const useEntry = (area: string): AreaEntry | undefined => useAreas().find((entry) => entry.area === area);

/** An area without the fields that its rows do not tell this person. */
function asShown(resource: AnyResource, profile: Profile): AnyResource {
  const actor = actorOf(profile);
  const isShown = (field: string): boolean => {
    const code = resource.model.codes[field];
    return !code || hasPermission(actor, code);
  };
  return { ...resource, columns: resource.columns.filter(({ key }) => isShown(key)), filters: resource.filters.filter(isShown) };
}

/** The area's data as far as it concerns the person; where it has not come yet the view suspends. */
export function useResource(entry: AreaEntry): AnyResource {
  const profile = useProfile();
  const resource = loadedResource(entry.area) ?? use(loadResource(entry));
  return useMemo(() => asShown(resource, profile), [resource, profile]);
}

/** May the person do this to any row of the area, or to this row? */
export function mayDo(profile: Profile, resource: Pick<AnyResource, 'area' | 'subject'>, verb: Verb, row?: AnyRow): boolean {
  return may(actorOf(profile), verb, resource.area, row && resource.subject(row));
}

/** May the person delete this row? */
export const mayDeleteRow = (profile: Profile, resource: AnyResource, row: AnyRow): boolean =>
  !resource.model.readOnly && !resource.undeletable(row) && mayDo(profile, resource, 'delete', row);

/** May the person see an area at all; false for areas that have no screens yet. */
export const maySee = (profile: Profile, area: string): boolean => isArea(area) && may(actorOf(profile), 'view', area);

/** May the person see more of an area than the rows they made themselves? */
export const seesOthers = (profile: Profile, area: string): boolean =>
  isArea(area) && scopesOf(actorOf(profile), 'view', area).some((scope) => scope !== 'own');
