import type { ReservationStatus } from '#models/amenity-reservations.ts';
import { useText } from '#src/components/text.ts';

const tones: Readonly<Record<ReservationStatus, string>> = {
  active: 'tag tag-info',
  reserved: 'tag tag-good',
  inactive: 'tag tag-warn',
  canceled: 'tag',
  expired: 'tag',
};

/** How a reservation stands, in a word. */
export function ReservationStatusTag({ status }: { status: ReservationStatus }) {
  const { t } = useText();
  return <span className={tones[status]}>{t(`areas.amenity-reservations.options.status.${status}`)}</span>;
}
