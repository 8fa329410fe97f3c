import type { AreaEntry } from '../area/resource.ts';
import { Surroundings } from '../shell/signed-in.tsx';
import { RemotePage } from './remote-page.tsx';

/** The remote-control page with what signed-in pages stand in, but without the layout around it. */
export function RemoteScreen({ areas }: { areas: readonly AreaEntry[] }) {
  return <Surroundings areas={areas}>{() => <RemotePage />}</Surroundings>;
}
