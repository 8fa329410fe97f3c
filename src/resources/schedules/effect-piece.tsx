import { type Schedule, schedules } from '#models/schedules.ts';
import { useText } from '#src/components/text.ts';
import { AccessEffectNote } from '#src/views/access/effect.tsx';
import type { PieceProps } from '#src/views/area/resource.ts';

/** What the schedule as it stands in the form would open and close for whom its rules reach. */
export function ScheduleEffect({ draft, row }: PieceProps<Schedule>) {
  const { t } = useText();
  const found = schedules.write.safeParse({ ...(schedules.toWire(draft as never) as object), name: 'x' });
  if (!found.success || !row) return <p className="quiet small">{t('list.effect.unfinished')}</p>;
  return <AccessEffectNote change={{ area: 'schedules', id: row.id, draft: found.data }} />;
}
