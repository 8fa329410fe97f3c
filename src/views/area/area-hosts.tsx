import { useSelector } from '@xstate/react';
import { Suspense } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import type { OpenDialog } from '#machines/workspace/pages.ts';
import { editorAt, openPicker, type WorkspaceSnapshot } from '#machines/workspace/workspace.machine.ts';
import { useWorkspace } from '#src/views/system.ts';
import { useAreas } from './areas.tsx';

const EditorDialog = lazyPart(() => import('./editor-dialog.tsx').then(({ EditorDialog: view }) => ({ default: view })));
const PickerHost = lazyPart(() => import('./picker-host.tsx').then(({ PickerHost: view }) => ({ default: view })));
const JobHost = lazyPart(() => import('./job-host.tsx').then(({ JobHost: view }) => ({ default: view })));

/** The dialogs whose editor has begun: its code may still be on its way. */
const begunDialogs = (snapshot: WorkspaceSnapshot): readonly OpenDialog[] =>
  snapshot.context.dialogs.filter(({ child }) => editorAt(snapshot, child) !== undefined);
const isSame = (one: readonly OpenDialog[], other: readonly OpenDialog[]): boolean =>
  one.length === other.length && one.every((dialog, index) => dialog === other[index]);

function Dialogs() {
  const workspace = useWorkspace();
  const areas = useAreas();
  const dialogs = useSelector(workspace, begunDialogs, isSame);
  return dialogs.map(({ child, area }) => {
    const editor = editorAt(workspace.getSnapshot(), child);
    const entry = areas.find((known) => known.area === area);
    return (
      editor &&
      entry && (
        <Suspense key={child}>
          <EditorDialog entry={entry} editor={editor} />
        </Suspense>
      )
    );
  });
}

/** What the areas show over any page: editors as dialogs, the sheet for choosing rows, long work. Once in the shell. */
export function AreaHosts() {
  const workspace = useWorkspace();
  const hasPicker = useSelector(workspace, (snapshot) => openPicker(snapshot) !== undefined);
  const hasJobs = useSelector(workspace, ({ context }) => context.jobs.length > 0);
  return (
    <>
      <Dialogs />
      <Suspense>{hasPicker && <PickerHost />}</Suspense>
      <Suspense>{hasJobs && <JobHost />}</Suspense>
    </>
  );
}
