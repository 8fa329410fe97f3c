import { useContext } from 'react';
import type { Schedule } from '#models/schedules.ts';
import { scheduleText } from '#src/components/schedule-text.ts';
import { useText } from '#src/components/text.ts';
import { ClockworkContext } from '#src/components/when.tsx';
import type { CellProps } from '#src/views/area/resource.ts';

/** When a schedule holds, as a sentence. */
export function HoursCell({ row }: CellProps<unknown, Schedule>) {
  const { now } = useContext(ClockworkContext);
  return <>{scheduleText(row, useText(), now())}</>;
}
