import { Suspense } from 'react';
import { lazyPart } from './lazy-part.ts';
import type { StepsProps } from './prime/steps.tsx';

const PrimeSteps = lazyPart(() => import('./prime/steps.tsx'));

/** Where somebody is in what takes several steps. The room is kept while its code comes. */
export function Steps(props: StepsProps) {
  return (
    <Suspense fallback={<div style={{ height: 42 }} />}>
      <PrimeSteps {...props} />
    </Suspense>
  );
}
