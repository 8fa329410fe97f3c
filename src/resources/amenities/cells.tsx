import type { Amenity } from '#models/amenities.ts';
import { useText } from '#src/components/text.ts';
import type { CellProps } from '#src/views/area/resource.ts';
import { hoursText, lengthText } from './slots-text.ts';

/** When an amenity is open, and how long one slot is. */
export function SlotsCell({ value: { duration, items } }: CellProps<Amenity['timeSlots'], Amenity>) {
  const words = useText();
  return (
    <span className="cell-line">
      {items.map((item) => hoursText(item, words)).join('; ')}
      <span className="cell-sub">{words.t('areas.amenities.slot_of', { length: lengthText(duration, words) })}</span>
    </span>
  );
}
