import { useState } from 'react';
import type { CountedFeature, SeatCount } from '#models/seats.ts';
import { SeatBar } from '#src/components/seat-bar.tsx';
import { useText } from '#src/components/text.ts';
import { SeatsDialog } from './seats-dialog.tsx';
import './seats.css';

/** What is counted, used and available; each number opens who holds the seats. */
export function SeatCounts({ seats, groupId }: { seats: readonly SeatCount[]; groupId?: string }) {
  const { t } = useText();
  const [open, setOpen] = useState<CountedFeature | null>(null);
  return (
    <section className="card" aria-labelledby="seats-title">
      <header className="card-head">
        <h2 id="seats-title">{t('list.licences.seats')}</h2>
      </header>
      <div className="seat-counts">
        {seats.map((count) => (
          <SeatBar key={count.feature} label={t(`list.licences.counted.${count.feature}`)} seats={count} onOpen={() => setOpen(count.feature)} />
        ))}
      </div>
      {open && <SeatsDialog feature={open} {...(groupId !== undefined && { groupId })} onClose={() => setOpen(null)} />}
    </section>
  );
}
