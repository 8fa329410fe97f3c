import type { AmenityReservation } from '#models/amenity-reservations.ts';
import { useText } from '#src/components/text.ts';
import { ReservationTime } from '../reservations/reservation-time.tsx';
import { ReservationStatusTag } from '../reservations/status-tag.tsx';
import { PageLink } from '../shell/page-link.tsx';
import { HomeCard } from './home-card.tsx';
import { firstRows, useRows } from './use-rows.ts';

const next = firstRows(
  5,
  [
    { field: 'status', rule: 'not_equals', value: 'canceled' },
    { field: 'status', rule: 'not_equals', value: 'expired' },
  ],
  ['starts_at'],
);

/** What one has reserved next, and the way to reserve something. */
export default function ReservationsCard() {
  const { t } = useText();
  const answer = useRows<AmenityReservation>('amenity-reservations', next);
  return (
    <HomeCard
      title={t('home.reservations.title')}
      icon="pi-calendar-plus"
      answer={answer}
      empty={t('home.reservations.empty')}
      lines={1}
      tall
      aside={
        <PageLink className="home-aside home-act" to="/amenities/reservations/add">
          <i className="pi pi-plus" aria-hidden="true" />
          {t('home.reservations.reserve')}
        </PageLink>
      }
    >
      {(row) => (
        <div className="home-row">
          <div className="home-what">
            <PageLink to={`/amenities/reservations/${row.id}`}>{row.amenity.name}</PageLink>
            <span className="quiet small">
              <ReservationTime row={row} />
            </span>
          </div>
          <span className="home-aside">
            <ReservationStatusTag status={row.status} />
          </span>
        </div>
      )}
    </HomeCard>
  );
}
