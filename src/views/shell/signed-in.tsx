import { useState } from 'react';
import { AreaHosts } from '../area/area-hosts.tsx';
import { AreasProvider } from '../area/areas.tsx';
import type { AreaEntry } from '../area/resource.ts';
import { useApp, WorkspaceContext, type WorkspaceRef } from '../system.ts';
import { Shell } from './shell.tsx';

/** The signed-in part of the console: the workspace's actor and what is known of the areas, around the shell. */
export function SignedIn({ areas }: { areas: readonly AreaEntry[] }) {
  const app = useApp();
  const [workspace] = useState(() => app.system.get('workspace') as WorkspaceRef | undefined);
  if (!workspace) throw new Error('the workspace is not there: nobody is signed in');
  return (
    <WorkspaceContext value={workspace}>
      <AreasProvider entries={areas}>
        <Shell workspace={workspace} />
        <AreaHosts />
      </AreasProvider>
    </WorkspaceContext>
  );
}
