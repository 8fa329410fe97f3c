import type { AreaName } from '#models/areas.ts';
import type { AnyResource, AreaEntry } from './resource.ts';

const loads = new Map<AreaName, Promise<AnyResource>>();
const loaded = new Map<AreaName, AnyResource>();

/** An area's data, fetched once. A load that failed may be tried again. */
export function loadResource({ area, load }: AreaEntry): Promise<AnyResource> {
  const begun = loads.get(area);
  if (begun) return begun;
  const loading = load().then(
    (module) => {
      loaded.set(area, module.default);
      return module.default;
    },
    (error: unknown) => {
      loads.delete(area);
      throw error;
    },
  );
  loads.set(area, loading);
  return loading;
}

/** An area's data where it has come: a view that has it need not suspend, which would keep it back for the 300 ms of React's throttle. */
export const loadedResource = (area: AreaName): AnyResource | undefined => loaded.get(area);
