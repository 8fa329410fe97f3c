import { Suspense } from 'react';
import { lazyPart } from './lazy-part.ts';
import type { TimelineProps } from './prime/timeline.tsx';
import { SkeletonLines } from './skeletons.tsx';

export type { TimelineStep } from './prime/timeline.tsx';

const PrimeTimeline = lazyPart(() => import('./prime/timeline.tsx'));

/** What happened, one below the other; its code comes with the first of them that is shown. */
export function Timeline(props: TimelineProps) {
  return (
    <Suspense fallback={<SkeletonLines lines={props.steps.length} label={props.label} />}>
      <PrimeTimeline {...props} />
    </Suspense>
  );
}
