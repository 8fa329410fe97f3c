import { Suspense } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';

const Note = lazyPart(() => import('./inspect-note.tsx'));

/** Says that the actors of this page are watched; its code comes with the wish to watch them. */
export const InspectNote = ({ isElsewhere }: { isElsewhere: boolean }) => (
  <Suspense>
    <Note isElsewhere={isElsewhere} />
  </Suspense>
);
