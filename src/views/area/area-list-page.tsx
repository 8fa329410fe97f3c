import { Suspense } from 'react';
import { SkeletonPage } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useProfile } from '#src/views/profile-of.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { AreaList } from './area-list.tsx';
import { maySee, useResource } from './areas.tsx';
import { NoAccess } from './no-access.tsx';
import type { AreaEntry } from './resource.ts';

function Loaded({ entry }: { entry: AreaEntry }) {
  return <AreaList key={entry.area} entry={entry} resource={useResource(entry)} />;
}

/** The list page of any area. */
export function AreaListPage({ entry }: { entry: AreaEntry }) {
  const { t } = useText();
  const profile = useProfile();
  usePageTitle(t(`areas.${entry.area}.title`));
  if (!maySee(profile, entry.area)) return <NoAccess />;
  return (
    <Suspense fallback={<SkeletonPage label={t('list.loading')} />}>
      <Loaded entry={entry} />
    </Suspense>
  );
}
