import { type ReactNode, useState } from 'react';
import { AreaHosts } from '../area/area-hosts.tsx';
import { AreasProvider } from '../area/areas.tsx';
import type { AreaEntry } from '../area/resource.ts';
import { useOpenWorkspace, WorkspaceContext, type WorkspaceRef } from '../system.ts';
import { Shell } from './shell.tsx';

/**
 * What every signed-in page stands in: the workspace's actor and what is known of the areas. While the workspace rests after a fault
 * (`isOpen` false) it is the last one, which answers nothing: no page may be drawn from it.
 */
export function Surroundings({
  areas,
  children,
}: {
  areas: readonly AreaEntry[];
  children: (workspace: WorkspaceRef, isOpen: boolean) => ReactNode;
}) {
  const present = useOpenWorkspace();
  const [last, setLast] = useState(present);
  if (present && present !== last) setLast(present);
  const workspace = present ?? last;
  if (!workspace) throw new Error('the workspace is not there: nobody is signed in');
  return (
    <WorkspaceContext value={workspace}>
      <AreasProvider entries={areas}>{children(workspace, present !== undefined)}</AreasProvider>
    </WorkspaceContext>
  );
}

/** The signed-in part of the console: the shell with everything in it. */
export function SignedIn({ areas }: { areas: readonly AreaEntry[] }) {
  return (
    <Surroundings areas={areas}>
      {(workspace, isOpen) => (
        <>
          <Shell workspace={workspace} isOpen={isOpen} />
          {isOpen && <AreaHosts />}
        </>
      )}
    </Surroundings>
  );
}
