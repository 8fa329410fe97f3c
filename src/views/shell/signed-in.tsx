import { type ReactNode, useState } from 'react';
import { AreaHosts } from '../area/area-hosts.tsx';
import { AreasProvider } from '../area/areas.tsx';
import type { AreaEntry } from '../area/resource.ts';
import { useApp, WorkspaceContext, type WorkspaceRef } from '../system.ts';
import { Shell } from './shell.tsx';

/** What every signed-in page stands in: the workspace's actor and what is known of the areas. */
export function Surroundings({ areas, children }: { areas: readonly AreaEntry[]; children: (workspace: WorkspaceRef) => ReactNode }) {
  const app = useApp();
  const [workspace] = useState(() => app.system.get('workspace') as WorkspaceRef | undefined);
  if (!workspace) throw new Error('the workspace is not there: nobody is signed in');
  return (
    <WorkspaceContext value={workspace}>
      <AreasProvider entries={areas}>{children(workspace)}</AreasProvider>
    </WorkspaceContext>
  );
}

/** The signed-in part of the console: the shell with everything in it. */
export function SignedIn({ areas }: { areas: readonly AreaEntry[] }) {
  return (
    <Surroundings areas={areas}>
      {(workspace) => (
        <>
          <Shell workspace={workspace} />
          <AreaHosts />
        </>
      )}
    </Surroundings>
  );
}
