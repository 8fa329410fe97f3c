import { useSelector } from '@xstate/react';
import { Suspense } from 'react';
import { useSearchParams } from 'react-router-dom';
import { editorOf } from '#machines/workspace/workspace.machine.ts';
import { SkeletonPage } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useWorkspace } from '#src/views/system.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { useResource } from './areas.tsx';
import { EditorPage } from './editor-page.tsx';
import type { AreaEntry, Mode } from './resource.ts';

function Loaded({ entry }: { entry: AreaEntry }) {
  const { t } = useText();
  const resource = useResource(entry);
  const [params] = useSearchParams();
  const pageId = params.get('pageId') ?? '';
  const editor = useSelector(useWorkspace(), (snapshot) => editorOf(snapshot, pageId));
  // The page before this one, maybe of another area, stands in the workspace until it has heard of the new one.
  return editor?.getSnapshot().context.area === entry.area ? (
    <EditorPage key={editor.sessionId} entry={entry} resource={resource} editor={editor} />
  ) : (
    <SkeletonPage label={t('list.loading')} />
  );
}

/** The page on which one row of any area is added, edited or read. */
export function AreaEditorPage({ entry, mode }: { entry: AreaEntry; mode: Mode }) {
  const { t, has } = useText();
  const words = `areas.${entry.area}.${mode}`;
  // Nothing is added to what is only read; who types such an address is told so, under the name of the thing.
  usePageTitle(t(has(words) ? words : `areas.${entry.area}.one`));
  return (
    <Suspense fallback={<SkeletonPage label={t('list.loading')} />}>
      <Loaded entry={entry} />
    </Suspense>
  );
}
