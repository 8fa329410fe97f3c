import type { AmenitySlots } from '#models/amenity-slots.ts';
import { secondsIn } from '#models/time.ts';
import { scheduleText } from '#src/components/schedule-text.ts';
import type { Text } from '#src/components/text.ts';

const [minute, hour] = [secondsIn(1, 'minute'), secondsIn(1, 'hour')];

/** A length in words: 45 min, 1 h 30 min. */
export function lengthText(seconds: number, { t }: Text): string {
  const [hours, minutes] = [Math.floor(seconds / hour), Math.round((seconds % hour) / minute)];
  return [
    ...(hours > 0 ? [t('areas.amenities.length.hours', { count: hours })] : []),
    ...(minutes > 0 || hours === 0 ? [t('areas.amenities.length.minutes', { count: minutes })] : []),
  ].join(' ');
}

/** One line of opening hours: Mon–Fri 09:00–21:00. */
export const hoursText = ({ days, from, to }: AmenitySlots['items'][number], words: Text): string =>
  scheduleText(
    {
      days,
      from,
      to,
      is_all_day: false,
      repeat_mode: 'weekly',
      valid_from: null,
      valid_to: null,
      holiday_mode: 'holds',
      holiday_from: from,
      holiday_to: to,
    },
    words,
    0,
  );
