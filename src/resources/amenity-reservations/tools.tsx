import { Suspense, useState } from 'react';
import { Button } from '#src/components/button.tsx';
import { lazyPart } from '#src/components/lazy-part.ts';
import { useText } from '#src/components/text.ts';

const FeedDialog = lazyPart(() => import('./feed-dialog.tsx').then(({ CalendarFeedDialog }) => ({ default: CalendarFeedDialog })));

/** Beside the reservations: the way into one's own calendar. */
export function ReservationTools() {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  const label = t('areas.amenity-reservations.feed.open');
  return (
    <>
      <Button tone="plain" icon="pi-calendar-plus" className="tool-link" label={label} title={label} onClick={() => setOpen(true)} />
      {open && (
        <Suspense>
          <FeedDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
