import type { AreaEntry } from '../area/resource.ts';
import { PhoneBeside } from '../shell/phone-slot.tsx';
import { Surroundings } from '../shell/signed-in.tsx';
import { Watch } from '../shell/watch.tsx';
import { RemotePage } from './remote-page.tsx';

/** The remote-control page with what signed-in pages stand in, but without the layout around it: calls and alarms come up over it all the same. */
export function RemoteScreen({ areas }: { areas: readonly AreaEntry[] }) {
  return (
    <Surroundings areas={areas}>
      {(_workspace, isOpen) => (
        <div className="remote-screen">
          {isOpen && <RemotePage />}
          <PhoneBeside />
          <Watch />
        </div>
      )}
    </Surroundings>
  );
}
